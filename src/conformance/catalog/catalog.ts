import { defined } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import type { Card } from '../../core/task/card.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { CardQuery, ListedCard } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, type Case } from '../case.ts';
import {
  noon,
  numbers,
  oddTexts,
  openTask,
  sampleAppend,
  sampleCard,
  sampleTask,
  appendAll,
  tasksOf,
} from '../sample.ts';

async function listed(store: Store, query: Partial<CardQuery> = {}): Promise<TaskId[]> {
  return tasksOf((await store.catalog.list({ limit: 100, ...query })).cards);
}

/** Page by page to the end, with something happening before each further page. */
async function paged(
  store: Store,
  query: CardQuery,
  between: (page: readonly ListedCard[], index: number) => Promise<void> = async () => {},
): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  let cursor: string | undefined;
  for (let index = 0; ; index += 1) {
    const page = await store.catalog.list({ ...query, ...defined({ cursor }) });
    check(
      page.cards.length <= query.limit,
      `a page of ${page.cards.length} where ${query.limit} were asked for`,
    );
    tasks.push(...tasksOf(page.cards));
    cursor = page.next;
    if (cursor === undefined) return tasks;
    check(page.cards.length > 0, 'a page without tasks that has a next page');
    check(index < 1000, 'paging does not come to an end');
    await between(page.cards, index);
  }
}

/** Ten tasks, of which most were opened in the same millisecond as another. Newest first. */
async function crowd(store: Store): Promise<TaskId[]> {
  for (const n of numbers(10))
    await openTask(store, sampleTask(n), {
      openedAt: noon + Math.floor(n / 4),
      status: n % 2 === 0 ? 'offered' : 'held',
    });
  const all = await listed(store);
  same(all.toSorted(), numbers(10).map(sampleTask).toSorted(), 'the tasks listed');
  return all;
}

/** One task for each thing that a filter can tell apart. */
const gallery: Readonly<Record<string, Partial<Card> & { readonly leaseUntil?: number }>> = {
  plain: {},
  offered: { status: 'offered', lane: 'execute', to: 'lane:execute' },
  held: { status: 'held', lane: 'execute', holder: 'ada', leaseUntil: noon + 1000 },
  audited: { status: 'held', lane: 'audit', holder: 'Ada', leaseUntil: noon + 2000 },
  planned: { status: 'held', lane: 'plan', holder: 'ada', leaseUntil: noon + 3000 },
  done: { status: 'done', lane: 'audit' },
  dead: { status: 'escalated', lane: 'execute', dead: true },
  failed: { status: 'failed', dead: true },
};

async function hung(store: Store): Promise<(query: Partial<CardQuery>) => Promise<string[]>> {
  const names = Object.keys(gallery);
  for (const [n, name] of names.entries()) await openTask(store, sampleTask(n), gallery[name] ?? {});
  const nameOf = new Map(names.map((name, n) => [sampleTask(n), name]));
  return async (query) => (await listed(store, query)).map((task) => nameOf.get(task) ?? task).toSorted();
}

