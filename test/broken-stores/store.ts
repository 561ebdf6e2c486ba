import { tick } from '../../src/conformance/case.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import type { Head, Store } from '../../src/ports/index.ts';
import { openMemoryStore } from '../../src/stores/memory/open.ts';
import { broken, type BrokenStore } from './broken.ts';

export const brokenConnections: readonly BrokenStore[] = [
  broken('ST1', 'a connection sees the heads as they were when it was opened', (world) => () => {
    const then = openMemoryStore(structuredClone(world));
    return { journal: { head: async (task) => await then.journal.head(task) } };
  }),
  broken('ST1', 'a connection lists the tasks as they were when it was opened', (world) => () => {
    const then = openMemoryStore(structuredClone(world));
    return { catalog: { list: async (query) => await then.catalog.list(query) } };
  }),
  broken('ST1', 'a renewal is seen on its own connection only', () => ({ journal }) => {
    const leases = new Map<string, Head['lease']>();
    return {
      journal: {
        async renew(task, generation, until) {
          leases.set(task, { generation, until });
          return until;
        },
        async head(task) {
          const head = await journal.head(task);
          return head && { ...head, lease: leases.get(task) ?? head.lease };
        },
      },
    };
  }),
  broken('ST1', 'a put returns before the bytes are there', (world) => () => ({
    blobs: {
      async put(bytes, at) {
        const digest = digestOf(bytes);
        setImmediate(() => world.blobs.set(digest, { bytes, putAt: at }));
        return digest;
      },
    },
  })),
  broken('ST1', 'settle returns before the hint is gone', (world) => () => ({
    mailbox: {
      async settle() {
        setImmediate(() => world.hints.clear());
      },
    },
  })),
  broken(
    'ST2',
    'a call is refused while another is under way on the connection',
    () =>
      ({ journal, blobs }) => {
        const state = { busy: false };
        const alone = async <T>(call: () => Promise<T>): Promise<T> => {
          if (state.busy) throw new Error('cannot start a transaction within a transaction');
          state.busy = true;
          await tick();
          state.busy = false;
          return await call();
        };
        return {
          journal: { append: async (append) => await alone(async () => await journal.append(append)) },
          blobs: { put: async (bytes, at) => await alone(async () => await blobs.put(bytes, at)) },
        };
      },
  ),
  broken(
    'ST2',
    'overlapping appends on a connection all return the outcome of the first',
    () =>
      ({ journal }) => {
        const first: { outcome?: ReturnType<typeof journal.append> } = {};
        return {
          journal: {
            async append(append) {
              first.outcome ??= journal.append(append);
              const outcome = await first.outcome;
              await tick();
              delete first.outcome;
              return outcome;
            },
          },
        };
      },
  ),
  broken('ST3', 'close does nothing', () => () => ({ close: async () => {} })),
  broken('ST3', 'after close blobs can still be read', (world) => () => ({
    blobs: { get: async (digest) => world.blobs.get(digest)?.bytes.slice() },
  })),
  broken('ST3', 'closing again is an error', () => (store) => {
    const state = { closed: false };
    return {
      close: async () => {
        if (state.closed) throw new Error('The database is not open.');
        state.closed = true;
        await store.close();
      },
    };
  }),
  broken('ST3', 'close closes all connections', () => {
    const connections: Store[] = [];
    return (store) => {
      connections.push(store);
      return {
        close: async () => {
          for (const connection of connections) await connection.close();
        },
      };
    };
  }),
  broken('ST4', 'check takes a removal for a loss', (world) => () => ({
    upkeep: {
      check: async () =>
        world.feed.length === world.position
          ? []
          : [{ kind: 'completeness' as const, text: 'Entries are missing.' }],
    },
  })),
  broken('ST5', 'every connection has a secret of its own', () => () => {
    const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
    return { upkeep: { secret: async () => secret } };
  }),
  broken('ST5', 'the secret is the same everywhere, and no secret', () => () => ({
    upkeep: { secret: async () => new Uint8Array(32) },
  })),
  broken('ST6', 'whatever is not there was removed', (world) => () => ({
    upkeep: { removed: async (task: TaskId) => !world.tasks.has(task) },
  })),
  broken('ST6', 'nothing was ever removed', () => () => ({ upkeep: { removed: async () => false } })),
  broken('ST6', 'what was removed once is removed for ever', (world) => () => ({
    upkeep: { removed: async (task: TaskId) => world.removed.has(task) },
  })),
];
