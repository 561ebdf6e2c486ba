import { StaffettaError, isStaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { StoreAddress } from '../../ports/store-address.ts';
import type { Hint } from '../../ports/mailbox.ts';
import type { Store } from '../../ports/store.ts';
import { bucketPlace } from './address.ts';
import type { Bell } from '../../ports/bell.ts';
import { openBell, type Ring, type SqsBell } from './bell.ts';
import { s3Blobs, type BlobsPut } from './blobs.ts';
import { openBucket, type Bucket, type BucketOptions } from './bucket.ts';
import { liveMarkers, s3Catalog } from './catalog.ts';
import { damagedObject } from './errors.ts';
import { readHead } from './head.ts';
import { s3Journal } from './journal.ts';
import { formatKey, newWriter, type Marker } from './keys.ts';
import { s3Mailbox } from './mailbox.ts';
import { s3Upkeep } from './upkeep.ts';

export interface S3Options extends Omit<BucketOptions, 'store'> {
  /** Begin a store in the bucket if there is none. The bucket itself is never made. */
  readonly create?: boolean;
}

/** 2: names of markers and hints say what recovery needs of an offer. */
const format = 2;
/** Each renewal writes a head, which costs money. */
const leaseMs = 5 * 60_000;
/** A look for work is five listings or more. Who is told by the bell looks for what the bell has lost. */
const pollMs = { alone: 60_000, told: 600_000 };
/** Who waits for the bell says when that is enough. */
const waitMsMax = 3_600_000;

/** Also what lists are made of, which costs a request for each thousand tasks that are not over, and none for each. */
export interface S3Store extends Store {
  readonly markers: () => AsyncGenerator<Marker>;
}

export async function openS3Store(address: StoreAddress, options: S3Options = {}): Promise<S3Store> {
  const place = bucketPlace(address);
  const { create = false, ...requests } = options;
  const bucket = await openBucket(place, { ...requests, store: address.shown });
  let mayWrite: boolean;
  try {
    mayWrite = await refuseUnfit(bucket, create);
  } catch (error) {
    bucket.close();
    throw error;
  }
  const blobs: BlobsPut = new Map();
  const stands = async ({ task }: Ring): Promise<boolean> =>
    ((await readHead(bucket, task)).record.live?.card.to ?? null) !== null;
  const bell = place.queue === undefined ? undefined : await openBell(place.queue, { ...place, stands });
  const ring = ({ task, offer, to }: Hint): void => bell?.ring({ task, offer, to });
  const settle = (task: TaskId): void => bell?.settle(task);
  return {
    leaseMs,
    get pollMs() {
      return bell?.isHeard === true ? pollMs.told : pollMs.alone;
    },
    // Where the bell is, the recoverer is.
    get isTended() {
      return bell?.isHeard === true;
    },
    get clockAheadMs() {
      return bucket.clockAheadMs;
    },
    address,
    journal: s3Journal(bucket, { blobs, ring, settle }),
    catalog: s3Catalog(bucket),
    markers: () => liveMarkers(bucket),
    blobs: s3Blobs(bucket, blobs),
    mailbox: s3Mailbox(bucket, ring),
    upkeep: s3Upkeep(bucket, { place, mayWrite, bell }),
    ...(bell === undefined ? {} : { bell: bellOf(bell) }),
    close: async () => {
      bucket.close();
      await bell?.close();
    },
  };
}

function bellOf(bell: SqsBell): Bell {
  return {
    wait: async (addresses, signal) => void (await bell.wait(addresses, waitMsMax, signal)),
    dead: {
      // A role that may not see dead letters still sees everything else; doctor says what the queues are like.
      list: async () => await bell.deadRings().catch(() => []),
      redrive: async (task) => await bell.redrive(task).catch(() => false),
    },
  };
}

/**
 * Everything rests on conditions, and some servers that speak S3 pass them over without a word. So each opening writes the format object where it
 * must not be written: that has to be refused. One that may only read cannot do harm. Says whether it may write.
 */
async function refuseUnfit(bucket: Bucket, mayCreate: boolean): Promise<boolean> {
  const found = await bucket.get(formatKey);
  if (found === undefined && !mayCreate)
    throw new StaffettaError('store-missing', `There is no store at ${bucket.store}.`, {
      details: { store: bucket.store },
      hint: 'Open a first task to create it: staffetta open "what should be done". To go on from a session of a coding agent: staffetta resume --in PROGRAM',
    });
  refuseOther(bucket, found?.bytes);
  try {
    if (found === undefined) await begin(bucket);
    else if (!(await isRefused(bucket, formatKey, null, found.bytes))) throw ignoresConditions(bucket);
    return true;
  } catch (error) {
    if (found === undefined || !isStaffettaError(error, 'store-readonly')) throw error;
    return false;
  }
}

function refuseOther(bucket: Bucket, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) return;
  let said: unknown;
  try {
    said = (JSON.parse(Buffer.from(bytes).toString('utf8')) as { format?: unknown }).format;
  } catch (cause) {
    throw damagedObject(formatKey, cause);
  }
  if (typeof said !== 'number') throw damagedObject(formatKey);
  if (said > format)
    throw new StaffettaError(
      'store-newer',
      `${bucket.store} was written by a newer version (format ${said}).`,
      {
        details: { format: said, known: format },
        hint: 'Update staffetta.',
      },
    );
  if (said < format)
    throw new StaffettaError(
      'store-unsupported',
      `${bucket.store} was written by an earlier version (format ${said}), in another layout.`,
      {
        details: { format: said, known: format },
        hint: 'With that version, move what is in it: staffetta move --all --to STORE',
      },
    );
}

/** All three conditions are tried on an object of its own, before anything is kept here. */
async function begin(bucket: Bucket): Promise<void> {
  const key = `meta/trial.${newWriter()}`;
  const [one, two] = [Buffer.from('one'), Buffer.from('two')];
  const made = await bucket.swap(key, { base: null, bytes: one, isMine: (found) => one.equals(found) });
  if (!made.won) throw ignoresConditions(bucket);
  try {
    const stale = '"0123456789abcdef0123456789abcdef"';
    const areKept =
      (await isRefused(bucket, key, null, two)) &&
      (await isRefused(bucket, key, stale, two)) &&
      !(await bucket.removeIf(key, stale)) &&
      (await bucket.get(key))?.etag === made.etag;
    if (!areKept) throw ignoresConditions(bucket);
  } finally {
    await bucket.remove(key);
  }
  const bytes = Buffer.from(JSON.stringify({ format, by: newWriter() }));
  await bucket.swap(formatKey, { base: null, bytes, isMine: (found) => bytes.equals(found) });
}

/** Whether a write of these bytes is refused under a condition that does not hold. */
async function isRefused(
  bucket: Bucket,
  key: string,
  base: string | null,
  bytes: Uint8Array,
): Promise<boolean> {
  return !(await bucket.swap(key, { base, bytes, isMine: () => false })).won;
}

function ignoresConditions(bucket: Bucket): StaffettaError {
  return new StaffettaError(
    'store-unsupported',
    `The server behind ${bucket.store} ignores conditions (If-Match, If-None-Match): two writers would overwrite each other.`,
    { details: { store: bucket.store }, hint: 'Use Amazon S3, or a server that keeps conditional writes.' },
  );
}
