/**
 * Objects have no order among each other, so the feed is numbered by its readers. Before an entry is stored its writer puts an intent. A reader
 * that has come to the end of the pages lists the intents, asks the heads which of them were stored, and puts these as the next page,
 * under the condition that nobody else did. Then it takes the intents away. A reader that puts the page after that one first takes away
 * what was left of them: so no entry is numbered twice, and none that is stored is passed over. A request that was given up and repeated may be carried out later all the same: an
 * intent that is older than the last page is looked for in the pages before.
 *
 * A position is the number of a page times `stride`, and the place in it. Between tasks of several machines the order within a page goes by their clocks.
 */
import type { TaskId } from '../../core/journal/id.ts';
import type { FeedEntry } from '../../ports/journal.ts';
import { inParallel, type Bucket } from './bucket.ts';
import { damagedObject } from './errors.ts';
import { entriesBetween, plainEntry, readHead, type HeadRecord, type KeptEntry } from './head.ts';
import { newWriter, nextStamp, pageKey, parseIntent, type Intent } from './keys.ts';

const stride = 2 ** 20;
/** An intent of this age whose entry is not there belongs to a writer that is gone: no request takes as long. */
const pendingMsMax = 60 * 60 * 1000;

type Range = readonly [task: TaskId, inc: number, from: number, to: number];

interface FeedPage {
  readonly v: 1;
  readonly by: string;
  readonly ranges: readonly Range[];
  readonly intents: readonly string[];
}

/** Pages never change. */
export type PagesRead = Map<number, FeedPage>;
const rememberedMax = 100;

export async function readFeed(
  bucket: Bucket,
  pages: PagesRead,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly FeedEntry[]> {
  const found: FeedEntry[] = [];
  const heads = new HeadsRead(bucket);
  let page = after === 0 ? 0 : Math.floor((after - 1) / stride);
  let ahead = 1;
  while (found.length < limit) {
    const numbers = Array.from({ length: ahead }, (_, n) => page + n);
    const read = await inParallel(numbers, async (number) => await readPage(bucket, pages, number));
    const end = read.indexOf(undefined);
    for (const one of end === -1 ? read : read.slice(0, end)) {
      const left = limit - found.length;
      if (one !== undefined && left > 0)
        found.push(...(await entriesOfPage(heads, one, { page, after, left })));
      page += 1;
    }
    if (end !== -1 && (await numberNext(bucket, pages, page)) === undefined) break;
    // A reader that begins far behind the end has many pages before it.
    ahead = end === -1 ? Math.min(ahead * 2, 32) : 1;
  }
  return found;
}

class HeadsRead {
  readonly bucket: Bucket;
  readonly #asked = new Map<TaskId, Promise<HeadRecord>>();

  constructor(bucket: Bucket) {
    this.bucket = bucket;
  }

  async of(task: TaskId): Promise<HeadRecord> {
    const asked = this.#asked.get(task) ?? readHead(this.bucket, task).then(({ record }) => record);
    this.#asked.set(task, asked);
    return await asked;
  }

  /** With the entries of a range that was stored: what was read for an earlier page may be from before. */
  async with([task, inc, , to]: Range): Promise<HeadRecord> {
    const known = await this.of(task);
    const isOlder = known.inc < inc || (known.inc === inc && known.live !== null && known.live.seq < to);
    if (!isOlder) return known;
    this.#asked.delete(task);
    return await this.of(task);
  }
}

async function readPage(bucket: Bucket, pages: PagesRead, page: number): Promise<FeedPage | undefined> {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const found = await bucket.get(pageKey(page));
  return found && remember(pages, page, parsePage(page, found.bytes));
}

function parsePage(page: number, bytes: Uint8Array): FeedPage {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as FeedPage;
  } catch (cause) {
    throw damagedObject(pageKey(page), cause);
  }
}

function remember(pages: PagesRead, page: number, read: FeedPage): FeedPage {
  if (pages.size >= rememberedMax) pages.clear();
  pages.set(page, read);
  return read;
}

/** Of a task that was removed since there is nothing. */
async function entriesOfPage(
  heads: HeadsRead,
  { ranges }: FeedPage,
  { page, after, left }: { readonly page: number; readonly after: number; readonly left: number },
): Promise<FeedEntry[]> {
  let position = page * stride + 1;
  const wanted: { readonly range: Range; readonly first: number }[] = [];
  for (const range of ranges) {
    const [, , from, to] = range;
    if (position + to - from > after) wanted.push({ range, first: position });
    position += to - from + 1;
  }
  // A range is one entry at least; more of them than that are not asked for, unless some are gone.
  const found: FeedEntry[] = [];
  for (let at = 0; at < wanted.length && found.length < left; at += left) {
    const read = await inParallel(
      wanted.slice(at, at + left),
      async ({ range: [task, inc, from, to], first }) =>
        (await keptEntries(heads, [task, inc, from, to]))
          .map((entry) => ({ ...plainEntry(task, entry), position: first + entry.seq - from }))
          .filter((entry) => entry.position > after),
    );
    found.push(...read.flat());
  }
  return found.slice(0, left);
}

