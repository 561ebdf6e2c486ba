import type { TaskId } from '../../core/journal/id.ts';
import type { Adoption, FeedEntry } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Bench } from '../bench.ts';
import { check, same, tick, watching, type Case } from '../case.ts';
import {
  entryOf,
  appendSome,
  sampleCard,
  noon,
  numbers,
  oddTexts,
  sampleAppend,
  sampleTask,
  appendAll,
} from '../sample.ts';

/** Reads on from where it was, a few at a time, as a follower does. */
async function follow(store: Store, seen: FeedEntry[], atOnce = 3): Promise<void> {
  for (;;) {
    const page = await store.catalog.feed(seen.at(-1)?.position ?? 0, atOnce);
    check(page.length <= atOnce, `${page.length} entries where ${atOnce} were asked for`);
    if (page.length === 0) return;
    seen.push(...page);
    grows(seen);
  }
}

/** Two tasks that grow in turns. */
async function write(store: Store, first: number): Promise<void> {
  for (const seq of numbers(10)) {
    for (const n of [first, first + 1]) await appendAll(store, sampleAppend(sampleTask(n), seq));
    await tick();
  }
}

const longJournal = 400;

function journalOf(task: TaskId): Adoption {
  const entries = numbers(longJournal).map((seq) => entryOf(sampleAppend(task, seq)));
  const card = sampleCard(task, { seq: longJournal - 1, status: 'elsewhere' });
  return { task, after: null, entries, snapshot: '{}', card, lease: null };
}

function grows(entries: readonly FeedEntry[]): void {
  let last = 0;
  for (const { position } of entries) {
    check(Number.isSafeInteger(position) && position > last, `position ${position} after ${last}`);
    last = position;
  }
}

export const catalogFeedCases: readonly Case<Bench>[] = [
  {
    id: 'CA4',
    title: 'entries of all tasks come in the order they were appended, as they were appended',
    run: async ({ a, b }) => {
      const order = [
        [1, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [3, 0],
        [2, 2],
      ] as const;
      const appends = order.map(([n, seq], index) =>
        sampleAppend(sampleTask(n), seq, { body: oddTexts[index] ?? '' }),
      );
      for (const [n, append] of appends.entries()) await appendAll(n % 2 === 0 ? a : b, append);
      const feed = await b.catalog.feed(0, 100);
      same(feed.map(entryOf), appends.map(entryOf), 'the feed');
      grows(feed);
    },
  },
  {
    id: 'CA4',
    title: 'a reader that asks from a position gets what came after it, at most as much as asked for',
    run: async ({ a, b }) => {
      same(await a.catalog.feed(0, 10), [], 'the feed of an empty store');
      await appendSome(a, sampleTask(1), 8);
      const feed = await b.catalog.feed(0, 100);
      for (const [n, entry] of feed.entries()) {
        same(await b.catalog.feed(entry.position, 100), feed.slice(n + 1), `the feed after entry ${n}`);
        same(
          await b.catalog.feed(entry.position, 2),
          feed.slice(n + 1, n + 3),
          `two entries after entry ${n}`,
        );
      }
    },
  },
  {
    id: 'CA4',
    title: 'a follower misses nothing and sees nothing twice while two connections write',
    run: async ({ a, b, open }) => {
      const follower = await open();
      const seen: FeedEntry[] = [];
      await watching([write(a, 1), write(b, 11)], async () => await follow(follower, seen));
      grows(seen);
      for (const n of [1, 2, 11, 12]) {
        const seqs = seen.filter((entry) => entry.task === sampleTask(n)).map((entry) => entry.seq);
        same(seqs, numbers(10), `the seqs seen of task ${n}`);
      }
      same(seen.length, 40, 'entries seen');
    },
  },
  {
    id: 'CA4',
    title: 'a fast follower misses nothing of long journals that are adopted while others write',
    run: async ({ open }) => {
      const follower = await open();
      const seen: FeedEntry[] = [];
      // The first entry of an adoption has its place long before the last one is there; what is appended meanwhile comes after it.
      const adopters = numbers(3).map(async (n) =>
        check((await (await open()).journal.adopt(journalOf(sampleTask(n + 1)))).stored, 'refused'),
      );
      const writers = numbers(3).map(async (n) => await write(await open(), 10 * (n + 1)));
      await watching([...adopters, ...writers], async () => await follow(follower, seen, 1000));
      grows(seen);
      same(seen.length, 3 * longJournal + 3 * 20, 'entries seen');
    },
  },
  {
    id: 'CA4',
    title: 'a removal leaves a hole and nothing else: followers go on, and no position comes again',
    run: async ({ a, b, reopen }) => {
      const [gone, stays] = [sampleTask(1), sampleTask(2)];
      await appendSome(a, stays, 2);
      await appendSome(b, gone, 3);
      const before = await a.catalog.feed(0, 100);
      const last = before.at(-1)?.position ?? 0;
      check(await b.journal.remove(gone, 2, 0), 'remove said that it did nothing');
      same(await a.catalog.feed(0, 100), before.slice(0, 2), 'what is left in the feed');
      await appendAll(a, sampleAppend(stays, 2));
      const [next] = await b.catalog.feed(last, 100);
      same(next && entryOf(next), entryOf(sampleAppend(stays, 2)), 'what comes after the removed entries');
      check(await b.journal.remove(stays, 2, 0), 'remove said that it did nothing');
      const again = await reopen();
      await appendAll(again, sampleAppend(gone, 0));
      const feed = await again.catalog.feed(next?.position ?? 0, 100);
      same(feed.map(entryOf), [entryOf(sampleAppend(gone, 0))], 'what comes after everything was removed');
    },
  },
  {
    id: 'CA4',
    title: 'refused appends and renewals do not show',
    run: async ({ a, b }) => {
      const lease = { set: { generation: 1, until: noon } };
      await appendAll(a, sampleAppend(sampleTask(1), 0, { lease }));
      check(!(await b.journal.append(sampleAppend(sampleTask(1), 0))).stored, 'a late append was stored');
      await b.journal.renew(sampleTask(1), 1, noon + 1);
      await appendAll(b, sampleAppend(sampleTask(1), 1));
      const seqs = (await a.catalog.feed(0, 10)).map((entry) => entry.seq);
      same(seqs, [0, 1], 'the seqs in the feed');
    },
  },
];
