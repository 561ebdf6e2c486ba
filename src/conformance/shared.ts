/** What stores need that many machines share. The others keep these sentences by not having it. */
import { digestOf } from '../core/journal/digest.ts';
import { isStaffettaError } from '../core/base/error.ts';
import type { Card } from '../core/task/card.ts';
import type { Append } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import type { Bench } from './bench.ts';
import { check, same, sameBytes, type Case } from './case.ts';
import { noise, noon, numbers, prose, sampleAppend, sampleCard, sampleTask, appendAll } from './sample.ts';

const task = sampleTask(1);

async function outcomeOf(store: Store, append: Append): Promise<'stored' | 'refused' | 'unknown'> {
  try {
    return (await store.journal.append(append)).stored ? 'stored' : 'refused';
  } catch (error) {
    if (isStaffettaError(error, 'outcome-unknown')) return 'unknown';
    throw error;
  }
}

const lost: readonly Case<Bench>[] = [
  {
    id: 'JS19',
    title: 'an append whose answer is lost is stored once, and nobody is told that it was refused',
    run: async ({ a, lossy }) => {
      const { store, lose } = (await lossy()) ?? {};
      if (store === undefined) return;
      for (const seq of numbers(4)) {
        const append = sampleAppend(task, seq, { key: `key ${seq}`, blobs: [prose(100 + seq)] });
        lose?.();
        const told = await outcomeOf(store, append);
        check(told !== 'refused', 'it was told that its own entry was in the way');
        const there = (await a.journal.read(task, seq, 10)).map(({ digest }) => digest);
        if (told === 'stored') same(there, [append.digest], 'what is stored');
        else if (there.length === 0) await appendAll(a, append);
      }
      same((await a.journal.keys(task)).length, 4, 'keys');
    },
  },
  {
    id: 'JS19',
    title: 'an append that was refused, and whose answer is lost, is not called stored',
    run: async ({ a, lossy }) => {
      const { store, lose } = (await lossy()) ?? {};
      if (store === undefined) return;
      const first = sampleAppend(task, 0);
      await appendAll(a, first);
      lose?.();
      const told = await outcomeOf(store, sampleAppend(task, 0, { body: '{"rival":1}' }));
      check(told !== 'stored', 'it was told that its entry is stored');
      same((await a.journal.head(task))?.digest, first.digest, 'the entry in that place');
    },
  },
];

const overlappingMsMax = 10_000;

const overlapping: readonly Case<Bench>[] = [
  {
    id: 'ST2',
    title: 'sixty-four writes that overlap on one connection all end, though each may need several turns',
    run: async ({ a, b }) => {
      const writes = numbers(64).map(
        async (n) => await appendAll(a, sampleAppend(sampleTask(n + 1), 0, { blobs: [prose(n + 1)] })),
      );
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('they wait for each other')), overlappingMsMax);
      try {
        await Promise.race([Promise.all(writes), late.promise]);
      } finally {
        clearTimeout(timer);
      }
      same((await b.catalog.list({ limit: 100 })).cards.length, 64, 'tasks');
    },
  },
  {
    id: 'BS6',
    title: 'of many removals that are under way, none takes what was put again before it came to that',
    run: async ({ a, b }) => {
      const blobs = numbers(16).map((n) => noise(600, n + 1));
      for (const bytes of blobs) await a.blobs.put(bytes, noon);
      const sweeping = blobs.map(async (bytes) => await a.blobs.remove(digestOf(bytes), noon + 5));
      for (const bytes of blobs) await b.blobs.put(bytes, noon + 10);
      await Promise.all(sweeping);
      for (const bytes of blobs)
        sameBytes(await a.blobs.get(digestOf(bytes)), bytes, 'a blob that was put during a sweep');
    },
  },
  {
    id: 'ST7',
    title:
      'of many that ask for a turn one gets it, and the next when it is over; other names have turns of their own',
    run: async ({ a, b }) => {
      if (a.upkeep.turn === undefined) return;
      const asked = async (now: number, name = 'recover'): Promise<number> =>
        (
          await Promise.all([a, b, a, b].map(async ({ upkeep }) => await upkeep.turn?.(name, now, 1000)))
        ).filter(Boolean).length;
      same(await asked(noon), 1, 'turns at first');
      same(await asked(noon + 999), 0, 'turns before the first is over');
      same(await asked(noon, 'sweep'), 1, 'turns of another name');
      same(await asked(noon + 1000), 1, 'turns when it is over');
    },
  },
];

/** An offer to somebody; with a hint, or without one as after a crash. */
function offer(n: number, over: Partial<Append> = {}, card: Partial<Card> = {}): Append {
  const id = sampleTask(n);
  return sampleAppend(id, over.seq ?? 0, {
    card: sampleCard(id, { status: 'offered', to: 'anyone', lane: 'execute', ...card }),
    ...over,
  });
}

