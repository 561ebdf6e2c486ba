/**
 * The entry of the Lambda function. SQS gives it batches of rings; the schedule calls it once a minute with nothing. What is in the environment: STAFFETTA_STORE, the address
 * of the store with its queue.
 *
 * Of a batch only what failed is reported back, and in its group everything after it, so that rings of a task keep their order. All of it may be
 * done twice: a second look at an offer rings once more, which is harmless.
 */
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Address } from '../core/task/address.ts';
import { takeableStatuses } from '../core/task/state.ts';
import type { Context } from '../handoff/record/context.ts';
import { recover } from '../handoff/verbs/recover.ts';
import { unheardOffers } from '../handoff/views/unheard.ts';
import { createRedactor } from '../core/redact/redactor.ts';
import { systemClock, systemEntropy } from '../home/system.ts';
import { unobserved } from '../ports/step.ts';
import { urlAddress, type StoreAddress } from '../ports/store-address.ts';
import { bucketPlace } from '../stores/s3/address.ts';
import { openBell, parseRing, type SqsBell } from '../stores/s3/bell.ts';
import type { Marker } from '../stores/s3/keys.ts';
import { openS3Store, type S3Store } from '../stores/s3/open.ts';
import { routeOffer } from './route-offer.ts';

export interface SqsRecord {
  readonly messageId: string;
  readonly body: string;
  readonly attributes?: { readonly MessageGroupId?: string; readonly SentTimestamp?: string };
}

export interface RouterEvent {
  readonly Records?: readonly SqsRecord[];
}

export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

interface Place {
  readonly address: StoreAddress;
  readonly context: Context;
  readonly markers: S3Store['markers'];
  readonly bell: SqsBell;
}

let opened: Promise<Place> | undefined;

/** Kept while the function stays warm. */
async function place(): Promise<Place> {
  opened ??= open(process.env['STAFFETTA_STORE'] ?? '');
  try {
    return await opened;
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

async function open(text: string): Promise<Place> {
  const address = urlAddress(text);
  const where = bucketPlace(address);
  if (where.queue === undefined)
    throw new StaffettaError('invalid-input', 'STAFFETTA_STORE names no queue.', {
      hint: 'Add &queue=… as infra/aws prints it.',
    });
  const store = await openS3Store(address, { create: true });
  const context: Context = {
    store,
    clock: systemClock,
    entropy: systemEntropy,
    reached: unobserved,
    redactor: async () => createRedactor({ key: await store.upkeep.secret(), values: [] }),
    gate: 'refuse',
  };
  return { address, context, markers: store.markers, bell: await openBell(where.queue, where) };
}

export async function handler(event: RouterEvent): Promise<BatchAnswer> {
  const here = await place();
  if (event.Records !== undefined) return { batchItemFailures: await passAll(event.Records, here) };
  await recoverAll(here);
  return { batchItemFailures: [] };
}

async function passAll(
  records: readonly SqsRecord[],
  here: Place,
): Promise<BatchAnswer['batchItemFailures']> {
  const failed: string[] = [];
  const stuck = new Set<string>();
  for (const { messageId, body, attributes } of records) {
    const group = attributes?.MessageGroupId ?? messageId;
    try {
      if (stuck.has(group)) throw new Error('one before it in its group failed');
      const ring = parseRing(body);
      // What cannot be read will not be readable later: after five times it is a dead letter, for somebody to look at.
      if (ring === undefined) throw new Error('this is no ring');
      const passed = await pass(ring, here);
      const sentAt = Number(attributes?.SentTimestamp ?? Number.NaN);
      const late = Number.isNaN(sentAt) ? {} : { ms: Math.max(0, systemClock.now() - sentAt) };
      say({ task: ring.task, offer: ring.offer, ...passed, ...late });
    } catch (error) {
      stuck.add(group);
      failed.push(messageId);
      say({ what: 'failed', message: messageId, group, why: String(error) });
    }
  }
  return failed.map((itemIdentifier) => ({ itemIdentifier }));
}

/** Tells those who are next, with where they find what they receive. */
async function pass(
  { task, offer }: { readonly task: TaskId; readonly offer?: number },
  { address, context, bell }: Place,
): Promise<{ readonly what: string; readonly to?: readonly Address[] }> {
  const routed = await routeOffer(context, { task, ...defined({ offer }) });
  if (routed.how !== 'ring') return { what: routed.how };
  const { packet, offer: number } = routed.offer;
  const heard: Address[] = [];
  for (const to of routed.to)
    if (await bell.send(to, { task, offer: number, to, packet, store: address.shown })) heard.push(to);
  return { what: heard.length === 0 ? 'unheard' : 'ring', to: heard.length === 0 ? routed.to : heard };
}

/** Leases that ended, offers that are due, and rings that nobody heard: what stands on offer is rung for again. Then how the store stands. */
async function recoverAll(here: Place): Promise<void> {
  const { context, markers } = here;
  const { lapsed, expired, freed, dead, doubted, damaged } = await recover(context);
  // A task that is being changed has two of them; the later one counts.
  const latest = new Map<TaskId, Marker>();
  for await (const marker of markers())
    if (marker.seq >= (latest.get(marker.task)?.seq ?? 0)) latest.set(marker.task, marker);
  const tasks = [...latest.values()];
  const now = context.clock.now();
  const offers = tasks.flatMap(({ task, status, offer }) =>
    offer !== undefined && offer.since <= now && takeableStatuses.includes(status)
      ? [{ task, waitedMs: now - offer.since }]
      : [],
  );
  let rung = 0;
  for (const { task, waitedMs } of offers)
    if (isDueForRing(waitedMs) && (await pass({ task }, here)).what === 'ring') rung += 1;
  const counts = { lapsed: lapsed.length, expired: expired.length, freed: freed.length, dead: dead.length };
  say({ what: 'recovered', ...counts, damaged: damaged.length, rung });
  const count = (is: (marker: Marker) => boolean): number => tasks.filter(is).length;
  say({
    what: 'figures',
    offers: offers.length,
    oldestOfferSeconds: Math.round(offers.reduce((most, one) => Math.max(most, one.waitedMs), 0) / 1000),
    held: count(({ status }) => status === 'held'),
    leasesLapsed: doubted.length,
    deadTasks: count(({ isDead }) => isDead),
    unheard: (await unheardOffers(context)).length,
    mergeQueue: count(({ status }) => status === 'approved'),
  });
}

/** In the minute in which it has waited for 1, 2, 4, 8 … of them: ten thousand offers that nobody takes are not rung for each minute. */
function isDueForRing(waitedMs: number): boolean {
  const minutes = Math.floor(waitedMs / 60_000);
  return minutes > 0 && (minutes & (minutes - 1)) === 0;
}

/** One line of JSON for each thing that was done: metrics are made of them. */
function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
