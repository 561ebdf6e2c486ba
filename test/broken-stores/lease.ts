import { tick } from '../../src/conformance/case.ts';
import type { LeaseChange } from '../../src/ports/index.ts';
import { broken, without, type BrokenStore, type Spoil } from './broken.ts';

/** An append that changes the lease in its own way. */
const changing =
  (change: (lease: LeaseChange, until: number | undefined) => LeaseChange): Spoil =>
  () =>
  ({ journal }) => ({
    journal: {
      async append(append) {
        const lease = (await journal.head(append.task))?.lease;
        return await journal.append({ ...append, lease: change(append.lease, lease?.until) });
      },
    },
  });

export const brokenLeases: readonly BrokenStore[] = [
  broken('JS9', 'renew moves nothing', () => () => ({ journal: { renew: async (_, __, until) => until } })),
  broken('JS9', 'renew sets the time it is given, earlier or later', (world) => () => ({
    journal: {
      async renew(task, generation, until) {
        const found = world.tasks.get(task);
        if (found?.lease?.generation !== generation) return null;
        found.lease = { generation, until };
        return until;
      },
    },
  })),
  broken('JS9', 'renew does not look at the generation', () => ({ journal }) => ({
    journal: {
      async renew(task, _, until) {
        const lease = (await journal.head(task))?.lease;
        return await journal.renew(task, lease?.generation ?? 0, until);
      },
    },
  })),
  broken('JS9', 'renew gives a lease to a task that has none', (world) => ({ journal }) => ({
    journal: {
      async renew(task, generation, until) {
        const found = world.tasks.get(task);
        if (found !== undefined) found.lease ??= { generation, until };
        return await journal.renew(task, generation, until);
      },
    },
  })),
  broken('JS9', 'renew renews all tasks', (world) => ({ journal }) => ({
    journal: {
      async renew(task, generation, until) {
        for (const other of world.tasks.keys()) await journal.renew(other, generation, until);
        return await journal.renew(task, generation, until);
      },
    },
  })),
  broken('JS9', 'renew reads, waits, and then writes', (world) => () => ({
    journal: {
      async renew(task, generation, until) {
        const found = world.tasks.get(task);
        if (found?.lease?.generation !== generation) return null;
        const latest = Math.max(found.lease.until, until);
        await tick();
        found.lease = { generation, until: latest };
        return latest;
      },
    },
  })),
  broken('JS10', 'ifLease is not looked at', () => ({ journal }) => ({
    journal: {
      append: async (append) => await journal.append(without(append, 'ifLease')),
    },
  })),
  broken('JS10', 'ifLease looks at the generation only', () => ({ journal }) => ({
    journal: {
      async append({ ifLease, ...append }) {
        const head = await journal.head(append.task);
        if (ifLease !== undefined && head?.lease?.generation !== ifLease.generation)
          return { stored: false, head };
        return await journal.append(append);
      },
    },
  })),
  broken('JS10', 'an append with ifLease is always refused', () => ({ journal }) => ({
    journal: {
      append: async (append) =>
        append.ifLease === undefined
          ? await journal.append(append)
          : { stored: false, head: await journal.head(append.task) },
    },
  })),
  broken('JS10', 'ifLease is checked, and then the append waits', () => ({ journal }) => ({
    journal: {
      async append({ ifLease, ...append }) {
        const head = await journal.head(append.task);
        const fits = head?.lease?.generation === ifLease?.generation && head?.lease?.until === ifLease?.until;
        if (ifLease !== undefined && !fits) return { stored: false, head };
        await tick();
        return await journal.append(append);
      },
    },
  })),
  broken(
    'JS11',
    'a new lease never ends before the one it replaces',
    changing((lease, until = 0) =>
      'set' in lease ? { set: { ...lease.set, until: Math.max(lease.set.until, until) } } : lease,
    ),
  ),
  broken(
    'JS11',
    'an append that clears the lease keeps it',
    changing((lease) => ('clear' in lease ? { keepUntil: 0 } : lease)),
  ),
  broken(
    'JS11',
    'an append that keeps the lease does not extend it',
    changing((lease) => ('keepUntil' in lease ? { keepUntil: 0 } : lease)),
  ),
  broken(
    'JS11',
    'an append that keeps the lease shortens it',
    changing((lease, until) =>
      'keepUntil' in lease && until !== undefined
        ? { set: { generation: 1, until: lease.keepUntil } }
        : lease,
    ),
  ),
  broken(
    'JS11',
    'an append that keeps the lease makes one where there is none',
    changing((lease, until) =>
      'keepUntil' in lease && until === undefined
        ? { set: { generation: 0, until: lease.keepUntil } }
        : lease,
    ),
  ),
  broken('JS11', 'a slow renewal revives the lease of a former generation', (world) => ({ journal }) => ({
    journal: {
      async renew(task, generation, until) {
        const renewed = await journal.renew(task, generation, until);
        await tick();
        const found = world.tasks.get(task);
        if (found !== undefined && renewed !== null) found.lease = { generation, until: renewed };
        return renewed;
      },
    },
  })),
];