const unhinted: readonly Case<Bench>[] = [
  {
    id: 'CA2',
    title: 'offerBefore keeps offers that ended earlier by their own terms, as they stand now',
    run: async ({ a, b }) => {
      await appendAll(a, offer(1, {}, { expiresAt: noon }));
      await appendAll(a, offer(2, {}, { expiresAt: noon + 5 }));
      await appendAll(a, offer(3, {}, { expiresAt: null }));
      const ended = async (offerBefore: number): Promise<readonly string[]> => {
        const { cards } = await b.catalog.list({ statuses: ['offered'], offerBefore, limit: 10 });
        return cards.map(({ task: id }) => id).toSorted();
      };
      const [first, second] = [sampleTask(1), sampleTask(2)];
      same(await ended(noon), [], 'at the very end of the first');
      same(await ended(noon + 1), [first], 'just after the end of the first');
      same(await ended(noon + 10), [first, second].toSorted(), 'after the end of both');
      await appendAll(a, offer(1, { seq: 1 }, { expiresAt: noon + 20, seq: 1 }));
      same(await ended(noon + 10), [second], 'after one was made to last longer');
    },
  },
  {
    id: 'CA8',
    title: 'offers without a hint are found, page by page; those that wait, are held or have one are not',
    run: async ({ a, b }) => {
      if (a.catalog.unhinted === undefined) return;
      same(await a.catalog.unhinted(undefined, 10), [], 'those of an empty store');
      const lostOnes = numbers(5).map((n) => sampleTask(n + 1));
      for (const n of numbers(5))
        await appendAll(a, offer(n + 1, {}, { status: n % 2 === 0 ? 'offered' : 'rework' }));
      const send = { to: 'anyone', task: sampleTask(11), offer: 1, due: noon } as const;
      await appendAll(a, offer(11, { hint: { send } }));
      await appendAll(a, offer(12, { waits: [{ need: task, watched: true }] }, { status: 'offered' }));
      await appendAll(a, offer(13, {}, { status: 'held', to: null, holder: 'ada' }));
      const wanted = lostOnes.toSorted();
      same(await b.catalog.unhinted?.(undefined, 10), wanted, 'offers without a hint');
      same(await b.catalog.unhinted?.(undefined, 2), wanted.slice(0, 2), 'the first two');
      same(await b.catalog.unhinted?.(wanted[1], 2), wanted.slice(2, 4), 'the next two');
      await a.mailbox.send({ ...send, task: wanted[0] ?? task });
      same(await b.catalog.unhinted?.(undefined, 10), wanted.slice(1), 'after one was sent again');
    },
  },
];

const grants: readonly Case<Bench>[] = [
  {
    id: 'GK1',
    title: 'what is put last under a hash is found under it on every connection, and nowhere else',
    run: async ({ a, b, reopen }) => {
      if (a.grants === undefined) return;
      await a.grants.put('aa', 'one');
      same(await b.grants?.get('aa'), 'one', 'the text on the other connection');
      await b.grants?.put('aa', 'two \u2028 "quoted"');
      same(await a.grants.get('aa'), 'two \u2028 "quoted"', 'the text that was put last');
      same(await a.grants.get('AA'), undefined, 'the text under another hash');
      same(await (await reopen()).grants?.get('aa'), 'two \u2028 "quoted"', 'the text after a new start');
    },
  },
  {
    id: 'GK2',
    title: 'what is removed is gone for everybody at once, and a second removal says so',
    run: async ({ a, b }) => {
      if (a.grants === undefined) return;
      for (const hash of ['aa', 'bb']) await a.grants.put(hash, hash);
      same(await a.grants.get('aa'), 'aa', 'the text before');
      same(await b.grants?.get('aa'), 'aa', 'the text before, on the other connection');
      same(await b.grants?.remove('aa'), true, 'the removal');
      same(await a.grants.get('aa'), undefined, 'the text after');
      same(await a.grants.remove('aa'), false, 'the second removal');
      same(await a.grants.get('bb'), 'bb', 'the other text');
    },
  },
  {
    id: 'GK3',
    title: 'all hashes are listed, in ascending order',
    run: async ({ a, b }) => {
      if (a.grants === undefined) return;
      same(await a.grants.hashes(), [], 'those of an empty store');
      for (const hash of ['cc', 'aa', 'bb']) await a.grants.put(hash, hash);
      same(await b.grants?.hashes(), ['aa', 'bb', 'cc'], 'the hashes');
    },
  },
];

export const sharedCases: readonly Case<Bench>[] = [...lost, ...overlapping, ...unhinted, ...grants];
