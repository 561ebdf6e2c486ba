import { memoryScratch } from '../../src/stores/memory/scratch.ts';
import { pause, tick } from '../../src/conformance/case.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import type { Append, Appended, GrantKeeper, Store } from '../../src/ports/index.ts';
import { broken, instead, type BrokenStore } from './broken.ts';

/** One whose answer was lost does something else than to look. */
function losing(how: string, answer: (store: Store, append: Append) => Promise<Appended>): BrokenStore {
  return {
    breaks: 'JS19',
    how,
    openScratch: async () => {
      const scratch = memoryScratch();
      return {
        ...scratch,
        lossy: async () => {
          const store = await scratch.connect();
          const state = { loses: false };
          const append = async (given: Append): Promise<Appended> => {
            const outcome = await store.journal.append(given);
            if (!state.loses) return outcome;
            state.loses = false;
            return await answer(store, given);
          };
          return {
            store: { ...store, journal: instead(store.journal, { append }) },
            lose: () => void (state.loses = true),
          };
        },
      };
    },
  };
}

/** So many calls at a time; a call that asks for a second place while all are taken waits for ever. */
const places = 20;

const overlapping: readonly BrokenStore[] = [
  broken('ST2', 'a call holds its place while it waits for another', () => ({ journal }) => {
    const waiting: (() => void)[] = [];
    let free = places;
    const enter = async (): Promise<void> => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
    };
    const leave = (): void => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
    return {
      journal: {
        async append(append) {
          await enter();
          await tick();
          await enter();
          const outcome = await journal.append(append);
          leave();
          leave();
          return outcome;
        },
      },
    };
  }),
  broken('BS6', 'a sweep decides for all it finds, and deletes when it comes to them', (world) => () => ({
    blobs: {
      async remove(digest, before) {
        const doomed = (world.blobs.get(digest)?.putAt ?? Infinity) < before;
        await pause(20);
        return doomed && world.blobs.delete(digest);
      },
    },
  })),
];

type Turn = NonNullable<Store['upkeep']['turn']>;

/** Right, but for what is wrong with it. */
function turns(wrong: { readonly always?: true; readonly never?: true; readonly one?: true }): Turn {
  const until = new Map<string, number>();
  return async (given, now, ms) => {
    const name = wrong.one === true ? '' : given;
    if (wrong.always !== true && (until.get(name) ?? 0) > (wrong.never === true ? 0 : now)) return false;
    until.set(name, now + ms);
    return true;
  };
}

const taking = (how: string, wrong: Parameters<typeof turns>[0]): BrokenStore =>
  broken('ST7', how, () => {
    const turn = turns(wrong);
    return () => ({ upkeep: { turn } });
  });

type Unhinted = NonNullable<Store['catalog']['unhinted']>;

const finding = (how: string, spoil: (store: Store, all: Unhinted) => Unhinted): BrokenStore =>
  broken('CA8', how, () => (store) => {
    const all: Unhinted = async (after, limit) => (await store.catalog.unhinted?.(after, limit)) ?? [];
    return { catalog: { unhinted: spoil(store, all) } };
  });

const anyOffer: (store: Store) => Promise<TaskId[]> = async ({ catalog }) =>
  (await catalog.list({ statuses: ['offered', 'rework'], limit: 100 })).cards
    .map(({ task }) => task)
    .toSorted();

const unhinted: readonly BrokenStore[] = [
  finding(
    'all offers are named',
    (store) => async (after, limit) =>
      (await anyOffer(store)).filter((id) => after === undefined || id > after).slice(0, limit),
  ),
  finding('every page is the first', (_, all) => async (_after, limit) => await all(undefined, limit)),
  finding('the last comes first', (_, all) => async (after, limit) => (await all(after, limit)).toReversed()),
  finding('nobody is ever missed', () => async () => []),
];

const granting = (
  breaks: string,
  how: string,
  spoil: (texts: Map<string, string>, right: GrantKeeper) => Partial<GrantKeeper>,
): BrokenStore =>
  broken(breaks, how, () => {
    const texts = new Map<string, string>();
    const right: GrantKeeper = {
      put: async (hash, text) => void texts.set(hash, text),
      get: async (hash) => texts.get(hash),
      remove: async (hash) => texts.delete(hash),
      hashes: async () => [...texts.keys()].toSorted(),
    };
    return () => ({ grants: { ...right, ...spoil(texts, right) } });
  });

const grants: readonly BrokenStore[] = [
  granting('GK1', 'the first text stays', (texts) => ({
    put: async (hash, text) => void (texts.has(hash) || texts.set(hash, text)),
  })),
  granting('GK1', 'small letters and large are the same', (texts) => ({
    get: async (hash) => texts.get(hash.toLowerCase()),
  })),
  granting('GK2', 'a connection remembers what it has found', (texts) => {
    const known = new Map<string, string | undefined>();
    return {
      async get(hash) {
        if (!known.has(hash)) known.set(hash, texts.get(hash));
        return known.get(hash);
      },
    };
  }),
  granting('GK2', 'a removal always says that it did', (texts) => ({
    remove: async (hash) => texts.delete(hash) || true,
  })),
  granting('GK3', 'hashes come as they were put', (texts) => ({ hashes: async () => [...texts.keys()] })),
];

export const brokenShared: readonly BrokenStore[] = [
  losing(
    'a second try finds its own entry in the way',
    async (store, append) => await store.journal.append(append),
  ),
  losing('what was lost is called stored', async () => ({ stored: true })),
  ...overlapping,
  taking('everybody has the turn', { always: true }),
  taking('a turn is never over', { never: true }),
  taking('all names are one', { one: true }),
  ...unhinted,
  ...grants,
];