async function keptEntries(heads: HeadsRead, range: Range): Promise<readonly KeptEntry[]> {
  const [, inc, from, to] = range;
  const record = await heads.with(range);
  if (record.live === null || record.inc !== inc) return [];
  return (await entriesBetween(heads.bucket, record.live, { from, to })) ?? [];
}

/** The page that comes next, put by any process; undefined where nothing was stored since. */
async function numberNext(bucket: Bucket, pages: PagesRead, page: number): Promise<FeedPage | undefined> {
  const { objects, isCut } = await bucket.list('n/');
  const before = page === 0 ? undefined : await readPage(bucket, pages, page - 1);
  const numbered = new Set(before?.intents);
  const listed = objects.map(({ key }) => key);
  // Beyond the end of the listing there may be more of them.
  const left = isCut ? [...numbered] : listed.filter((key) => numbered.has(key));
  await inParallel(left, async (key) => await bucket.remove(key));
  const intents = listed.filter((key) => !numbered.has(key)).flatMap((key) => parseIntent(key) ?? []);
  const fates = await sortOut(bucket, intents);
  const again = await numberedBefore(bucket, pages, { page, stored: fates.stored });
  const stored = fates.stored.filter(({ key }) => !again.has(key));
  await inParallel([...fates.lost.map(({ key }) => key), ...again], async (key) => await bucket.remove(key));
  if (stored.length === 0) {
    // Somebody may have numbered them between the two looks.
    const found = await bucket.get(pageKey(page));
    return found && remember(pages, page, parsePage(page, found.bytes));
  }
  const ranges = stored.map(({ task, inc, from, to }): Range => [task, inc, from, to]);
  const next: FeedPage = { v: 1, by: newWriter(), ranges, intents: stored.map(({ key }) => key) };
  const outcome = await bucket.swap(pageKey(page), {
    base: null,
    bytes: Buffer.from(JSON.stringify(next)),
    isMine: (bytes) => parsePage(page, bytes).by === next.by,
  });
  if (!outcome.won) return outcome.found && remember(pages, page, parsePage(page, outcome.found.bytes));
  await inParallel(next.intents, async (key) => await bucket.remove(key));
  return remember(pages, page, next);
}

/** No request is carried out so many pages later. */
const lookBackPages = 32;

/** Intents that came back after their page was put. Those that are newer than the last page are not. */
async function numberedBefore(
  bucket: Bucket,
  pages: PagesRead,
  { page, stored }: { readonly page: number; readonly stored: readonly Intent[] },
): Promise<ReadonlySet<string>> {
  const last = page === 0 ? undefined : await readPage(bucket, pages, page - 1);
  const newest = Math.max(...(last?.intents ?? []).map((key) => parseIntent(key)?.stamp ?? 0), 0);
  const older = stored.filter(({ stamp }) => stamp <= newest);
  const numbers = older.length === 0 ? 0 : Math.min(page, lookBackPages);
  const before = await inParallel(
    Array.from({ length: numbers }, (_, n) => page - 1 - n),
    async (number) => (await readPage(bucket, pages, number))?.intents ?? [],
  );
  const numbered = new Set(before.flat());
  return new Set(older.map(({ key }) => key).filter((key) => numbered.has(key)));
}

/** Which intents were stored, in the order of their writers' clocks and for each task in order; and which never will be. */
async function sortOut(
  bucket: Bucket,
  intents: readonly Intent[],
): Promise<{ readonly stored: readonly Intent[]; readonly lost: readonly Intent[] }> {
  const heads = new HeadsRead(bucket);
  const fates = await inParallel(intents, async (intent) => await fateOf(heads, intent));
  const chosen = (fate: Fate): Intent[] => intents.filter((_, n) => fates[n] === fate);
  return {
    stored: chosen('stored').toSorted((a, b) => a.stamp - b.stamp || a.from - b.from),
    lost: chosen('lost'),
  };
}

type Fate = 'stored' | 'lost' | 'pending';

async function fateOf(heads: HeadsRead, { task, inc, to, writer, stamp }: Intent): Promise<Fate> {
  const record = await heads.of(task);
  const { live } = record;
  if (record.inc > inc || (record.inc === inc && live === null)) return 'lost';
  if (record.inc < inc || live === null || live.seq < to)
    return stamp < nextStamp() - pendingMsMax * 1000 ? 'lost' : 'pending';
  const entries = await entriesBetween(heads.bucket, live, { from: to, to });
  return entries?.[0]?.writer === writer ? 'stored' : 'lost';
}
