import { tick } from '../../src/conformance/case.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import type { Append, Head, JournalStore } from '../../src/ports/index.ts';
import { broken, without, type BrokenStore } from './broken.ts';

function plain(key: string): string {
  return key.normalize('NFC').toLowerCase().trim();
}

const appending: readonly BrokenStore[] = [
  broken('JS1', 'append acknowledges and stores nothing', () => () => ({
    journal: { append: async () => ({ stored: true }) },
  })),
  broken('JS1', 'append takes any seq for the next', () => ({ journal }) => ({
    journal: {
      async append(append) {
        const head = await journal.head(append.task);
        return await journal.append({ ...append, seq: (head?.seq ?? -1) + 1 });
      },
    },
  })),
  broken('JS1', 'a refusal does not show the head', () => ({ journal }) => ({
    journal: {
      async append(append) {
        const outcome = await journal.append(append);
        return outcome.stored ? outcome : { stored: false, head: undefined };
      },
    },
  })),
  broken('JS1', 'a refused append leaves its blobs behind', () => ({ journal, blobs }) => ({
    journal: {
      async append(append) {
        for (const blob of append.blobs ?? []) await blobs.put(blob, append.at);
        return await journal.append(append);
      },
    },
  })),
  broken('JS2', 'append checks, waits, and then overwrites', () => ({ journal }) => ({
    journal: {
      async append(append) {
        const head = await journal.head(append.task);
        if ((head?.seq ?? -1) !== append.seq - 1) return { stored: false, head };
        await tick();
        await journal.append(append);
        return { stored: true };
      },
    },
  })),
  broken('JS2', 'while one task is written, all others are refused', () => {
    const state = { busy: false };
    return ({ journal }) => ({
      journal: {
        async append(append) {
          if (state.busy) return { stored: false, head: await journal.head(append.task) };
          state.busy = true;
          await tick();
          state.busy = false;
          return await journal.append(append);
        },
      },
    });
  }),
  broken('JS4', 'the key follows after the entry', (world) => ({ journal }) => ({
    journal: {
      async append(append) {
        const outcome = await journal.append(without(append, 'key'));
        await tick();
        if (outcome.stored && append.key !== undefined)
          world.tasks.get(append.task)?.keys.set(append.key, append.seq);
        return outcome;
      },
    },
  })),
  broken('JS4', 'the blobs follow after the entry', () => ({ journal, blobs }) => ({
    journal: {
      async append(append) {
        const outcome = await journal.append(without(append, 'blobs'));
        await tick();
        for (const blob of append.blobs ?? []) await blobs.put(blob, append.at);
        return outcome;
      },
    },
  })),
  broken('JS4', 'the head moves before the entry is there', () => {
    const coming = new Map<string, Append>();
    return ({ journal }) => ({
      journal: {
        async append(append) {
          coming.set(append.task, append);
          await tick();
          coming.delete(append.task);
          return await journal.append(append);
        },
        async head(task) {
          const append = coming.get(task);
          return append === undefined ? await journal.head(task) : { ...append, lease: null };
        },
      },
    });
  }),
];

const keyed: readonly BrokenStore[] = [
  broken('JS13', 'a key is taken over by the entry that uses it next', (world) => ({ journal }) => ({
    journal: {
      async append(append) {
        const outcome = await journal.append(without(append, 'key'));
        if (outcome.stored && append.key !== undefined)
          world.tasks.get(append.task)?.keys.set(append.key, append.seq);
        return outcome;
      },
    },
  })),
  broken('JS13', 'a key is taken in all tasks once it is taken in one', (world) => ({ journal }) => ({
    journal: {
      async append(append) {
        const taken = [...world.tasks.values()].some(({ keys }) => keys.has(append.key ?? ''));
        if (taken) return { stored: false, head: await journal.head(append.task) };
        return await journal.append(append);
      },
    },
  })),
  broken('JS13', 'an append with a known key is acknowledged as if it were stored', () => ({ journal }) => ({
    journal: {
      async append(append) {
        const known = await journal.find(append.task, append.key ?? '');
        return known === undefined ? await journal.append(append) : { stored: true };
      },
    },
  })),
];

const durable: readonly BrokenStore[] = [
  broken('JS3', 'close loses the tasks', (world) => () => ({ close: async () => world.tasks.clear() })),
  broken('JS3', 'close loses the keys', (world) => () => ({
    close: async () => {
      for (const { keys } of world.tasks.values()) keys.clear();
    },
  })),
  broken('JS3', 'close loses the leases', (world) => () => ({
    close: async () => {
      for (const task of world.tasks.values()) task.lease = null;
    },
  })),
  broken('JS3', 'close loses the blobs', (world) => () => ({ close: async () => world.blobs.clear() })),
];

