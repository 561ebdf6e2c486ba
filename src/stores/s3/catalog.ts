import { StaffettaError, isStaffettaError } from '../../core/base/error.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { isExpired } from '../../core/task/lapse.ts';
import { statuses, takeableStatuses, type Status } from '../../core/task/state.ts';
import type { CardQuery, Catalog, ListedCard, Waiting, WaitQuery } from '../../ports/journal.ts';
import { inParallel, type Bucket } from './bucket.ts';
import { readFeed, type PagesRead } from './feed.ts';
import { readHead, seqOfKey, type HeadRecord, type LiveTask } from './head.ts';
import { hintedEpochs } from './mailbox.ts';
import {
  addressMark,
  headKey,
  keyPrefix,
  markerGroup,
  markerGroups,
  markerPlace,
  markerPrefix,
  markerShards,
  parseMarker,
  type Marker,
  type MarkerGroup,
} from './keys.ts';

export function s3Catalog(bucket: Bucket): Catalog {
  const pages: PagesRead = new Map();
  return {
    list: async (query) => await listCards(bucket, query),
    async resolve(prefix, limit) {
      if (!/^(?:t[0-9a-z]*)?$/.test(prefix)) return [];
      return await confirmNames(
        bucket,
        { prefix: headKey(prefix as TaskId), limit },
        ({ live }) => live !== null,
      );
    },
    async keyed(key, limit) {
      const query = { prefix: keyPrefix(key), limit };
      return await confirmNames(bucket, query, ({ live }) => seqOfKey(live, key) !== undefined);
    },
    waits: async (query) => await listWaits(bucket, query),
    unhinted: async (after, limit) => await listUnhinted(bucket, after, limit),
    feed: async (after, limit) => await readFeed(bucket, pages, { after, limit }),
  };
}