const cards: readonly Case<Bench>[] = [
  {
    id: 'CA1',
    title: 'a card comes back with every field as given at the latest append',
    run: async ({ a, b }) => {
      const task = sampleTask(1);
      await openTask(a, task, { title: 'before' });
      same(
        (await b.catalog.list({ limit: 5 })).cards,
        [{ ...sampleCard(task, { title: 'before' }), leaseUntil: null }],
        'the first card',
      );
      for (const [n, title] of oddTexts.entries()) {
        const card = sampleCard(task, {
          title,
          status: 'held',
          lane: 'audit',
          holder: 'zoë@home',
          generation: 7,
          to: 'runtime:codex',
          notBefore: noon - 1,
          expiresAt: noon + 1,
          updatedAt: noon + n,
          seq: n + 1,
          dead: true,
          waiting: 3,
        });
        await appendAll(a, sampleAppend(task, n + 1, { card }));
        same((await b.catalog.list({ limit: 5 })).cards, [{ ...card, leaseUntil: null }], `card ${n}`);
      }
    },
  },
  {
    id: 'CA1',
    title: 'a card shows the lease in force, renewals included',
    run: async ({ a, b }) => {
      const task = sampleTask(1);
      const lease = async (): Promise<unknown> => (await b.catalog.list({ limit: 1 })).cards[0]?.leaseUntil;
      await openTask(a, task);
      same(await lease(), null, 'without a lease');
      await appendAll(a, sampleAppend(task, 1, { lease: { set: { generation: 1, until: noon + 10 } } }));
      same(await lease(), noon + 10, 'after it was set');
      await a.journal.renew(task, 1, noon + 20);
      same(await lease(), noon + 20, 'after a renewal');
      await appendAll(a, sampleAppend(task, 2, { lease: { keepUntil: noon + 30 } }));
      same(await lease(), noon + 30, 'after an append that keeps it');
    },
  },
  {
    id: 'CA1',
    title: 'the newest opened come first, whenever they were written or changed',
    run: async ({ a, b }) => {
      const times = [3, 1, 5, 2, 4];
      for (const time of times)
        await openTask(time % 2 === 0 ? a : b, sampleTask(time), { openedAt: noon + time });
      const card = sampleCard(sampleTask(1), { openedAt: noon + 1, updatedAt: noon + 1000, seq: 1 });
      await appendAll(a, sampleAppend(sampleTask(1), 1, { card }));
      same(await listed(b), [5, 4, 3, 2, 1].map(sampleTask), 'the order');
    },
  },
  {
    id: 'CA1',
    title: 'the oldest opened come first when asked for',
    run: async ({ a, b }) => {
      for (const time of [3, 1, 5, 2, 4]) await openTask(a, sampleTask(time), { openedAt: noon + time });
      same(await listed(b, { oldestFirst: true }), [1, 2, 3, 4, 5].map(sampleTask), 'the oldest first');
      same(await listed(b, { oldestFirst: false }), [5, 4, 3, 2, 1].map(sampleTask), 'the newest first');
    },
  },
];

