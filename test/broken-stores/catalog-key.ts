import type { TaskId } from '../../src/core/journal/id.ts';
import type { World } from '../../src/stores/memory/open.ts';
import { broken, type BrokenStore } from './broken.ts';

function withKey(world: World, fits: (key: string) => boolean): TaskId[] {
  return [...world.tasks].filter(([, { keys }]) => [...keys.keys()].some(fits)).map(([id]) => id);
}

export const brokenKeys: readonly BrokenStore[] = [
  broken('CA5', 'keyed returns tasks as they were opened', (world) => () => ({
    catalog: { keyed: async (key, limit) => withKey(world, (one) => one === key).slice(0, limit) },
  })),
  broken('CA5', 'keyed knows no limit', () => ({ catalog }) => ({
    catalog: { keyed: async (key) => await catalog.keyed(key, 1000) },
  })),
  broken('CA5', 'keyed knows no case', (world) => () => ({
    catalog: {
      keyed: async (key, limit) =>
        withKey(world, (one) => one.toLowerCase() === key.toLowerCase())
          .toSorted()
          .slice(0, limit),
    },
  })),
  broken('CA5', 'keyed remembers the keys of removed tasks', () => {
    const known = new Map<string, Set<TaskId>>();
    return ({ journal, catalog }) => ({
      journal: {
        async append(append) {
          const done = await journal.append(append);
          if (done.stored && append.key !== undefined)
            known.set(append.key, (known.get(append.key) ?? new Set()).add(append.task));
          return done;
        },
      },
      catalog: {
        keyed: async (key, limit) =>
          [...new Set([...(known.get(key) ?? []), ...(await catalog.keyed(key, limit))])]
            .toSorted()
            .slice(0, limit),
      },
    });
  }),
];
