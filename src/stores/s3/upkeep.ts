import { isStaffettaError } from '../../core/base/error.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import type { StorageFault, Upkeep } from '../../ports/store.ts';
import type { BucketPlace } from './address.ts';
import type { SqsBell } from './bell.ts';
import { inParallel, type Bucket } from './bucket.ts';
import { damagedObject } from './errors.ts';
import { readHead } from './head.ts';
import { newWriter, secretKey, turnKey } from './keys.ts';

interface Opened {
  readonly place: BucketPlace;
  readonly mayWrite: boolean;
  readonly bell: SqsBell | undefined;
}

export function s3Upkeep(bucket: Bucket, { place, mayWrite, bell }: Opened): Upkeep {
  return {
    check: async () => await faultsOf(bucket),
    async removed(task) {
      const { record } = await readHead(bucket, task);
      return record.n > 0 && record.live === null;
    },
    async turn(name, now, ms) {
      const key = turnKey(name);
      const found = await bucket.get(key);
      if (found !== undefined && untilOf(found.bytes) > now) return false;
      const bytes = Buffer.from(`${now + ms} ${newWriter()}`);
      const isMine = (there: Uint8Array): boolean => bytes.equals(there);
      return (await bucket.swap(key, { base: found?.etag ?? null, bytes, isMine })).won;
    },
    async secret() {
      const found = await bucket.get(secretKey);
      if (found !== undefined) return wholeSecret(found.bytes);
      const drawn = globalThis.crypto.getRandomValues(new Uint8Array(32));
      const isMine = (bytes: Uint8Array): boolean => Buffer.from(bytes).equals(drawn);
      const outcome = await bucket.swap(secretKey, { base: null, bytes: drawn, isMine });
      return outcome.won ? drawn : wholeSecret(outcome.found?.bytes);
    },
    async facts() {
      // Nothing is counted: that would be a request for each thousand objects.
      await bucket.list('meta/', '', 1);
      const { bucket: name, prefix, region, endpoint } = place;
      const { clockAheadMs } = bucket;
      const rings = await bell?.standing();
      return {
        store: 'aws',
        bucket: name,
        prefix,
        region: region ?? '',
        endpoint: endpoint ?? '',
        mayWrite,
        clockAheadMs,
        ...(rings === undefined
          ? {}
          : 'wrong' in rings
            ? { unheard: rings.wrong }
            : { rings: rings.waiting }),
      };
    },
  };
}

/** Nothing depends on it: where it cannot be read, the turn is over. */
function untilOf(bytes: Uint8Array): number {
  return Number.parseInt(Buffer.from(bytes).toString('latin1'), 10) || 0;
}

function wholeSecret(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes?.length !== 32) throw damagedObject(secretKey);
  return bytes;
}

/** Heads that cannot be read, and segments that heads name and that are gone. Blobs are looked at by those who look at journals. */
async function faultsOf(bucket: Bucket): Promise<readonly StorageFault[]> {
  const tasks: TaskId[] = [];
  for await (const { key } of bucket.all('h/')) {
    const task = key.slice('h/'.length);
    if (isTaskId(task)) tasks.push(task);
  }
  const faults = await inParallel(tasks, async (task) => await faultsOfTask(bucket, task));
  return faults.flat();
}

async function faultsOfTask(bucket: Bucket, task: TaskId): Promise<StorageFault[]> {
  try {
    const { record, etag } = await readHead(bucket, task);
    const segments = record.live?.segments ?? [];
    const there = await inParallel(segments, async ({ name }) => (await bucket.get(name, 1)) !== undefined);
    const gone = segments.filter((_, n) => there[n] !== true);
    // They go with their task; what a look finds in between is no fault.
    if (gone.length === 0 || (await readHead(bucket, task)).etag !== etag) return [];
    return gone.map(({ name }) => ({
      kind: 'completeness',
      text: `${name} is gone, and the head of ${task} names it`,
    }));
  } catch (error) {
    if (!isStaffettaError(error, 'corrupt')) throw error;
    return [{ kind: 'integrity', text: error.message }];
  }
}