const filters: readonly Case<Bench>[] = [
  {
    id: 'CA2',
    title: 'statuses keeps the tasks in one of them, and none of them keeps none',
    run: async ({ a }) => {
      const names = await hung(a);
      same(await names({}), Object.keys(gallery).toSorted(), 'without a filter');
      same(await names({ statuses: ['held'] }), ['audited', 'held', 'planned'], 'one status');
      same(await names({ statuses: ['done', 'open', 'lapsed'] }), ['done', 'plain'], 'several statuses');
      same(await names({ statuses: [] }), [], 'no status');
    },
  },
  {
    id: 'CA2',
    title: 'lane and holder keep exact matches, and no lane those without one',
    run: async ({ a }) => {
      const names = await hung(a);
      same(await names({ lane: 'execute' }), ['dead', 'held', 'offered'], 'a lane');
      same(await names({ lane: 'supervise' }), [], 'a lane that nobody is in');
      same(await names({ lane: null }), ['failed', 'plain'], 'no lane');
      same(await names({ holder: 'ada' }), ['held', 'planned'], 'a holder');
      same(await names({ holder: 'ad' }), [], 'the beginning of a holder');
    },
  },
  {
    id: 'CA2',
    title: 'for keeps what is on offer to one of the addresses, and nothing that is on offer to nobody',
    run: async ({ a, b }) => {
      const offers = [null, 'anyone', 'lane:plan', 'agent:ada', 'agent:adam'] as const;
      for (const [n, to] of offers.entries()) await openTask(a, sampleTask(n), { to });
      const shown = async (addresses: readonly Address[]): Promise<(string | null)[]> =>
        (await b.catalog.list({ for: addresses, limit: 10, oldestFirst: true })).cards.map(({ to }) => to);
      same(await shown(['agent:ada', 'anyone']), ['anyone', 'agent:ada'], 'what is for ada');
      same(await shown([]), [], 'what is for no address');
    },
  },
  {
    id: 'CA2',
    title: 'dead keeps the dead letters, or all others',
    run: async ({ a }) => {
      const names = await hung(a);
      same(await names({ dead: true }), ['dead', 'failed'], 'the dead');
      same(
        await names({ dead: false }),
        ['audited', 'done', 'held', 'offered', 'plain', 'planned'],
        'the others',
      );
    },
  },
  {
    id: 'CA2',
    title: 'leaseBefore keeps leases that ended earlier, as renewed, and never a task without a lease',
    run: async ({ a, b }) => {
      const names = await hung(a);
      same(await names({ leaseBefore: noon + 1000 }), [], 'at the very end of the first lease');
      same(await names({ leaseBefore: noon + 1001 }), ['held'], 'just after the end of the first lease');
      same(await names({ leaseBefore: noon + 10_000 }), ['audited', 'held', 'planned'], 'after all ends');
      await b.journal.renew(sampleTask(2), 1, noon + 20_000);
      same(await names({ leaseBefore: noon + 10_000 }), ['audited', 'planned'], 'after a renewal');
    },
  },
  {
    id: 'CA2',
    title: 'several filters keep what fits all of them',
    run: async ({ a }) => {
      const names = await hung(a);
      same(await names({ statuses: ['held'], holder: 'ada', lane: 'plan' }), ['planned'], 'three filters');
      same(await names({ lane: 'execute', dead: false }), ['held', 'offered'], 'lane and dead');
      same(await names({ lane: 'execute', leaseBefore: noon + 9000 }), ['held'], 'lane and lease');
      same(await names({ lane: 'audit', holder: 'ada' }), [], 'what no task fits');
    },
  },
  {
    id: 'CA2',
    title: 'filters look at the latest card, not at earlier ones',
    run: async ({ a, b }) => {
      const task = sampleTask(1);
      await openTask(a, task, { status: 'held', lane: 'execute', holder: 'ada', leaseUntil: noon });
      const card = sampleCard(task, { status: 'done', lane: 'audit', dead: true, seq: 1 });
      await appendAll(a, sampleAppend(task, 1, { card }));
      for (const query of [
        { statuses: ['held'] },
        { lane: 'execute' },
        { holder: 'ada' },
        { dead: false },
        { leaseBefore: noon + 1 },
      ] satisfies Partial<CardQuery>[])
        same(await listed(b, query), [], `tasks for ${JSON.stringify(query)}`);
      same(
        await listed(b, { statuses: ['done'], lane: 'audit', dead: true }),
        [task],
        'tasks for the latest card',
      );
    },
  },
];

