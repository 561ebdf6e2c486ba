import { tick } from '../../src/conformance/case.ts';
import { broken, without, type BrokenStore } from './broken.ts';

export const brokenAdoptions: readonly BrokenStore[] = [
  broken('JS16', 'adopt says that it did and does nothing', () => () => ({
    journal: { adopt: async () => ({ stored: true }) },
  })),
  broken('JS16', 'adopt does not look at the head', (world) => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        const last = world.tasks.get(adoption.task)?.entries.at(-1);
        const after = last === undefined ? null : { seq: last.seq, digest: last.digest };
        return await journal.adopt({ ...adoption, after });
      },
    },
  })),
  broken('JS16', 'adopt does not look at the digest of the head', (world) => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        const last = world.tasks.get(adoption.task)?.entries.at(-1);
        const same = last !== undefined && last.seq === adoption.after?.seq;
        return await journal.adopt(
          same ? { ...adoption, after: { seq: last.seq, digest: last.digest } } : adoption,
        );
      },
    },
  })),
  broken('JS16', 'adopt drops keys', () => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        const entries = adoption.entries.map((entry) => without(entry, 'key'));
        return await journal.adopt({ ...adoption, entries });
      },
    },
  })),
  broken('JS16', 'adopt loses the lease', () => ({ journal }) => ({
    journal: { adopt: async (adoption) => await journal.adopt({ ...adoption, lease: null }) },
  })),
  broken('JS16', 'adopt leaves the hints where they are', (world) => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        const hints = [...world.hints];
        const outcome = await journal.adopt(adoption);
        for (const [key, hint] of hints) world.hints.set(key, hint);
        return outcome;
      },
    },
  })),
  broken('JS16', 'adopt takes hints out even where it is refused', (world) => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        world.hints.clear();
        return await journal.adopt(adoption);
      },
    },
  })),
  broken('JS16', 'adopt stores one entry after the other', () => ({ journal }) => ({
    journal: {
      async adopt(adoption) {
        let { after } = adoption;
        let outcome = await journal.adopt({ ...adoption, entries: adoption.entries.slice(0, 1) });
        for (const entry of adoption.entries.slice(0, 1)) after = { seq: entry.seq, digest: entry.digest };
        for (const entry of adoption.entries.slice(1)) {
          if (!outcome.stored) return outcome;
          await tick();
          outcome = await journal.adopt({ ...adoption, after, entries: [entry] });
          after = { seq: entry.seq, digest: entry.digest };
        }
        return outcome;
      },
    },
  })),
  broken('JS16', 'adopt without entries does nothing', () => ({ journal }) => ({
    journal: {
      adopt: async (adoption) =>
        adoption.entries.length === 0 ? { stored: true } : await journal.adopt(adoption),
    },
  })),
  broken('JS17', 'remove does not look at the lease', () => ({ journal }) => ({
    journal: { remove: async (task, seq, at) => await journal.remove(task, seq, at) },
  })),
  broken('JS17', 'remove takes no lease named for none in force', () => ({ journal }) => ({
    journal: { remove: async (task, seq, at, lease) => await journal.remove(task, seq, at, lease ?? null) },
  })),
];
