import { tick } from '../../src/conformance/case.ts';
import type { FeedEntry } from '../../src/ports/index.ts';
import { broken, type BrokenStore } from './broken.ts';

export const brokenRemovals: readonly BrokenStore[] = [
  broken('JS12', 'remove says that it did and does nothing', () => () => ({
    journal: { remove: async () => true },
  })),
  broken('JS12', 'remove does not look at the seq', () => ({ journal }) => ({
    journal: {
      async remove(task, _seq, at) {
        const head = await journal.head(task);
        return head !== undefined && (await journal.remove(task, head.seq, at));
      },
    },
  })),
  broken('JS12', 'remove says that it did, whether or not', () => ({ journal }) => ({
    journal: {
      async remove(task, seq, at) {
        await journal.remove(task, seq, at);
        return true;
      },
    },
  })),
  broken('JS12', 'remove says that it did not, whether or not', () => ({ journal }) => ({
    journal: {
      async remove(task, seq, at) {
        await journal.remove(task, seq, at);
        return false;
      },
    },
  })),
  broken('JS12', 'the entries of a removed task stay in the feed', (world) => ({ journal }) => {
    const gone: FeedEntry[] = [];
    return {
      journal: {
        async remove(task, seq, at) {
          gone.push(...(world.tasks.get(task)?.entries ?? []));
          return await journal.remove(task, seq, at);
        },
      },
      catalog: { feed: async (after, limit) => [...gone, ...world.feed].slice(after, after + limit) },
    };
  }),
  broken('JS12', 'the keys of a removed task come back with it', (world) => {
    const keys = new Map<string, Map<string, number>>();
    return ({ journal }) => ({
      journal: {
        async append(append) {
          const outcome = await journal.append(append);
          const now = world.tasks.get(append.task)?.keys;
          for (const [key, seq] of keys.get(append.task) ?? []) now?.set(key, seq);
          return outcome;
        },
        async remove(task, seq, at) {
          keys.set(task, world.tasks.get(task)?.keys ?? new Map<string, number>());
          return await journal.remove(task, seq, at);
        },
      },
    });
  }),
  broken('JS12', 'remove takes all blobs with it', (world) => ({ journal }) => ({
    journal: {
      async remove(task, seq, at) {
        world.blobs.clear();
        return await journal.remove(task, seq, at);
      },
    },
  })),
  broken('JS12', 'remove takes the same keys of other tasks with it', (world) => ({ journal }) => ({
    journal: {
      async remove(task, seq, at) {
        for (const other of world.tasks.values()) other.keys.clear();
        return await journal.remove(task, seq, at);
      },
    },
  })),
  broken('JS12', 'close brings removed tasks back', (world) => {
    const undo: (() => void)[] = [];
    return (store) => ({
      journal: {
        async remove(task, seq, at) {
          const found = world.tasks.get(task);
          const removed = await store.journal.remove(task, seq, at);
          if (removed && found !== undefined) undo.push(() => world.tasks.set(task, found));
          return removed;
        },
      },
      close: async () => {
        for (const one of undo.splice(0)) one();
        await store.close();
      },
    });
  }),
  broken('JS12', 'remove checks, waits, and then deletes', (world) => ({ journal }) => ({
    journal: {
      async remove(task, seq) {
        if ((await journal.head(task))?.seq !== seq) return false;
        await tick();
        world.tasks.delete(task);
        return true;
      },
    },
  })),
];
