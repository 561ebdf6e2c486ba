import type { Append, Head, Lease, LeaseChange } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, tick, type Case } from '../case.ts';
import { headAfter, noon, numbers, sampleAppend, sampleTask, appendAll } from '../sample.ts';

const task = sampleTask(1);
const until = noon + 60_000;
const first: Lease = { generation: 1, until };

async function leaseOf(store: Store): Promise<Head['lease'] | undefined> {
  return (await store.journal.head(task))?.lease;
}

/** A task whose first entry gave the first lease. */
async function openLeased(store: Store): Promise<Append> {
  const append = sampleAppend(task, 0, { lease: { set: first } });
  await appendAll(store, append);
  return append;
}

async function then(store: Store, seq: number, lease: LeaseChange): Promise<void> {
  await appendAll(store, sampleAppend(task, seq, { lease }));
}

const renewing: readonly Case<Bench>[] = [
  {
    id: 'JS9',
    title: 'renew moves the lease on, and everybody sees it',
    run: async ({ a, b }) => {
      await openLeased(a);
      for (const more of [1, 5000, 90_000]) {
        same(await b.journal.renew(task, 1, until + more), until + more, 'what renew returned');
        same(await leaseOf(a), { generation: 1, until: until + more }, 'the lease in force');
      }
    },
  },
  {
    id: 'JS9',
    title: 'renew never moves the lease back',
    run: async ({ a, b }) => {
      await openLeased(a);
      await b.journal.renew(task, 1, until + 10);
      for (const earlier of [until + 10, until, 0]) {
        same(await a.journal.renew(task, 1, earlier), until + 10, `what renew until ${earlier} returned`);
        same(await leaseOf(b), { generation: 1, until: until + 10 }, 'the lease in force');
      }
    },
  },
  {
    id: 'JS9',
    title: 'renew of another generation returns null and changes nothing',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { lease: { set: { generation: 2, until } } }));
      for (const generation of [0, 1, 3]) {
        same(await b.journal.renew(task, generation, until + 10), null, `renew of generation ${generation}`);
        same(await leaseOf(a), { generation: 2, until }, 'the lease in force');
      }
    },
  },
  {
    id: 'JS9',
    title: 'renew returns null where there is no lease, or no task',
    run: async ({ a, b }) => {
      same(await a.journal.renew(task, 1, until), null, 'renew of a task that is not there');
      same(await a.journal.renew(task, 0, until), null, 'renew of a task that is not there');
      await openLeased(a);
      await then(a, 1, { clear: true });
      for (const generation of [0, 1])
        same(await b.journal.renew(task, generation, until), null, 'renew after the lease was cleared');
      same(await leaseOf(a), null, 'the lease');
    },
  },
  {
    id: 'JS9',
    title: 'a former holder cannot renew the lease of the next',
    run: async ({ a, b }) => {
      await openLeased(a);
      await then(b, 1, { set: { generation: 2, until } });
      same(await a.journal.renew(task, 1, until + 10), null, 'what renew returned to the former holder');
      same(await leaseOf(a), { generation: 2, until }, 'the lease in force');
      same(await b.journal.renew(task, 2, until + 20), until + 20, 'what renew returned to the holder');
    },
  },
  {
    id: 'JS9',
    title: 'renew leaves the head, the entries and other tasks as they are',
    run: async ({ a, b }) => {
      const append = await openLeased(a);
      await appendAll(a, sampleAppend(sampleTask(2), 0, { lease: { set: first } }));
      await b.journal.renew(task, 1, until + 10);
      same(await a.journal.head(task), headAfter(append, { generation: 1, until: until + 10 }), 'the head');
      same((await a.journal.read(task, 0, 10)).length, 1, 'entries');
      same((await a.journal.head(sampleTask(2)))?.lease, first, "the other task's lease");
      await then(a, 1, { keepUntil: 0 });
    },
  },
  {
    id: 'JS9',
    title: 'of concurrent renewals on two connections the latest stays',
    run: async ({ a, b }) => {
      await openLeased(a);
      const asked = [7, 3, 8, 1, 6, 2, 5, 4].map((n) => until + n);
      const given = await Promise.all(
        asked.map(async (time, n) => await (n % 2 === 0 ? a : b).journal.renew(task, 1, time)),
      );
      for (const [n, time] of asked.entries())
        check((given[n] ?? 0) >= time, `asked until ${time}, got ${given[n]}`);
      same(await leaseOf(b), { generation: 1, until: until + 8 }, 'the lease in force');
    },
  },
];

