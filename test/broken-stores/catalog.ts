import { tick } from '../../src/conformance/case.ts';
import type { Card } from '../../src/core/task/card.ts';
import type { CardPage, CardQuery, Catalog, FeedEntry } from '../../src/ports/index.ts';
import { broken, without, type BrokenStore, type Spoil } from './broken.ts';

/** A list that changes the query before, or the page after. */
const listing =
  (change: {
    readonly query?: (query: CardQuery) => CardQuery;
    readonly page?: (page: CardPage, query: CardQuery) => CardPage;
  }): Spoil =>
  () =>
  ({ catalog }) => ({
    catalog: {
      async list(query) {
        const page = await catalog.list(change.query?.(query) ?? query);
        return change.page?.(page, query) ?? page;
      },
    },
  });

/** All cards that fit, without pages. */
async function everything(catalog: Catalog, query: CardQuery): Promise<CardPage['cards']> {
  return (await catalog.list({ ...without(query, 'cursor'), limit: 1000 })).cards;
}

const cards: readonly BrokenStore[] = [
  broken('CA1', 'the card stays as it was at first', () => {
    const firsts = new Map<string, Card>();
    return ({ journal }) => ({
      journal: {
        async append(append) {
          const card = firsts.get(append.task) ?? append.card;
          firsts.set(append.task, card);
          return await journal.append({ ...append, card });
        },
      },
    });
  }),
  broken('CA2', 'for is not looked at', listing({ query: (query) => without(query, 'for') })),
  broken(
    'CA1',
    'titles are trimmed',
    listing({
      page: (page) => ({ ...page, cards: page.cards.map((card) => ({ ...card, title: card.title.trim() })) }),
    }),
  ),
  broken('CA1', 'the lease on the card does not follow renewals', (world) => ({ journal }) => {
    const leases = new Map<string, number | null>();
    return {
      journal: {
        async append(append) {
          const outcome = await journal.append(append);
          leases.set(append.task, world.tasks.get(append.task)?.lease?.until ?? null);
          return outcome;
        },
      },
      catalog: {
        list: async () => ({
          cards: [...world.tasks].map(([id, { card }]) => ({ ...card, leaseUntil: leases.get(id) ?? null })),
          next: undefined,
        }),
      },
    };
  }),
  broken(
    'CA1',
    'the list is in order of change',
    listing({
      page: (page) => ({ ...page, cards: page.cards.toSorted((one, two) => two.updatedAt - one.updatedAt) }),
    }),
  ),
  broken('CA1', 'the oldest are never first', listing({ query: (query) => without(query, 'oldestFirst') })),
];

const filters: readonly BrokenStore[] = [
  broken(
    'CA2',
    'of several statuses only the first counts',
    listing({
      query: (query) => (query.statuses ? { ...query, statuses: query.statuses.slice(0, 1) } : query),
    }),
  ),
  broken(
    'CA2',
    'no status is taken for any status',
    listing({
      query: ({ statuses, ...query }) =>
        statuses === undefined || statuses.length === 0 ? query : { ...query, statuses },
    }),
  ),
  broken(
    'CA2',
    'no lane is taken for any lane',
    listing({
      query: ({ lane, ...query }) => (lane === undefined || lane === null ? query : { ...query, lane }),
    }),
  ),
  broken('CA2', 'the holder is matched by its beginning', () => ({ catalog }) => ({
    catalog: {
      async list({ holder, ...query }) {
        const cards = (await everything(catalog, query)).filter(
          (card) => holder === undefined || card.holder?.startsWith(holder) === true,
        );
        return { cards, next: undefined };
      },
    },
  })),
  broken(
    'CA2',
    'whether a task is dead is not looked at',
    listing({ query: (query) => without(query, 'dead') }),
  ),
  broken(
    'CA2',
    'a lease counts as ended in the moment it ends',
    listing({
      query: (query) =>
        query.leaseBefore === undefined ? query : { ...query, leaseBefore: query.leaseBefore + 1 },
    }),
  ),
  broken(
    'CA2',
    'when offers end is not looked at',
    listing({ query: (query) => without(query, 'offerBefore') }),
  ),
  broken(
    'CA2',
    'an offer counts as expired in the moment it ends',
    listing({
      query: (query) =>
        query.offerBefore === undefined ? query : { ...query, offerBefore: query.offerBefore + 1 },
    }),
  ),
  broken('CA2', 'a task without a lease counts as lapsed', () => ({ catalog }) => ({
    catalog: {
      async list({ leaseBefore = Infinity, ...query }) {
        const cards = await everything(catalog, query);
        return { cards: cards.filter((card) => (card.leaseUntil ?? 0) < leaseBefore), next: undefined };
      },
    },
  })),
  broken(
    'CA2',
    'with a lane, other filters are forgotten',
    listing({
      query: (query) => (query.lane === undefined ? query : { lane: query.lane, limit: query.limit }),
    }),
  ),
  broken('CA2', 'filters look at the card a task began with', () => {
    const firsts = new Map<string, Card>();
    return ({ journal, catalog }) => ({
      journal: {
        async append(append) {
          if (append.seq === 0) firsts.set(append.task, append.card);
          return await journal.append(append);
        },
      },
      catalog: {
        async list({ statuses, ...query }) {
          const cards = (await everything(catalog, query)).filter((card) =>
            statuses === undefined ? true : statuses.includes(firsts.get(card.task)?.status ?? 'open'),
          );
          return { cards, next: undefined };
        },
      },
    });
  }),
];

