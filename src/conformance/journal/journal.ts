import { digestOf } from '../../core/journal/digest.ts';
import type { Append, Appended } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, tick, watching, type Case } from '../case.ts';
import {
  entryOf,
  appendSome,
  headAfter,
  noise,
  noon,
  numbers,
  prose,
  sampleAppend,
  sampleCard,
  sampleTask,
  appendAll,
} from '../sample.ts';

const task = sampleTask(1);
const other = sampleTask(2);

function checkRefused(outcome: Appended, head: unknown, what: string): void {
  check(!outcome.stored, `${what} was stored`);
  same(outcome.head, head, `the head shown when ${what} was refused`);
}

async function entries(store: Store, from = 0, limit = 1000): Promise<unknown> {
  return (await store.journal.read(task, from, limit)).map(entryOf);
}

/** Appends like a verb does: at the head, again and again until it is stored. */
async function insist(store: Store, make: (seq: number) => Append): Promise<Append> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const append = make(((await store.journal.head(task))?.seq ?? -1) + 1);
    if ((await store.journal.append(append)).stored) return append;
    await tick();
  }
  throw new Error('an append at the head was refused 1000 times');
}

/** Eight appends of one seq at once, half of them on each connection. */
async function race({ a, b }: Bench, seq: number): Promise<Append> {
  const rivals = numbers(8).map((n) => sampleAppend(task, seq, { body: `{"rival":${n}}` }));
  const outcomes = await Promise.all(
    rivals.map(async (append, n) => await (n % 2 === 0 ? a : b).journal.append(append)),
  );
  const winners = rivals.filter((_, n) => outcomes[n]?.stored === true);
  same(winners.length, 1, 'appends stored of eight');
  const [winner] = winners;
  check(winner !== undefined, 'nobody won');
  for (const outcome of outcomes)
    if (!outcome.stored) same(outcome.head, headAfter(winner), 'the head shown to a loser');
  for (const store of [a, b]) {
    same(await entries(store, seq), [entryOf(winner)], 'what is stored');
    same(await store.journal.head(task), headAfter(winner), 'the head');
  }
  return winner;
}

/** What an append brings besides its entry, and whether it is there. */
async function isWhole(store: Store, append: Append): Promise<boolean> {
  const found = await store.journal.find(task, append.key ?? '');
  const [blob] = append.blobs ?? [];
  const bytes = blob && (await store.blobs.get(digestOf(blob)));
  return found?.digest === append.digest && bytes !== undefined;
}