const conditional: readonly Case<Bench>[] = [
  {
    id: 'JS10',
    title: 'an append with ifLease is stored while exactly that lease is in force',
    run: async ({ a, b }) => {
      await openLeased(a);
      await appendAll(b, sampleAppend(task, 1, { ifLease: first, lease: { keepUntil: until + 5 } }));
      await appendAll(a, sampleAppend(task, 2, { ifLease: { generation: 1, until: until + 5 } }));
    },
  },
  {
    id: 'JS10',
    title: 'a lapse does not overtake a renewal',
    run: async ({ a, b }) => {
      const append = await openLeased(a);
      await a.journal.renew(task, 1, until + 1);
      const outcome = await b.journal.append(sampleAppend(task, 1, { ifLease: first }));
      check(!outcome.stored, 'the lapse was stored');
      same(outcome.head, headAfter(append, { generation: 1, until: until + 1 }), 'the head shown');
      same(await leaseOf(a), { generation: 1, until: until + 1 }, 'the lease in force');
      same((await a.journal.read(task, 0, 10)).length, 1, 'entries');
    },
  },
  {
    id: 'JS10',
    title: 'an append with ifLease is refused if the generation or the time is another, or there is no lease',
    run: async ({ a, b }) => {
      await openLeased(a);
      for (const ifLease of [
        { generation: 2, until },
        { generation: 0, until },
        { generation: 1, until: until + 1 },
        { generation: 1, until: until - 1 },
      ]) {
        const { stored } = await b.journal.append(sampleAppend(task, 1, { ifLease }));
        check(!stored, `stored although ${JSON.stringify(ifLease)} was not in force`);
      }
      await then(a, 1, { clear: true });
      check(
        !(await b.journal.append(sampleAppend(task, 2, { ifLease: first }))).stored,
        'stored without lease',
      );
      const fresh = sampleAppend(sampleTask(2), 0, { ifLease: first });
      same(await b.journal.append(fresh), { stored: false, head: undefined }, 'a first entry with ifLease');
    },
  },
  {
    id: 'JS10',
    title: 'of a renewal and a lapse at the same time exactly one happens',
    run: async ({ a, b }) => {
      for (const n of numbers(12)) {
        const id = sampleTask(10 + n);
        await appendAll(a, sampleAppend(id, 0, { lease: { set: first } }));
        const renew = async (): Promise<boolean> => (await a.journal.renew(id, 1, until + 9)) !== null;
        const lapse = async (): Promise<boolean> =>
          (await b.journal.append(sampleAppend(id, 1, { ifLease: first, lease: { clear: true } }))).stored;
        const [one, two] = await Promise.all(n % 2 === 0 ? [renew(), lapse()] : [lapse(), renew()]);
        check(one !== two, one ? 'a lapse and a renewal both happened' : 'neither happened');
      }
    },
  },
];

const changing: readonly Case<Bench>[] = [
  {
    id: 'JS11',
    title: 'an append that sets a lease replaces the one before, even with an earlier end',
    run: async ({ a, b }) => {
      await openLeased(a);
      for (const [n, lease] of [
        { generation: 2, until: until + 1000 },
        { generation: 3, until: noon },
        { generation: 3, until: noon - 1 },
      ].entries()) {
        await then(b, n + 1, { set: lease });
        same(await leaseOf(a), lease, 'the lease in force');
      }
    },
  },
  {
    id: 'JS11',
    title: 'an append that clears the lease leaves none',
    run: async ({ a, b }) => {
      await openLeased(a);
      await then(b, 1, { clear: true });
      same(await leaseOf(a), null, 'the lease');
      const { cards } = await a.catalog.list({ limit: 1 });
      same(cards[0]?.leaseUntil, null, 'the lease on the card');
    },
  },
  {
    id: 'JS11',
    title: 'an append that keeps the lease extends it to the given time, and keeps its generation',
    run: async ({ a, b }) => {
      await openLeased(a);
      await then(b, 1, { keepUntil: until + 7 });
      same(await leaseOf(a), { generation: 1, until: until + 7 }, 'the lease in force');
    },
  },
  {
    id: 'JS11',
    title: 'an append that keeps the lease never shortens it, nor takes back a renewal',
    run: async ({ a, b }) => {
      await openLeased(a);
      await then(b, 1, { keepUntil: until - 5 });
      same(await leaseOf(a), first, 'the lease in force');
      await a.journal.renew(task, 1, until + 100);
      await then(b, 2, { keepUntil: 0 });
      await then(b, 3, { keepUntil: until + 50 });
      same(await leaseOf(a), { generation: 1, until: until + 100 }, 'the lease after a renewal');
    },
  },
  {
    id: 'JS11',
    title: 'keeping where there is no lease leaves none',
    run: async ({ a, b }) => {
      await then(a, 0, { keepUntil: until });
      same(await leaseOf(b), null, 'the lease after a first entry that keeps');
      await then(b, 1, { set: first });
      await then(b, 2, { clear: true });
      await then(b, 3, { keepUntil: until });
      same(await leaseOf(a), null, 'the lease after clearing and keeping');
    },
  },
  {
    id: 'JS11',
    title: 'a renewal while another connection appends neither gets lost nor outlives its generation',
    run: async ({ a, b }) => {
      await openLeased(a);
      const renew = async (): Promise<void> => {
        for (const n of numbers(10)) {
          await a.journal.renew(task, 1, until + n);
          await tick();
        }
      };
      const append = async (): Promise<void> => {
        for (const n of numbers(10)) {
          await then(b, n + 1, { keepUntil: noon });
          await tick();
        }
      };
      await Promise.all([renew(), append()]);
      same(await leaseOf(b), { generation: 1, until: until + 9 }, 'the lease after the renewals');
      const next = { generation: 2, until: noon };
      await Promise.all([a.journal.renew(task, 1, until + 99), then(b, 11, { set: next })]);
      same(await leaseOf(a), next, 'the lease of the next generation');
    },
  },
];

export const journalLeaseCases: readonly Case<Bench>[] = [...renewing, ...conditional, ...changing];