const pages: readonly BrokenStore[] = [
  broken('CA2', 'a page begins after all that were opened in the same moment', () => ({ catalog }) => ({
    catalog: {
      async list(query) {
        const sign = query.oldestFirst === true ? 1 : -1;
        const from = query.cursor === undefined ? -Infinity : Number(query.cursor);
        const cards = (await everything(catalog, query)).filter((card) => sign * card.openedAt > from);
        const page = cards.slice(0, query.limit);
        const last = sign * (page.at(-1)?.openedAt ?? 0);
        return { cards: page, next: cards.length > query.limit ? String(last) : undefined };
      },
    },
  })),
  broken('CA2', 'a page begins after as many tasks as were shown', () => ({ catalog }) => ({
    catalog: {
      async list(query) {
        const from = Number(query.cursor ?? 0);
        const cards = await everything(catalog, query);
        const to = from + query.limit;
        return { cards: cards.slice(from, to), next: to < cards.length ? String(to) : undefined };
      },
    },
  })),
  broken('CA2', 'pages are cut first and filtered then', () => ({ catalog }) => ({
    catalog: {
      async list({ statuses, ...query }) {
        const { cards, next } = await catalog.list({ ...query, limit: query.limit + 1 });
        const fit = cards.filter((card) => statuses?.includes(card.status) ?? true);
        return { cards: fit.slice(0, query.limit), next };
      },
    },
  })),
  broken('CA2', 'a full page always has a next one', () => ({ catalog }) => ({
    catalog: {
      async list({ cursor, ...query }) {
        if (cursor === 'end') return { cards: [], next: undefined };
        const page = await catalog.list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        return page.cards.length < query.limit ? page : { ...page, next: page.next ?? 'end' };
      },
    },
  })),
  broken('CA2', 'a cursor is known only to the connection that gave it', () => ({ catalog }) => {
    const cursors = new Map<string, string>();
    return {
      catalog: {
        async list({ cursor, ...query }) {
          const known = cursors.get(cursor ?? '');
          const page = await catalog.list({ ...query, ...(known === undefined ? {} : { cursor: known }) });
          if (page.next === undefined) return page;
          cursors.set(`c${cursors.size}`, page.next);
          return { ...page, next: `c${cursors.size - 1}` };
        },
      },
    };
  }),
];

const resolving: readonly BrokenStore[] = [
  broken('CA3', 'resolve finds the text anywhere', (world) => () => ({
    catalog: {
      resolve: async (text, limit) =>
        [...world.tasks.keys()]
          .filter((id) => id.includes(text))
          .toSorted()
          .slice(0, limit),
    },
  })),
  broken('CA3', 'resolve returns ids as they were opened', (world) => () => ({
    catalog: {
      resolve: async (text, limit) =>
        [...world.tasks.keys()].filter((id) => id.startsWith(text)).slice(0, limit),
    },
  })),
  broken('CA3', 'resolve knows no limit', () => ({ catalog }) => ({
    catalog: { resolve: async (text) => await catalog.resolve(text, 1000) },
  })),
  broken('CA3', 'resolve knows wildcards and no case', (world) => () => ({
    catalog: {
      async resolve(text, limit) {
        const pattern = new RegExp(
          `^${text
            .replace(/[^\w%]/g, '\\$&')
            .replace(/_/g, '.')
            .replace(/%/g, '.*')}`,
          'i',
        );
        return [...world.tasks.keys()]
          .filter((id) => pattern.test(id))
          .toSorted()
          .slice(0, limit);
      },
    },
  })),
];

const feeding: readonly BrokenStore[] = [
  broken('CA4', 'the feed goes task by task', (world) => () => ({
    catalog: {
      feed: async (after, limit) =>
        [...world.tasks.values()]
          .flatMap((task) => task.entries)
          .filter((entry) => entry.position > after)
          .slice(0, limit),
    },
  })),
  broken('CA4', 'the feed begins with what was seen last', () => ({ catalog }) => ({
    catalog: { feed: async (after, limit) => await catalog.feed(Math.max(0, after - 1), limit) },
  })),
  broken('CA4', 'the feed knows no limit', () => ({ catalog }) => ({
    catalog: { feed: async (after) => await catalog.feed(after, 1000) },
  })),
  broken('CA4', 'positions are counted anew after a removal', (world) => () => ({
    catalog: {
      feed: async (after, limit) =>
        world.feed.map((entry, n) => ({ ...entry, position: n + 1 })).slice(after, after + limit),
    },
  })),
  broken('CA4', 'an entry gets its position before it becomes visible', (world) => {
    const coming = new Set<FeedEntry>();
    let connections = 0;
    return ({ journal }) => {
      connections += 1;
      const slow = connections === 1;
      return {
        journal: {
          async append(append) {
            const outcome = await journal.append(append);
            const entry = world.feed.at(-1);
            if (!slow || entry === undefined || !outcome.stored) return outcome;
            coming.add(entry);
            await tick();
            await tick();
            coming.delete(entry);
            return outcome;
          },
        },
        catalog: {
          feed: async (after, limit) =>
            world.feed.filter((entry) => entry.position > after && !coming.has(entry)).slice(0, limit),
        },
      };
    };
  }),
  broken('CA4', 'a refused append shows in the feed', (world) => ({ journal }) => ({
    journal: {
      async append(append) {
        const outcome = await journal.append(append);
        if (outcome.stored) return outcome;
        world.position += 1;
        world.feed.push({ ...append, position: world.position });
        return outcome;
      },
    },
  })),
];

export const brokenCatalogs: readonly BrokenStore[] = [
  ...cards,
  ...filters,
  ...pages,
  ...resolving,
  ...feeding,
];
