import { digestOf } from '../../core/journal/digest.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, sameBytes, type Case } from '../case.ts';
import {
  entryOf,
  appendSome,
  headAfter,
  noon,
  numbers,
  prose,
  sampleAppend,
  sampleTask,
  appendAll,
} from '../sample.ts';

const task = sampleTask(1);
const other = sampleTask(2);
const blob = prose(600);

/** A task with everything that a task can have. */
async function full(store: Store): Promise<void> {
  const lease = { generation: 1, until: noon + 1000 };
  await appendAll(
    store,
    sampleAppend(task, 0, { key: 'first', blobs: [blob] }),
    sampleAppend(task, 1, { key: 'second', lease: { set: lease } }),
  );
}

async function isGone(store: Store): Promise<void> {
  const { journal, catalog } = store;
  same(await journal.head(task), undefined, 'the head');
  same(await journal.read(task, 0, 10), [], 'the entries');
  for (const key of ['first', 'second']) same(await journal.find(task, key), undefined, `the ${key} key`);
  same(await journal.renew(task, 1, noon + 5000), null, 'a renewal');
  same(
    (await catalog.list({ limit: 10 })).cards.filter((card) => card.task === task),
    [],
    'the list',
  );
  same(await catalog.resolve(task, 10), [], 'the id resolved');
  same(
    (await catalog.feed(0, 100)).filter((entry) => entry.task === task),
    [],
    'the feed',
  );
}

export const journalRemoveCases: readonly Case<Bench>[] = [
  {
    id: 'JS12',
    title: 'nothing of a removed task is found again, on any connection',
    run: async ({ a, b }) => {
      await full(a);
      check(await a.journal.remove(task, 1, 0), 'remove said that it did nothing');
      for (const store of [a, b]) await isGone(store);
    },
  },
  {
    id: 'JS12',
    title: 'a removal is still one after closing and opening again',
    run: async ({ a, reopen }) => {
      await full(a);
      check(await a.journal.remove(task, 1, 0), 'remove said that it did nothing');
      await isGone(await reopen());
    },
  },
  {
    id: 'JS12',
    title: 'remove does nothing if the head is elsewhere, and says so',
    run: async ({ a, b }) => {
      const appends = await appendSome(a, task, 3);
      for (const seq of [-1, 0, 1, 3])
        check(
          !(await b.journal.remove(task, seq, 0)),
          `remove at ${seq} said that it deleted a task at seq 2`,
        );
      const last = appends.at(-1);
      same(await a.journal.head(task), last && headAfter(last), 'the head');
      same((await a.journal.read(task, 0, 10)).map(entryOf), appends.map(entryOf), 'the entries');
    },
  },
  {
    id: 'JS12',
    title: 'remove of a task that is not there, or no longer, says that it did nothing',
    run: async ({ a, b }) => {
      await appendSome(a, other, 1);
      for (const seq of [-1, 0])
        check(!(await a.journal.remove(task, seq, 0)), 'removed a task that is not there');
      await full(a);
      check(await a.journal.remove(task, 1, 0), 'remove said that it did nothing');
      check(!(await b.journal.remove(task, 1, 0)), 'removed a task twice');
    },
  },
  {
    id: 'JS12',
    title: 'other tasks and all blobs stay',
    run: async ({ a, b }) => {
      await full(a);
      const theirs = [sampleAppend(other, 0, { key: 'first' }), sampleAppend(other, 1)];
      await appendAll(b, ...theirs);
      check(await a.journal.remove(task, 1, 0), 'remove said that it did nothing');
      same((await b.journal.read(other, 0, 10)).map(entryOf), theirs.map(entryOf), "another task's entries");
      same((await b.journal.find(other, 'first'))?.seq, 0, "another task's key");
      same((await b.catalog.feed(0, 10)).map(entryOf), theirs.map(entryOf), 'the feed');
      sameBytes(await b.blobs.get(digestOf(blob)), blob, 'the blob');
    },
  },
  {
    id: 'JS12',
    title: 'the id of a removed task begins again at seq 0, with all keys free',
    run: async ({ a, b }) => {
      await full(a);
      check(await a.journal.remove(task, 1, 0), 'remove said that it did nothing');
      check(!(await b.journal.append(sampleAppend(task, 2))).stored, 'a removed task could be continued');
      const again = sampleAppend(task, 0, {
        key: 'second',
        body: '{"again":true}',
        lease: { keepUntil: noon },
      });
      await appendAll(b, again);
      same(await a.journal.head(task), headAfter(again), 'the head');
      same((await a.journal.read(task, 0, 10)).map(entryOf), [entryOf(again)], 'the entries');
      same(await a.journal.find(task, 'first'), undefined, 'a key from before');
      same((await a.journal.find(task, 'second'))?.digest, again.digest, 'a key used again');
    },
  },
  {
    id: 'JS12',
    title: 'of eight concurrent removals of a task on two connections one says that it did',
    run: async ({ a, b }) => {
      await full(a);
      const outcomes = await Promise.all(
        numbers(8).map(async (n) => await (n % 2 === 0 ? a : b).journal.remove(task, 1, 0)),
      );
      same(outcomes.filter(Boolean).length, 1, 'removals that say they did');
      await isGone(a);
    },
  },
  {
    id: 'JS12',
    title: 'of a removal and an append at the same time exactly one happens',
    run: async ({ a, b }) => {
      for (const n of numbers(12)) {
        const id = sampleTask(10 + n);
        await appendAll(a, sampleAppend(id, 0));
        const remove = async (): Promise<boolean> => await a.journal.remove(id, 0, 0);
        const append = async (): Promise<boolean> => (await b.journal.append(sampleAppend(id, 1))).stored;
        const [one, two] = await Promise.all(n % 2 === 0 ? [remove(), append()] : [append(), remove()]);
        check(one !== two, one ? 'a removal and an append both happened' : 'neither happened');
        const removed = n % 2 === 0 ? one : two;
        same((await b.journal.read(id, 0, 10)).length, removed ? 0 : 2, 'entries afterwards');
      }
    },
  },
];