const reading: readonly BrokenStore[] = [
  broken('JS5', 'the blobs of an append are forgotten', () => ({ journal }) => ({
    journal: { append: async (append) => await journal.append(without(append, 'blobs')) },
  })),
  broken('JS5', 'an append is refused if one of its blobs is there already', () => ({ journal, blobs }) => ({
    journal: {
      async append(append) {
        const there = (await blobs.list(undefined, 1)).length > 0 && append.blobs !== undefined;
        return there
          ? { stored: false, head: await journal.head(append.task) }
          : await journal.append(append);
      },
    },
  })),
  broken('JS6', 'read always starts at the beginning', () => ({ journal }) => ({
    journal: { read: async (task, _, limit) => await journal.read(task, 0, limit) },
  })),
  broken('JS6', 'read returns one entry too many', () => ({ journal }) => ({
    journal: { read: async (task, from, limit) => await journal.read(task, from, limit + 1) },
  })),
  broken('JS6', 'read returns the latest first', () => ({ journal }) => ({
    journal: { read: async (task, from, limit) => (await journal.read(task, from, limit)).toReversed() },
  })),
  broken('JS6', 'read leaves out every tenth entry', () => ({ journal }) => ({
    journal: {
      read: async (task, from, limit) =>
        (await journal.read(task, from, limit)).filter(({ seq }) => seq % 10 !== 9),
    },
  })),
  broken('JS6', 'read returns entries of all tasks', (world) => () => ({
    journal: { read: async (_, from, limit) => world.feed.slice(from, from + limit) },
  })),
  broken('JS6', 'bodies are composed to one Unicode form', () => ({ journal }) => ({
    journal: {
      append: async (append) => await journal.append({ ...append, body: append.body.normalize('NFC') }),
    },
  })),
  broken('JS6', 'bodies are cut at 64 KiB', () => ({ journal }) => ({
    journal: {
      append: async (append) => await journal.append({ ...append, body: append.body.slice(0, 65_536) }),
    },
  })),
  broken('JS7', 'find looks at the latest entry only', () => ({ journal }) => ({
    journal: {
      async find(task, key) {
        const found = await journal.find(task, key);
        return found?.seq === (await journal.head(task))?.seq ? found : undefined;
      },
    },
  })),
  broken('JS7', 'find looks into all tasks', (world) => () => ({
    journal: {
      async find(_, key) {
        const task = [...world.tasks.values()].findLast(({ keys }) => keys.has(key));
        return task?.entries[task.keys.get(key) ?? -1];
      },
    },
  })),
  broken('JS7', 'find takes no notice of case and spaces', (world) => () => ({
    journal: {
      async find(task, wanted) {
        const found = world.tasks.get(task);
        const [, seq] = [...(found?.keys ?? [])].find(([key]) => plain(key) === plain(wanted)) ?? [];
        return found?.entries[seq ?? -1];
      },
    },
  })),
  broken('JS18', 'keys leaves out the latest one', () => ({ journal }) => ({
    journal: { keys: async (task) => (await journal.keys(task)).slice(0, -1) },
  })),
  broken('JS18', 'keys remembers what was removed', () => {
    const seen = new Map<string, Awaited<ReturnType<JournalStore['keys']>>>();
    return ({ journal }) => ({
      journal: {
        async remove(task, ...rest) {
          seen.set(task, await journal.keys(task));
          return await journal.remove(task, ...rest);
        },
        keys: async (task) => seen.get(task) ?? (await journal.keys(task)),
      },
    });
  }),
  broken('JS18', 'keys lists those of all tasks', (world) => ({ journal }) => ({
    journal: {
      keys: async () =>
        (await Promise.all([...world.tasks.keys()].map(async (each) => await journal.keys(each)))).flat(),
    },
  })),
  broken('JS8', 'a connection remembers the head it saw first', () => ({ journal }) => {
    const seen = new Map<string, Head>();
    return {
      journal: {
        async head(task) {
          const head = seen.get(task) ?? (await journal.head(task));
          if (head !== undefined) seen.set(task, head);
          return head;
        },
      },
    };
  }),
  broken('JS8', 'the snapshot is trimmed', () => ({ journal }) => ({
    journal: {
      append: async (append) => await journal.append({ ...append, snapshot: append.snapshot.trim() }),
    },
  })),
];

const hinting: readonly BrokenStore[] = [
  broken('JS14', 'the hint of an append is forgotten', () => ({ journal }) => ({
    journal: { append: async (append) => await journal.append(without(append, 'hint')) },
  })),
  broken('JS14', 'the hint of an append is due at once', () => ({ journal }) => ({
    journal: {
      async append(append) {
        if (append.hint === undefined || 'clear' in append.hint) return await journal.append(append);
        return await journal.append({ ...append, hint: { send: { ...append.hint.send, due: 0 } } });
      },
    },
  })),
  broken('JS14', 'the hint is sent before the append is decided', () => ({ journal, mailbox }) => ({
    journal: {
      async append(append) {
        if (append.hint !== undefined && 'send' in append.hint) await mailbox.send(append.hint.send);
        return await journal.append(append);
      },
    },
  })),
  broken('JS14', 'close loses the hints', (world) => () => ({ close: async () => world.hints.clear() })),
  broken('JS15', 'earlier hints of the task stay', () => ({ journal, mailbox }) => ({
    journal: {
      async append(append) {
        const outcome = await journal.append(without(append, 'hint'));
        if (outcome.stored && append.hint !== undefined && 'send' in append.hint)
          await mailbox.send(append.hint.send);
        return outcome;
      },
    },
  })),
  broken('JS15', 'clearing the hints of one task clears those of all', (world) => ({ journal }) => ({
    journal: {
      async append(append) {
        if (append.hint !== undefined && 'clear' in append.hint) world.hints.clear();
        return await journal.append(append);
      },
    },
  })),
  broken('JS15', 'every append clears the hints', () => ({ journal }) => ({
    journal: { append: async (append) => await journal.append({ hint: { clear: true }, ...append }) },
  })),
];

const large: readonly BrokenStore[] = [
  broken('BS8', 'the smaller blobs of a refused append are stored', () => ({ journal, blobs }) => ({
    journal: {
      async append(append) {
        try {
          return await journal.append(append);
        } catch (error) {
          if (isStaffettaError(error, 'too-large'))
            for (const blob of append.blobs ?? []) if (blob.length < 1000) await blobs.put(blob, append.at);
          throw error;
        }
      },
    },
  })),
];

export const brokenJournals: readonly BrokenStore[] = [
  ...appending,
  ...keyed,
  ...durable,
  ...reading,
  ...hinting,
  ...large,
];
