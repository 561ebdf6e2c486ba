import { digestOf } from '../../core/journal/digest.ts';
import { limits } from '../../core/base/limits.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, sameBytes, type Case } from '../case.ts';
import {
  entryOf,
  appendSome,
  headAfter,
  noise,
  noon,
  numbers,
  oddTexts,
  prose,
  sampleAppend,
  sampleTask,
  appendAll,
} from '../sample.ts';

const task = sampleTask(1);
const other = sampleTask(2);

/** Keys that a careless comparison takes for one another. */
const oddKeys = [
  '1',
  '01',
  '1.0',
  'a',
  'A',
  'a ',
  ' a',
  'a%',
  'a_',
  "a'",
  'é',
  'e\u0301',
  '👩‍👧',
  'k'.repeat(200),
];

async function entries(store: Store, from = 0, limit = 1000): Promise<unknown> {
  return (await store.journal.read(task, from, limit)).map(entryOf);
}

export const journalReadCases: readonly Case<Bench>[] = [
  {
    id: 'JS3',
    title: 'entry, head, snapshot, card, lease, key and blobs are there after closing and opening again',
    run: async ({ a, b, reopen }) => {
      const blob = prose(5000);
      await appendAll(a, sampleAppend(task, 0));
      const last = sampleAppend(task, 1, {
        snapshot: oddTexts.join('\n'),
        lease: { set: { generation: 3, until: noon + 60_000 } },
        key: 'kept',
        blobs: [blob],
      });
      await appendAll(b, last);
      const again = await reopen();
      same(await again.journal.head(task), headAfter(last, { generation: 3, until: noon + 60_000 }), 'head');
      same((await again.journal.read(task, 1, 10)).map(entryOf), [entryOf(last)], 'the entry');
      same((await again.journal.find(task, 'kept'))?.seq, 1, 'the key');
      sameBytes(await again.blobs.get(digestOf(blob)), blob, 'the blob');
      const { cards } = await again.catalog.list({ limit: 10 });
      same(cards, [{ ...last.card, leaseUntil: noon + 60_000 }], 'the card');
      same((await again.catalog.feed(0, 10)).map(entryOf).at(-1), entryOf(last), 'the feed');
      check(!(await again.journal.append(last)).stored, 'the entry could be appended again');
    },
  },
  {
    id: 'JS5',
    title: 'blobs of an append are read on another connection as soon as the entry is seen',
    run: async ({ a, b }) => {
      const blobs = [prose(4000), noise(4000, 7), new Uint8Array(0), Uint8Array.of(0, 255, 0)];
      await appendAll(a, sampleAppend(task, 0, { blobs }));
      check((await b.journal.head(task)) !== undefined, 'the entry is not seen');
      for (const blob of blobs)
        sameBytes(await b.blobs.get(digestOf(blob)), blob, `a blob of ${blob.length} bytes`);
    },
  },
  {
    id: 'JS5',
    title: 'an append may bring a blob twice, and one that is there already',
    run: async ({ a, b }) => {
      const blob = noise(2000, 3);
      await b.blobs.put(blob, noon);
      await appendAll(a, sampleAppend(task, 0, { blobs: [blob, prose(10), blob] }));
      await appendAll(b, sampleAppend(task, 1, { blobs: [prose(10)] }), sampleAppend(task, 2, { blobs: [] }));
      sameBytes(await b.blobs.get(digestOf(blob)), blob, 'the blob that was there');
      same((await a.blobs.list(undefined, 10)).length, 2, 'blobs stored');
    },
  },
  {
    id: 'JS6',
    title: 'read starts at the given seq and stops at the limit or the end',
    run: async ({ a, b }) => {
      const all = (await appendSome(a, task, 7)).map(entryOf);
      same(await entries(b), all, 'all entries');
      same(await entries(b, 2, 3), all.slice(2, 5), 'three from 2');
      same(await entries(b, 5, 3), all.slice(5), 'three from 5');
      same(await entries(b, 6, 1), all.slice(6), 'one from the last');
      same(await entries(b, 7, 1), [], 'one from beyond the end');
      same(await b.journal.read(other, 0, 10), [], 'entries of a task that is not there');
    },
  },
  {
    id: 'JS6',
    title: 'reading page by page gives every entry once, in order, while other tasks grow in between',
    run: async ({ a, b }) => {
      for (const seq of numbers(40)) {
        await appendAll(a, sampleAppend(task, seq));
        if (seq % 3 === 0) await appendAll(b, sampleAppend(other, seq / 3));
      }
      const seqs: number[] = [];
      for (;;) {
        const page = await b.journal.read(task, seqs.length, 7);
        check(page.length <= 7, `a page of ${page.length} entries where 7 were asked for`);
        if (page.length === 0) break;
        check(seqs.length < 1000, 'paging does not come to an end');
        check(
          page.every((entry) => entry.task === task),
          'an entry of another task',
        );
        seqs.push(...page.map((entry) => entry.seq));
      }
      same(seqs, numbers(40), 'the seqs of all pages');
    },
  },
  {
    id: 'JS6',
    title: 'bodies come back byte for byte, whatever is written in them',
    run: async ({ a, b }) => {
      const bodies = [...oddTexts, 'é🏁'.repeat(limits.entryBytesMax / 6)];
      const appends = bodies.map((body, seq) => sampleAppend(task, seq, { body }));
      await appendAll(a, ...appends);
      const read = await b.journal.read(task, 0, 100);
      for (const [seq, body] of bodies.entries()) {
        sameBytes(Buffer.from(read[seq]?.body ?? ''), Buffer.from(body), `body ${seq}`);
        same(read[seq]?.digest, digestOf(body), `digest ${seq}`);
      }
    },
  },
  {
    id: 'JS7',
    title: 'find returns the entry that was appended with the key, however many came after',
    run: async ({ a, b }) => {
      const [body = ''] = oddTexts;
      const mine = sampleAppend(task, 1, { key: 'mine', body });
      await appendAll(a, sampleAppend(task, 0), mine);
      for (const seq of [2, 3, 4]) await appendAll(b, sampleAppend(task, seq, { key: `key ${seq}` }));
      const found = await b.journal.find(task, 'mine');
      same(found && entryOf(found), entryOf(mine), 'the entry found');
    },
  },
  {
    id: 'JS7',
    title: 'find knows neither keys of other tasks nor keys nobody used',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { key: 'ours' }), sampleAppend(other, 0));
      await appendAll(a, sampleAppend(other, 1, { key: 'theirs' }));
      same(await b.journal.find(task, 'theirs'), undefined, "another task's key");
      same(await b.journal.find(other, 'ours'), undefined, "another task's key");
      same(await b.journal.find(task, 'nobody’s'), undefined, 'a key nobody used');
      same(await b.journal.find(sampleTask(3), 'ours'), undefined, 'a key in a task that is not there');
    },
  },
  {
    id: 'JS7',
    title: 'the same key in two tasks finds in each its own entry',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0), sampleAppend(task, 1, { key: 'same' }));
      await appendAll(b, sampleAppend(other, 0, { key: 'same' }));
      const [first, second] = [await b.journal.find(task, 'same'), await a.journal.find(other, 'same')];
      same(first && [first.task, first.seq], [task, 1], 'the entry of the first task');
      same(second && [second.task, second.seq], [other, 0], 'the entry of the second task');
    },
  },
  {
    id: 'JS7',
    title: 'keys are compared exactly',
    run: async ({ a, b }) => {
      for (const [seq, key] of oddKeys.entries()) {
        same(await b.journal.find(task, key), undefined, `the key ${JSON.stringify(key)} before its append`);
        await appendAll(a, sampleAppend(task, seq, { key }));
      }
      for (const [seq, key] of oddKeys.entries())
        same((await b.journal.find(task, key))?.seq, seq, `the entry with the key ${JSON.stringify(key)}`);
    },
  },
  {
    id: 'JS18',
    title: 'keys lists what find knows, with the entries found, and nothing of other tasks',
    run: async ({ a, b }) => {
      same(await b.journal.keys(task), [], 'the keys of a task that is not there');
      await appendAll(a, sampleAppend(other, 0, { key: 'theirs' }), sampleAppend(task, 0));
      for (const [i, key] of oddKeys.entries()) await appendAll(a, sampleAppend(task, i + 1, { key }));
      const seq = oddKeys.length + 1;
      await appendAll(b, sampleAppend(task, seq));
      // Refused: its key leads nowhere.
      await a.journal.append(sampleAppend(task, seq, { key: 'late' }));
      const expected = oddKeys.map((key, i) => ({ key, seq: i + 1 }));
      for (const store of [a, b]) same(await store.journal.keys(task), expected, 'the keys');
    },
  },
  {
    id: 'JS18',
    title: 'keys lists nothing of a task that was removed',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { key: 'once' }));
      await b.journal.remove(task, 0, noon);
      same(await a.journal.keys(task), [], 'the keys of a removed task');
    },
  },
  {
    id: 'JS8',
    title: 'head is undefined without an entry and follows every append, on both connections',
    run: async ({ a, b }) => {
      same(await a.journal.head(task), undefined, 'the head of a task that is not there');
      await appendSome(a, other, 2);
      same(await a.journal.head(task), undefined, 'the head after an append to another task');
      for (const seq of numbers(4)) {
        const append = sampleAppend(task, seq);
        await appendAll(seq % 2 === 0 ? a : b, append);
        for (const store of [a, b])
          same(await store.journal.head(task), headAfter(append), `the head after seq ${seq}`);
      }
    },
  },
  {
    id: 'JS8',
    title: 'the snapshot comes back exactly as given',
    run: async ({ a, b }) => {
      const snapshots = [...oddTexts, '', '🏁é'.repeat(100_000)];
      for (const [seq, snapshot] of snapshots.entries()) {
        await appendAll(a, sampleAppend(task, seq, { snapshot }));
        const head = await b.journal.head(task);
        sameBytes(Buffer.from(head?.snapshot ?? 'none'), Buffer.from(snapshot), `snapshot ${seq}`);
      }
    },
  },
];