export const journalCases: readonly Case<Bench>[] = [
  {
    id: 'JS1',
    title: 'entries are stored at seq 0 and then one after another',
    run: async ({ a, b }) => {
      for (const seq of numbers(5)) {
        const append = sampleAppend(task, seq);
        same(await a.journal.append(append), { stored: true }, `the append of seq ${seq}`);
        same((await b.journal.head(task))?.seq, seq, 'the head on the other connection');
      }
    },
  },
  {
    id: 'JS1',
    title: 'a first entry is refused at any seq but 0',
    run: async ({ a, b }) => {
      for (const seq of [1, 2, 1000])
        checkRefused(
          await a.journal.append(sampleAppend(task, seq)),
          undefined,
          `a first entry at seq ${seq}`,
        );
      same(await b.journal.head(task), undefined, 'the head after the refusals');
      same(await entries(b), [], 'the entries after the refusals');
    },
  },
  {
    id: 'JS1',
    title: 'a second entry at seq 0 is refused with the head that is there',
    run: async ({ a, b }) => {
      const first = sampleAppend(task, 0, { lease: { set: { generation: 1, until: noon + 60_000 } } });
      await appendAll(a, first);
      const head = headAfter(first, { generation: 1, until: noon + 60_000 });
      checkRefused(
        await b.journal.append(sampleAppend(task, 0, { body: '{}' })),
        head,
        'a second first entry',
      );
      checkRefused(await a.journal.append(first), head, 'the same entry again');
      same(await entries(a), [entryOf(first)], 'the entries after the refusals');
    },
  },
  {
    id: 'JS1',
    title: 'an entry behind the head or beyond a gap is refused',
    run: async ({ a, b }) => {
      const there = await appendSome(a, task, 3);
      const last = there.at(-1);
      check(last !== undefined, 'no entry');
      for (const seq of [0, 1, 2, 4, 7])
        checkRefused(
          await b.journal.append(sampleAppend(task, seq, { body: '{"late":true}' })),
          headAfter(last),
          `seq ${seq}`,
        );
      same(await entries(a), there.map(entryOf), 'the entries after the refusals');
    },
  },
  {
    id: 'JS1',
    title: 'a refused append leaves nothing of itself',
    run: async ({ a, b }) => {
      const lease = { generation: 1, until: noon + 1000 };
      const first = sampleAppend(task, 0, { lease: { set: lease } });
      await appendAll(a, first);
      const blob = prose(700);
      const late = sampleAppend(task, 0, {
        body: '{"late":true}',
        snapshot: 'late',
        card: sampleCard(task, { title: 'late', status: 'done' }),
        lease: { clear: true },
        key: 'late',
        blobs: [blob],
      });
      check(!(await b.journal.append(late)).stored, 'a late append was stored');
      same(await a.journal.head(task), headAfter(first, lease), 'the head');
      same(await a.journal.find(task, 'late'), undefined, 'the refused key');
      same(await a.blobs.get(digestOf(blob)), undefined, 'the refused blob');
      const { cards } = await a.catalog.list({ limit: 10 });
      same(cards, [{ ...first.card, leaseUntil: lease.until }], 'the card');
      same((await a.catalog.feed(0, 10)).length, 1, 'entries in the feed');
    },
  },
  {
    id: 'JS1',
    title: 'each task has its own order of entries',
    run: async ({ a, b }) => {
      const ours = await appendSome(a, task, 3);
      const theirs = await appendSome(b, other, 2);
      check(!(await a.journal.append(sampleAppend(other, 3))).stored, "one task's head let another jump");
      same(await entries(b), ours.map(entryOf), 'the first task');
      same((await a.journal.read(other, 0, 10)).map(entryOf), theirs.map(entryOf), 'the second task');
    },
  },
  {
    id: 'JS2',
    title: 'of eight concurrent first entries exactly one is stored',
    run: async (bench) => {
      await race(bench, 0);
    },
  },
  {
    id: 'JS2',
    title: 'of eight concurrent entries of a later seq exactly one is stored',
    run: async (bench) => {
      await appendAll(bench.a, sampleAppend(task, 0));
      for (const seq of [1, 2, 3, 4]) await race(bench, seq);
    },
  },
  {
    id: 'JS2',
    title: 'writers that try again on two connections lose no entry and get no seq twice',
    run: async ({ a, b }) => {
      const write = async (store: Store, name: string): Promise<string[]> => {
        const bodies = numbers(15).map((n) => `{"${name}":${n}}`);
        for (const body of bodies) await insist(store, (seq) => sampleAppend(task, seq, { body }));
        return bodies;
      };
      const [ours, theirs] = await Promise.all([write(a, 'a'), write(b, 'b')]);
      const read = await a.journal.read(task, 0, 1000);
      const seqs = read.map((entry) => entry.seq);
      same(seqs, numbers(30), 'the seqs');
      same(read.map((entry) => entry.body).toSorted(), [...ours, ...theirs].toSorted(), 'the bodies');
    },
  },
  {
    id: 'JS2',
    title: 'concurrent entries of different tasks do not get into one another’s way',
    run: async ({ a, b }) => {
      const firsts = numbers(8).map((n) => sampleAppend(sampleTask(100 + n), 0));
      const outcomes = await Promise.all(
        firsts.map(async (append, n) => await (n % 2 === 0 ? a : b).journal.append(append)),
      );
      check(
        outcomes.every((outcome) => outcome.stored),
        'an append was refused for the sake of another task',
      );
    },
  },
  {
    id: 'JS4',
    title: 'no one ever sees an entry without its head, key and blobs, or a head without its entry',
    run: async ({ a, b }) => {
      const appends = numbers(12).map((seq) =>
        sampleAppend(task, seq, { key: `key ${seq}`, blobs: [noise(64, seq + 1)] }),
      );
      const write = async (): Promise<void> => {
        for (const append of appends) {
          await appendAll(a, append);
          await tick();
        }
      };
      await watching([write()], async () => {
        const before = (await b.journal.head(task))?.seq ?? -1;
        const { length } = await b.journal.read(task, 0, 100);
        const after = (await b.journal.head(task))?.seq ?? -1;
        check(length > before, `the head was at ${before}, and then there were only ${length} entries`);
        check(after >= length - 1, `there were ${length} entries, and then the head was at ${after}`);
        for (const append of appends.slice(0, length))
          check(await isWhole(b, append), `entry ${append.seq} was there without its key or blob`);
      });
    },
  },
  {
    id: 'JS13',
    title: 'a second append with a key of the task is refused with the head, and changes nothing',
    run: async ({ a, b }) => {
      const first = sampleAppend(task, 0, { key: 'once' });
      const second = sampleAppend(task, 1, { key: 'twice' });
      await appendAll(a, first, second);
      const blob = prose(100);
      for (const key of ['once', 'twice']) {
        const again = sampleAppend(task, 2, { key, blobs: [blob], snapshot: 'again' });
        checkRefused(await b.journal.append(again), headAfter(second), `a second ${key}`);
      }
      same(await entries(a), [entryOf(first), entryOf(second)], 'the entries');
      same((await a.journal.find(task, 'once'))?.seq, 0, 'the entry with the key');
      same(await a.blobs.get(digestOf(blob)), undefined, 'the blob of the refused append');
    },
  },
  {
    id: 'JS13',
    title: 'of eight that insist on one key on two connections, exactly one is stored',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0));
      const outcomes = await Promise.all(
        numbers(8).map(async (n) => {
          const store = n % 2 === 0 ? a : b;
          const mine = { key: 'once', body: `{"by":${n}}` };
          const keyed = await store.journal.append(sampleAppend(task, 1, mine));
          if (keyed.stored) return true;
          // The loser goes on with something else, and then with the key again.
          const next = await insist(store, (seq) => sampleAppend(task, seq));
          return (await store.journal.append(sampleAppend(task, next.seq + 1, mine))).stored;
        }),
      );
      same(outcomes.filter(Boolean).length, 1, 'appends stored with the key');
      same((await b.journal.find(task, 'once'))?.seq, 1, 'the entry with the key');
    },
  },
  {
    id: 'JS13',
    title: 'a key taken in one task is free in another',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { key: 'shared' }));
      await appendAll(b, sampleAppend(other, 0, { key: 'shared' }));
      await appendAll(b, sampleAppend(other, 1, { key: 'shared too' }));
      await appendAll(a, sampleAppend(task, 1, { key: 'shared too' }));
    },
  },
];
