import { defined } from '../../core/base/defined.ts';
import type { Adoption, AdoptedEntry, Lease } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, type Case } from '../case.ts';
import {
  entryOf,
  appendSome,
  headAfter,
  noon,
  numbers,
  sampleAppend,
  sampleCard,
  sampleTask,
  appendAll,
} from '../sample.ts';

const task = sampleTask(1);
const other = sampleTask(2);
const nobodys: Lease = { generation: 0, until: noon + 7 };

function entry(seq: number, key?: string): AdoptedEntry {
  return { ...entryOf(sampleAppend(task, seq)), ...defined({ key }) };
}

/** A journal of so many entries, for a task that is not there. */
function whole(count: number, over: Partial<Adoption> = {}): Adoption {
  return {
    task,
    after: null,
    entries: numbers(count).map((seq) => entry(seq)),
    snapshot: `{"adopted":${count}}`,
    card: sampleCard(task, { seq: count - 1, status: 'elsewhere' }),
    lease: nobodys,
    ...over,
  };
}

/** The rest of a journal whose first entries are there. */
function rest(from: number, count: number, over: Partial<Adoption> = {}): Adoption {
  const { seq, digest } = sampleAppend(task, from - 1);
  const entries = numbers(count).map((n) => entry(from + n));
  const card = sampleCard(task, { seq: from - 1 + count, status: 'elsewhere' });
  return whole(from + count, { after: { seq, digest }, entries, card, ...over });
}

async function mustAdopt(store: Store, adoption: Adoption): Promise<void> {
  check((await store.journal.adopt(adoption)).stored, 'the adoption was refused');
}

async function bodies(store: Store, count = 100): Promise<string[]> {
  return (await store.journal.read(task, 0, count)).map(({ body }) => body);
}

async function hints(store: Store): Promise<number> {
  return (await store.mailbox.receive(['anyone'], { now: noon * 2, hideMs: 0, limit: 10 })).length;
}