/** How many names are looked up at a time, where each has to be confirmed. */
const batchMax = 100;

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Tasks whose names end the keys of a listing, as far as their heads agree. */
async function confirmNames(
  bucket: Bucket,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
  agrees: (record: HeadRecord) => boolean,
): Promise<TaskId[]> {
  const found: TaskId[] = [];
  for await (const batch of batches(bucket.all(prefix), Math.min(batchMax, limit))) {
    const tasks = batch
      .map(({ key }) => key.slice(key.lastIndexOf('/') + 1))
      .filter((task) => isTaskId(task));
    const records = await inParallel(tasks, async (task) => (await readHead(bucket, task)).record);
    found.push(...tasks.filter((_, n) => agrees(records[n] as HeadRecord)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

interface Candidate {
  /** By which lists are in order, the newest first. */
  readonly place: string;
  readonly task: TaskId;
}

async function* markersOf(bucket: Bucket, query: CardQuery): AsyncGenerator<Candidate> {
  const wanted: ReadonlySet<Status> = new Set(
    query.leaseBefore === undefined
      ? (query.statuses ?? statuses)
      : (query.statuses ?? (['held'] as const)).filter((status) => status === 'held'),
  );
  const groups = markerGroups.filter((group) => [...wanted].some((status) => markerGroup(status) === group));
  const to = query.for === undefined ? undefined : new Set(query.for.map(addressMark));
  const before = query.offerBefore;
  const isWanted = ({ status, offer }: Marker): boolean =>
    wanted.has(status) &&
    (to === undefined || (offer !== undefined && to.has(offer.to))) &&
    (before === undefined || (offer !== undefined && isExpired(offer.expiresAt, before)));
  const after = query.cursor === undefined ? undefined : placeOf(query.cursor);
  const begins = query.oldestFirst === true ? undefined : after;
  const streams = await Promise.all(
    groups.map(async (group) => await streamsOf(bucket, group, { begins, isWanted })),
  );
  const merged = inOrder(streams.flat());
  if (query.oldestFirst !== true) {
    yield* merged;
    return;
  }
  // Listings go one way only.
  const all: Candidate[] = [];
  for await (const one of merged) if (after === undefined || one.place < after) all.push(one);
  yield* all.toReversed();
}

interface Wanted {
  readonly begins: string | undefined;
  readonly isWanted: (marker: Marker) => boolean;
}

/** Of what goes on there is seldom more than one listing shows: then all shards are one request. */
async function streamsOf(
  bucket: Bucket,
  group: MarkerGroup,
  { begins, isWanted }: Wanted,
): Promise<AsyncGenerator<Candidate>[]> {
  const whole = group === 'ended' ? undefined : await bucket.list(`x/${group}/`);
  if (whole?.isCut === false) {
    const inPlace = whole.objects
      .flatMap(({ key }) => candidateOf(key, isWanted) ?? [])
      .filter(({ place }) => begins === undefined || place > begins)
      .toSorted((a, b) => (a.place < b.place ? -1 : 1));
    return [inTurn(inPlace)];
  }
  return markerShards.map((shard) => {
    const prefix = markerPrefix(group, shard);
    return named(bucket, { prefix, after: begins === undefined ? '' : `${prefix}${begins}~` }, isWanted);
  });
}

async function* inTurn(candidates: readonly Candidate[]): AsyncGenerator<Candidate> {
  yield* candidates;
}

async function* named(
  bucket: Bucket,
  { prefix, after }: { readonly prefix: string; readonly after: string },
  isWanted: Wanted['isWanted'],
): AsyncGenerator<Candidate> {
  for await (const { key } of bucket.all(prefix, after)) {
    const candidate = candidateOf(key, isWanted);
    if (candidate !== undefined) yield candidate;
  }
}

function candidateOf(key: string, isWanted: Wanted['isWanted']): Candidate | undefined {
  const marker = parseMarker(key);
  if (marker === undefined || !isWanted(marker)) return undefined;
  return { place: markerPlace(marker.openedAt, marker.task), task: marker.task };
}

/** A task that is between two statuses has two names, which are neighbours. */
async function* inOrder(streams: readonly AsyncGenerator<Candidate>[]): AsyncGenerator<Candidate> {
  const firsts = await Promise.all(streams.map(async (stream) => await stream.next()));
  let before = '';
  for (;;) {
    let least: number | undefined;
    for (const [n, { done, value }] of firsts.entries()) {
      if (done === true) continue;
      const leader = least === undefined ? undefined : firsts[least];
      if (leader === undefined || leader.done === true || value.place < leader.value.place) least = n;
    }
    const chosen = least === undefined ? undefined : firsts[least];
    const stream = least === undefined ? undefined : streams[least];
    if (least === undefined || stream === undefined || chosen === undefined || chosen.done === true) return;
    if (chosen.value.place !== before) yield chosen.value;
    before = chosen.value.place;
    firsts[least] = await stream.next();
  }
}

function placeOf(cursor: string): string {
  const [openedAt = '', task = ''] = cursor.split(':');
  if (/^-?[0-9]+$/.test(openedAt) && isTaskId(task)) return markerPlace(Number(openedAt), task);
  throw new StaffettaError('invalid-input', `list: ${JSON.stringify(cursor)} is no cursor.`, {
    hint: 'Give what the page before returned as next.',
  });
}

async function listCards(bucket: Bucket, query: CardQuery): ReturnType<Catalog['list']> {
  const cards: ListedCard[] = [];
  for await (const batch of batches(markersOf(bucket, query), Math.min(batchMax, query.limit + 1))) {
    const found = await inParallel(batch, async ({ task }) => await liveOf(bucket, task, query));
    for (const live of found) {
      if (live === null || !fitsQuery(live, query)) continue;
      const last = cards.at(-1);
      if (cards.length === query.limit && last !== undefined)
        return { cards, next: `${Math.floor(last.openedAt)}:${last.task}` };
      cards.push({ ...live.card, leaseUntil: live.lease?.until ?? null });
    }
  }
  return { cards, next: undefined };
}

async function liveOf(bucket: Bucket, task: TaskId, { onDamaged }: CardQuery): Promise<LiveTask | null> {
  try {
    return (await readHead(bucket, task)).record.live;
  } catch (error) {
    if (onDamaged === undefined || !isStaffettaError(error, 'corrupt')) throw error;
    onDamaged({ task, why: 'its head cannot be read' });
    return null;
  }
}

function fitsQuery({ card, lease, waits }: LiveTask, query: CardQuery): boolean {
  if (query.statuses !== undefined && !query.statuses.includes(card.status)) return false;
  if (query.lane !== undefined && card.lane !== query.lane) return false;
  if (query.holder !== undefined && card.holder !== query.holder) return false;
  if (query.for !== undefined && (card.to === null || !query.for.includes(card.to))) return false;
  if (query.waitsForNone === true && waits.length > 0) return false;
  if (query.dead !== undefined && card.dead !== query.dead) return false;
  if (query.offerBefore !== undefined && !isExpired(card.expiresAt ?? Infinity, query.offerBefore))
    return false;
  if (query.leaseBefore === undefined) return true;
  return card.status === 'held' && lease !== null && isExpired(lease.until, query.leaseBefore);
}

/** Names of markers and of hints are compared, and only what seems to have none is read. */
async function listUnhinted(bucket: Bucket, after: TaskId = 't', limit: number): Promise<TaskId[]> {
  const offered: { readonly task: TaskId; readonly epoch: number }[] = [];
  for await (const { task, status, offer } of liveMarkers(bucket))
    if (offer !== undefined && task > after && takeableStatuses.includes(status))
      offered.push({ task, epoch: offer.epoch });
  const hinted = await hintedEpochs(bucket);
  const isLost = ({ task, epoch }: (typeof offered)[number]): boolean => !hinted.has(`${task}.${epoch}`);
  const found: TaskId[] = [];
  const tasks = [...new Set(offered.filter(isLost).map(({ task }) => task))].toSorted();
  for (let from = 0; from < tasks.length && found.length < limit; from += batchMax) {
    const batch = tasks.slice(from, from + batchMax);
    const records = await inParallel(batch, async (task) => (await readHead(bucket, task)).record);
    for (const [n, { live, epoch }] of records.entries()) {
      const task = batch[n];
      if (task === undefined || live === null || live.card.to === null || live.waits.length > 0) continue;
      if (takeableStatuses.includes(live.card.status) && isLost({ task, epoch })) found.push(task);
    }
  }
  return found.slice(0, limit);
}

/** What is not over, as its markers say. A task that is being changed may have two. */
export async function* liveMarkers(bucket: Bucket): AsyncGenerator<Marker> {
  for await (const { key } of bucket.all('x/live/')) {
    const marker = parseMarker(key);
    if (marker !== undefined) yield marker;
  }
}

async function listWaits(
  bucket: Bucket,
  { need, over, after, limit }: WaitQuery,
): Promise<readonly Waiting[]> {
  const heads = new Map<TaskId, Promise<LiveTask | null>>();
  const live = async (task: TaskId): Promise<LiveTask | null> => {
    const asked = heads.get(task) ?? readHead(bucket, task).then(({ record }) => record.live);
    heads.set(task, asked);
    return await asked;
  };
  const isSo = async (one: Waiting): Promise<boolean> => {
    const wait = (await live(one.task))?.waits.find((other) => other.need === one.need);
    if (wait === undefined || over === undefined) return wait !== undefined;
    const status = (await live(one.need))?.card.status;
    return status === 'failed' || status === 'cancelled' || (status === 'done' && wait.watched);
  };
  const found: Waiting[] = [];
  const from = after === undefined ? '' : `w/${after.need}/${after.task}`;
  for await (const batch of batches(
    bucket.all(need === undefined ? 'w/' : `w/${need}/`, from),
    Math.min(batchMax, limit),
  )) {
    const pairs = batch.flatMap(({ key }) => {
      const [, one = '', task = ''] = key.split('/');
      return isTaskId(one) && isTaskId(task) ? [{ need: one, task }] : [];
    });
    const are = await inParallel(pairs, isSo);
    found.push(...pairs.filter((_, n) => are[n] === true));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}
