import type { Bench } from '../bench.ts';
import { check, same, type Case } from '../case.ts';
import { sampleAppend, sampleTask, appendAll } from '../sample.ts';

const [one, two, three, four] = [sampleTask(1), sampleTask(2), sampleTask(3), sampleTask(4)] as const;

export const catalogKeyCases: readonly Case<Bench>[] = [
  {
    id: 'CA5',
    title: 'keyed returns the tasks that hold an entry with that key, in ascending order, up to the limit',
    run: async ({ a, b }) => {
      for (const task of [three, one, four, two]) await appendAll(a, sampleAppend(task, 0));
      for (const task of [three, one, two]) await appendAll(a, sampleAppend(task, 1, { key: 'k' }));
      await appendAll(a, sampleAppend(four, 1, { key: 'K' }), sampleAppend(three, 2, { key: 'other' }));
      same(await b.catalog.keyed('k', 10), [one, two, three].toSorted(), 'the tasks with the key');
      same(await b.catalog.keyed('k', 2), [one, two, three].toSorted().slice(0, 2), 'the first two of them');
      same(await b.catalog.keyed('other', 10), [three], 'the task with the other key');
      for (const key of ['', '%', 'k ', 'none'])
        same(await b.catalog.keyed(key, 10), [], `the tasks with the key ${JSON.stringify(key)}`);
    },
  },
  {
    id: 'CA5',
    title: 'keyed knows neither the key of a refused append nor one of a removed task',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(one, 0, { key: 'k' }), sampleAppend(two, 0));
      const { stored: again } = await b.journal.append(sampleAppend(two, 0, { key: 'k' }));
      check(!again, 'a second first entry was stored');
      same(await b.catalog.keyed('k', 10), [one], 'the tasks with the key');
      check(await a.journal.remove(one, 0, 0), 'remove said that it did nothing');
      same(await b.catalog.keyed('k', 10), [], 'the tasks with the key after the removal');
    },
  },
];
