import { defined } from '../../core/base/defined.ts';
import type { Card } from '../../core/task/card.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Wait } from '../../core/task/waits.ts';
import type { Append, Waiting, WaitQuery } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, type Case } from '../case.ts';
import { numbers, sampleAppend, sampleCard, sampleTask, appendAll } from '../sample.ts';

const [one, two, three] = [sampleTask(1), sampleTask(2), sampleTask(3)] as const;
const [left, right, other] = [sampleTask(11), sampleTask(12), sampleTask(13)].toSorted() as [
  TaskId,
  TaskId,
  TaskId,
];

function needs(...tasks: readonly TaskId[]): Wait[] {
  return tasks.map((need) => ({ need, watched: true }));
}

function waiting(task: TaskId, seq: number, waits: readonly Wait[]): Append {
  return sampleAppend(task, seq, { card: sampleCard(task, { status: 'blocked', seq }), waits });
}

function ended(task: TaskId, seq: number, status: Card['status']): Append {
  return sampleAppend(task, seq, { card: sampleCard(task, { status, seq }) });
}

async function found(store: Store, query: Partial<WaitQuery> = {}): Promise<string[]> {
  return (await store.catalog.waits({ limit: 100, ...query })).map(({ need, task }) => `${need} ${task}`);
}

/** In ascending order. */
function pairs(...all: readonly (readonly [need: TaskId, task: TaskId])[]): string[] {
  return all.map(([need, task]) => `${need} ${task}`).toSorted();
}

const naming: readonly Case<Bench>[] = [
  {
    id: 'CA6',
    title: 'waits returns every need with every task that names it, by need and then by task',
    run: async ({ a, b }) => {
      same(await found(a), [], 'the waits of an empty store');
      await appendAll(a, waiting(three, 0, needs(right, left)), waiting(one, 0, needs(right)));
      await appendAll(b, waiting(two, 0, needs(left)), sampleAppend(left, 0));
      const all = pairs([left, two], [left, three], [right, one], [right, three]);
      same(await found(b), all, 'all of them');
      same(await found(a, { need: left }), pairs([left, two], [left, three]), 'those for one need');
      same(await found(a, { need: other }), [], 'those for a need that nobody has');
    },
  },
  {
    id: 'CA6',
    title: 'pages of waits follow one another without a gap, also within one need',
    run: async ({ a, b }) => {
      for (const n of numbers(9)) await appendAll(a, waiting(sampleTask(n + 20), 0, needs(left, right)));
      for (const query of [{}, { need: left }]) {
        const all = await b.catalog.waits({ ...query, limit: 100 });
        same(all.length, 'need' in query ? 9 : 18, 'waits');
        const seen: Waiting[] = [];
        for (let page = await b.catalog.waits({ ...query, limit: 4 }); page.length > 0;) {
          check(page.length <= 4 && seen.length < 20, 'a page is larger than asked for, or comes again');
          seen.push(...page);
          const after = page.at(-1);
          page = await b.catalog.waits({ ...query, limit: 4, ...defined({ after }) });
        }
        same(seen, all, 'what the pages show');
      }
    },
  },
  {
    id: 'CA6',
    title: 'only what the latest append names is waited for, and nothing by a task that is gone',
    run: async ({ a, b }) => {
      await appendAll(a, waiting(one, 0, needs(left, right)), waiting(two, 0, needs(left)));
      await appendAll(b, waiting(one, 1, needs(right, other)));
      same(await found(a), pairs([left, two], [right, one], [other, one]), 'after needs changed');
      check(!(await a.journal.append(waiting(two, 0, needs(other)))).stored, 'a late append was stored');
      await appendAll(a, sampleAppend(one, 2));
      same(await found(b), pairs([left, two]), 'after one waits no more');
      check(await a.journal.remove(two, 0, 0), 'remove said that it did nothing');
      same(await found(b), [], 'after the other was removed');
    },
  },
  {
    id: 'CA6',
    title: 'a task that was adopted waits for nothing',
    run: async ({ a, b }) => {
      const append = waiting(one, 0, needs(left));
      const { task, seq, digest, snapshot, card } = append;
      await appendAll(a, append);
      same(await found(b), pairs([left, one]), 'before');
      const adoption = { task, after: { seq, digest }, entries: [], snapshot, card, lease: null };
      check((await b.journal.adopt(adoption)).stored, 'the adoption was refused');
      same(await found(a), [], 'after');
    },
  },
];

const over: readonly Case<Bench>[] = [
  {
    id: 'CA7',
    title: 'a wait is over when its need fails or is cancelled, and when it is done only where it is watched',
    run: async ({ a, b }) => {
      const waits = [
        { need: left, watched: true },
        { need: right, watched: false },
      ];
      await appendAll(a, sampleAppend(left, 0), sampleAppend(right, 0));
      await appendAll(a, waiting(one, 0, waits), waiting(two, 0, waits));
      same(await found(b, { over: true }), [], 'while both needs are open');
      await appendAll(b, ended(right, 1, 'done'));
      same(await found(a, { over: true }), [], 'after one that nobody watches was done');
      await appendAll(b, ended(left, 1, 'done'));
      same(await found(a, { over: true }), pairs([left, one], [left, two]), 'after the other was done');
      same(await found(a, { over: true, need: right }), [], 'those for the first');
      same(
        await found(a, { over: true, limit: 1 }),
        pairs([left, one], [left, two]).slice(0, 1),
        'one of them',
      );
      await appendAll(a, ended(three, 0, 'failed'), ended(other, 0, 'elsewhere'));
      await appendAll(
        a,
        waiting(
          two,
          1,
          [right, three, other].map((need) => ({ need, watched: false })),
        ),
      );
      same(await found(b, { over: true }), pairs([left, one], [three, two]), 'after needs changed');
    },
  },
  {
    id: 'CA7',
    title: 'a wait for what was over before is over at once, and one for a task that is not here is not',
    run: async ({ a, b }) => {
      await appendAll(a, ended(left, 0, 'done'), ended(right, 0, 'cancelled'));
      await appendAll(b, waiting(one, 0, needs(left, right, other)));
      same(await found(a, { over: true }), pairs([left, one], [right, one]), 'the waits that are over');
      check(await a.journal.remove(left, 0, 0), 'remove said that it did nothing');
      same(await found(b, { over: true }), pairs([right, one]), 'after a need was removed');
      same(await found(b, { need: left }), pairs([left, one]), 'those for the removed need');
    },
  },
];

const forNone: Case<Bench> = {
  id: 'CA2',
  title: 'tasks that wait for none are told from those that do',
  run: async ({ a, b }) => {
    await appendAll(a, waiting(one, 0, needs(left)), waiting(two, 0, []), sampleAppend(three, 0));
    const listed = async (): Promise<TaskId[]> => {
      const query = { statuses: ['blocked'], waitsForNone: true, limit: 10 } as const;
      return (await b.catalog.list(query)).cards.map(({ task }) => task);
    };
    same(await listed(), [two], 'blocked tasks that wait for none');
    await appendAll(a, waiting(one, 1, []), waiting(two, 1, needs(right)));
    same(await listed(), [one], 'the same after both changed');
  },
};

export const catalogWaitCases: readonly Case<Bench>[] = [...naming, ...over, forNone];