const pages: readonly Case<Bench>[] = [
  {
    id: 'CA2',
    title: 'pages of any size, in both orders, give every task once, also those opened at the same moment',
    run: async ({ a, b }) => {
      const all = await crowd(a);
      const times = new Map(numbers(10).map((n) => [sampleTask(n), Math.floor(n / 4)]));
      for (const limit of [1, 2, 3, 5, 9, 10, 11]) {
        same(await paged(b, { limit }), all, `the newest first in pages of ${limit}`);
        const oldest = await paged(b, { limit, oldestFirst: true });
        same(oldest.toSorted(), all.toSorted(), `the oldest first in pages of ${limit}`);
        const order = oldest.map((task) => times.get(task) ?? 0);
        same(
          order,
          order.toSorted((one, two) => one - two),
          `the order of the oldest first in pages of ${limit}`,
        );
      }
    },
  },
  {
    id: 'CA2',
    title: 'the last page has no cursor, even if it is full',
    run: async ({ a }) => {
      same(await a.catalog.list({ limit: 5 }), { cards: [], next: undefined }, 'the page of an empty store');
      await crowd(a);
      for (const limit of [10, 11]) {
        const page = await a.catalog.list({ limit });
        same([page.cards.length, page.next], [10, undefined], `ten tasks in a page of ${limit}`);
      }
      const first = await a.catalog.list({ limit: 5 });
      check(first.next !== undefined, 'the first of two pages has no cursor');
      const second = await a.catalog.list({ limit: 5, cursor: first.next });
      same([second.cards.length, second.next], [5, undefined], 'the second of two full pages');
    },
  },
  {
    id: 'CA2',
    title: 'filtered pages give every task that fits once',
    run: async ({ a, b }) => {
      const all = await crowd(a);
      const held = new Set([1, 3, 5, 7, 9].map(sampleTask));
      for (const limit of [1, 2, 3]) {
        const found = await paged(b, { limit, statuses: ['held'] });
        same(
          found,
          all.filter((task) => held.has(task)),
          `held tasks in pages of ${limit}`,
        );
      }
    },
  },
  {
    id: 'CA2',
    title: 'a cursor works on another connection, and after closing and opening again',
    run: async ({ a, b, reopen }) => {
      const all = await crowd(a);
      const first = await a.catalog.list({ limit: 4 });
      const cursor = first.next ?? '';
      const there = await b.catalog.list({ limit: 100, cursor });
      same([...tasksOf(first.cards), ...tasksOf(there.cards)], all, 'both pages');
      const later = await (await reopen()).catalog.list({ limit: 100, cursor });
      same(tasksOf(later.cards), tasksOf(there.cards), 'the second page after opening again');
    },
  },
  {
    id: 'CA2',
    title: 'tasks that did not change are listed once although others come, change and go between pages',
    run: async ({ a, b }) => {
      for (const oldestFirst of [false, true]) {
        const all = await crowd(a);
        const touched = new Set<TaskId>();
        const found = await paged(a, { limit: 2, oldestFirst }, async (page, index) => {
          const came = sampleTask(100 + index);
          await openTask(b, came, { openedAt: noon + (index % 4) });
          touched.add(came);
          for (const { task, seq, openedAt } of page) {
            // The cursor points at the last one: it must not need it.
            const last = task === page.at(-1)?.task;
            const card = sampleCard(task, { openedAt, seq: seq + 1, status: 'done' });
            if (last) await b.journal.remove(task, seq, 0);
            else await appendAll(b, sampleAppend(task, seq + 1, { card }));
            touched.add(task);
          }
        });
        const calm = all.filter((task) => !touched.has(task));
        for (const task of calm)
          same(found.filter((one) => one === task).length, 1, 'how often a calm task was listed');
        for (const task of await listed(b)) {
          const seq = (await b.journal.head(task))?.seq ?? 0;
          await b.journal.remove(task, seq, 0);
        }
      }
    },
  },
];

const resolving: readonly Case<Bench>[] = [
  {
    id: 'CA3',
    title: 'resolve returns the ids that begin with the text, in ascending order, up to the limit',
    run: async ({ a, b }) => {
      const ids: TaskId[] = [
        'tabd000000001',
        'tabc000000002',
        'tb00000000003',
        'tabc000000001',
        'tzzzzzzzzzzzz',
      ];
      for (const id of ids) await openTask(a, id);
      const resolve = async (text: string, limit = 10): Promise<readonly string[]> =>
        await b.catalog.resolve(text, limit);
      same(await resolve('tabc'), ['tabc000000001', 'tabc000000002'], 'a beginning of two');
      same(await resolve('tab'), ['tabc000000001', 'tabc000000002', 'tabd000000001'], 'a beginning of three');
      same(await resolve('tab', 2), ['tabc000000001', 'tabc000000002'], 'the first two of three');
      same(await resolve('tb00000000003'), ['tb00000000003'], 'a whole id');
      same(await resolve('tz'), ['tzzzzzzzzzzzz'], 'the last id');
      same(await resolve(''), ids.toSorted(), 'no text');
      same(await resolve('tx'), [], 'a beginning of none');
      same(await resolve('abc'), [], 'the middle of an id');
    },
  },
  {
    id: 'CA3',
    title: 'resolve takes the text as it is: no wildcards, no other case, nothing longer',
    run: async ({ a, b }) => {
      await openTask(a, 'tabc000000001');
      for (const text of [
        '%',
        't%',
        't_bc',
        't*',
        't?bc',
        'TABC',
        'tABC',
        't[a-z]',
        'tabc000000001x',
        ' t',
        "t'",
      ])
        same(await b.catalog.resolve(text, 10), [], `ids that begin with ${text}`);
    },
  },
];

export const catalogCases: readonly Case<Bench>[] = [...cards, ...filters, ...pages, ...resolving];
