import type { Wait } from '../../src/core/task/waits.ts';
import type { Append, Waiting, WaitQuery } from '../../src/ports/index.ts';
import { broken, without, type BrokenStore, type Spoil } from './broken.ts';

/** Appends that name something else than they were given. */
const naming =
  (change: (append: Append) => Append): Spoil =>
  () =>
  ({ journal }) => ({
    journal: { append: async (append) => await journal.append(change(append)) },
  });

/** Waits that change the query before, or the answer after. */
const asking =
  (change: {
    readonly query?: (query: WaitQuery) => WaitQuery;
    readonly page?: (page: readonly Waiting[], query: WaitQuery) => readonly Waiting[];
  }): Spoil =>
  () =>
  ({ catalog }) => ({
    catalog: {
      async waits(query) {
        const page = await catalog.waits(change.query?.(query) ?? query);
        return change.page?.(page, query) ?? page;
      },
    },
  });

function watching(append: Append, watched: boolean): Append {
  return { ...append, waits: (append.waits ?? []).map(({ need }): Wait => ({ need, watched })) };
}

const who: readonly BrokenStore[] = [
  broken(
    'CA6',
    'of several needs only the first is kept',
    naming((append) => ({ ...append, waits: (append.waits ?? []).slice(0, 1) })),
  ),
  broken(
    'CA6',
    'waits are in order of task',
    asking({ page: (page) => page.toSorted((x, y) => (x.task < y.task ? -1 : 1)) }),
  ),
  broken('CA6', 'waits knows no limit', asking({ query: (query) => ({ ...query, limit: 1000 }) })),
  broken(
    'CA6',
    'a page of waits begins with the next need',
    asking({
      page: (page, { after }) => page.filter(({ need }) => after === undefined || need > after.need),
    }),
  ),
  broken('CA6', 'what was waited for once is waited for still', () => {
    const known = new Map<string, Waiting>();
    return ({ journal, catalog }) => ({
      journal: {
        async append(append) {
          const done = await journal.append(append);
          for (const { need } of done.stored ? (append.waits ?? []) : [])
            known.set(`${need} ${append.task}`, { need, task: append.task });
          return done;
        },
      },
      catalog: {
        waits: async (query) =>
          query.over === true
            ? await catalog.waits(query)
            : [...known].toSorted(([x], [y]) => (x < y ? -1 : 1)).map(([, wait]) => wait),
      },
    });
  }),
  broken('CA6', 'an adoption leaves the waits as they were', (world) => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        const waits = world.tasks.get(adoption.task)?.waits ?? [];
        const adopted = await journal.adopt(adoption);
        Object.assign(world.tasks.get(adoption.task) ?? {}, { waits });
        return adopted;
      },
    },
  })),
];

const over: readonly BrokenStore[] = [
  broken(
    'CA7',
    'no wait is ever over',
    asking({ page: (page, { over: asked }) => (asked === true ? [] : page) }),
  ),
  broken('CA7', 'every wait is over', asking({ query: (query) => without(query, 'over') })),
  broken(
    'CA7',
    'a need that is done is over for all',
    naming((append) => watching(append, true)),
  ),
  broken(
    'CA7',
    'a need that is done is over for none',
    naming((append) => watching(append, false)),
  ),
  broken('CA7', 'a need that is not here is over', (world) => ({ catalog }) => ({
    catalog: {
      async waits({ over: asked, ...query }) {
        const gone = (await catalog.waits(query)).filter(({ need }) => !world.tasks.has(need));
        const page = await catalog.waits({ ...query, ...(asked === true ? { over: true } : {}) });
        return asked === true ? [...page, ...gone] : page;
      },
    },
  })),
];

export const brokenWaits: readonly BrokenStore[] = [
  ...who,
  ...over,
  broken('CA2', 'whether a task waits is not looked at', () => ({ catalog }) => ({
    catalog: { list: async (query) => await catalog.list(without(query, 'waitsForNone')) },
  })),
];