export const journalAdoptCases: readonly Case<Bench>[] = [
  {
    id: 'JS16',
    title:
      'a journal that is adopted is there on every connection, byte for byte, with all that is beside it',
    run: async ({ a, b, reopen }) => {
      await appendSome(a, other, 1);
      const adoption = whole(40, {
        entries: numbers(40).map((seq) => entry(seq, seq === 3 ? 'k' : undefined)),
      });
      await mustAdopt(a, adoption);
      const isThere = async (store: Store): Promise<void> => {
        same(
          (await store.journal.read(task, 0, 100)).map(entryOf),
          adoption.entries.map(entryOf),
          'the entries',
        );
        const head = { task, seq: 39, digest: entry(39).digest, snapshot: '{"adopted":40}', lease: nobodys };
        same(await store.journal.head(task), head, 'the head');
        same((await store.journal.find(task, 'k'))?.seq, 3, 'the entry of a key');
        const { cards } = await store.catalog.list({ limit: 10, statuses: ['elsewhere'] });
        same(cards, [{ ...adoption.card, leaseUntil: nobodys.until }], 'the list');
        const feed = await store.catalog.feed(0, 100);
        same(feed.slice(1).map(entryOf), adoption.entries.map(entryOf), 'the feed');
        same(new Set(feed.map(({ position }) => position)).size, 41, 'positions');
        same(await store.upkeep.check(), [], 'faults of the storage');
      };
      await isThere(a);
      await isThere(b);
      await isThere(await reopen());
    },
  },
  {
    id: 'JS16',
    title: 'the rest of a journal is adopted behind the head it continues, and behind no other',
    run: async ({ a, b }) => {
      await appendSome(a, task, 3);
      const digest = entry(9).digest;
      for (const after of [
        null,
        { seq: 1, digest: entry(1).digest },
        { seq: 2, digest },
        { seq: 3, digest },
      ]) {
        const { stored: was, ...found } = await b.journal.adopt(rest(3, 2, { after }));
        check(!was, `entries were adopted behind ${JSON.stringify(after)}`);
        same('head' in found ? found.head : undefined, headAfter(sampleAppend(task, 2)), 'the head it found');
      }
      same((await bodies(a)).length, 3, 'entries after refusals');
      await mustAdopt(b, rest(3, 2));
      same(
        await bodies(a),
        numbers(5).map((seq) => entry(seq).body),
        'the entries',
      );
      same((await a.journal.head(task))?.seq, 4, 'the head');
    },
  },
  {
    id: 'JS16',
    title: 'an adoption with a key that the task has is refused whole; keys of other tasks do not matter',
    run: async ({ a, b }) => {
      await appendAll(a, sampleAppend(task, 0, { key: 'once' }), sampleAppend(other, 0, { key: 'theirs' }));
      const twice = [entry(1), entry(2, 'once'), entry(3)];
      check(!(await b.journal.adopt(rest(1, 3, { entries: twice }))).stored, 'a key was stored twice');
      same((await bodies(a)).length, 1, 'entries after the refusal');
      await mustAdopt(b, rest(1, 3, { entries: [entry(1), entry(2, 'theirs'), entry(3)] }));
      same((await a.journal.find(task, 'theirs'))?.seq, 2, 'the entry of the key');
      same((await a.journal.find(other, 'theirs'))?.task, other, "another task's key");
    },
  },
  {
    id: 'JS16',
    title: 'without entries only what is beside them changes',
    run: async ({ a, b }) => {
      await appendSome(a, task, 2);
      check(!(await a.journal.adopt(whole(0, { entries: [] }))).stored, 'the head was not looked at');
      const card = sampleCard(task, { seq: 1, status: 'done' });
      const lease = { generation: 0, until: noon + 99 };
      await mustAdopt(a, rest(2, 0, { snapshot: '{"again":1}', card, lease }));
      same((await bodies(b)).length, 2, 'entries');
      const head = await b.journal.head(task);
      same([head?.seq, head?.snapshot, head?.lease], [1, '{"again":1}', lease], 'the head');
      same((await b.catalog.list({ limit: 10, statuses: ['done'] })).cards.length, 1, 'tasks listed');
      await mustAdopt(b, rest(2, 0, { lease: null }));
      same((await a.journal.head(task))?.lease, null, 'the lease, once it is taken away');
      const unknown = whole(0, { task: other, entries: [], card: sampleCard(other) });
      check(!(await a.journal.adopt(unknown)).stored, 'nothing was adopted as a task');
      same(await b.journal.head(other), undefined, 'the head of a task that is not there');
    },
  },
  {
    id: 'JS16',
    title: 'an adoption takes the hints of its task out of the mailbox, and a refused one does not',
    run: async ({ a, b }) => {
      const to = 'anyone';
      await appendAll(a, sampleAppend(task, 0, { hint: { send: { to, task, offer: 1, due: noon } } }));
      await appendAll(
        a,
        sampleAppend(other, 0, { hint: { send: { to, task: other, offer: 1, due: noon } } }),
      );
      check(!(await b.journal.adopt(whole(2))).stored, 'the head was not looked at');
      same(await hints(a), 2, 'hints after a refusal');
      await mustAdopt(b, rest(1, 1));
      same(await hints(a), 1, 'hints afterwards');
    },
  },
  {
    id: 'JS16',
    title: 'of eight concurrent adoptions on two connections one is stored, and no reader sees a part of it',
    run: async ({ a, b }) => {
      const outcomes = Promise.all(
        numbers(8).map(async (n) => (await (n % 2 === 0 ? a : b).journal.adopt(whole(30))).stored),
      );
      const seen = await Promise.all(numbers(8).map(async () => (await bodies(b)).length));
      same((await outcomes).filter(Boolean).length, 1, 'adoptions that were stored');
      check(
        seen.every((count) => count === 0 || count === 30),
        `a reader saw ${seen.join(', ')} entries`,
      );
      same((await bodies(a)).length, 30, 'entries');
    },
  },
  {
    id: 'JS17',
    title: 'a removal that names a lease removes only under exactly that lease',
    run: async ({ a, b }) => {
      await mustAdopt(a, whole(2));
      for (const lease of [null, { generation: 1, until: nobodys.until }, { generation: 0, until: noon }])
        check(!(await b.journal.remove(task, 1, noon, lease)), `removed under ${JSON.stringify(lease)}`);
      same((await bodies(a)).length, 2, 'entries after refusals');
      check(await b.journal.remove(task, 1, noon, nobodys), 'not removed under its lease');
      same(await a.journal.head(task), undefined, 'the head');
    },
  },
  {
    id: 'JS17',
    title:
      'a removal that names no lease in force is refused where there is one, and one that names nothing is not',
    run: async ({ a, b }) => {
      await appendSome(a, other, 1);
      check(await b.journal.remove(other, 0, noon, null), 'a task without a lease was not removed');
      await mustAdopt(a, whole(2));
      check(
        !(await b.journal.remove(task, 1, noon, null)),
        'a task with a lease was removed as if it had none',
      );
      check(await b.journal.remove(task, 1, noon), 'the lease was looked at though none was named');
    },
  },
];
