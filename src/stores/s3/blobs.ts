/**
 * A blob is one object: a header of sixteen bytes, and the content as it is. The header has a version, three bytes of a checksum over the
 * rest of it, four bytes of chance, and the time of the last put. An ETag is a digest of the bytes: without chance and time an object that was put again could
 * not be told from the one before, and a sweep that looked at it earlier would take it from under its writer.
 */
import { digestOf, type Digest } from '../../core/journal/digest.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { BlobInfo, BlobStore } from '../../ports/blobs.ts';
import { damagedBlob, refuseLargeBlob } from '../../core/journal/blob-faults.ts';
import { inParallel, type Bucket } from './bucket.ts';
import { damagedObject } from './errors.ts';
import { blobKey } from './keys.ts';

const headerBytes = 16;
const version = 1;

/** What this connection has put: so that putting the same again, as a signer's key with each entry, takes one request. */
export type BlobsPut = Map<Digest, { readonly etag: string; readonly putAt: number }>;
const rememberedMax = 500;

function withHeader(bytes: Uint8Array, at: number): Uint8Array {
  const whole = new Uint8Array(headerBytes + bytes.length);
  globalThis.crypto.getRandomValues(whole.subarray(4, 8));
  new DataView(whole.buffer).setFloat64(8, at);
  whole[0] = version;
  whole.set(checksum(whole), 1);
  whole.set(bytes, headerBytes);
  return whole;
}

function checksum(header: Uint8Array): Uint8Array {
  return Buffer.from(sha256Hex(header.subarray(4, headerBytes)).slice(0, 6), 'hex');
}

function putAtOf(key: string, header: Uint8Array): number {
  const isWhole = header.length >= headerBytes && header[0] === version;
  if (!isWhole || !Buffer.from(header.subarray(1, 4)).equals(checksum(header))) throw damagedObject(key);
  return new DataView(header.buffer, header.byteOffset).getFloat64(8);
}

export async function putBlob(
  bucket: Bucket,
  known: BlobsPut,
  bytes: Uint8Array,
  at: number,
): Promise<Digest> {
  refuseLargeBlob(bytes);
  const digest = digestOf(bytes);
  const key = blobKey(digest);
  const there = known.get(digest);
  let base = there?.etag ?? null;
  let putAt = at;
  if (there !== undefined && there.putAt > at) putAt = there.putAt;
  for (;;) {
    const whole = withHeader(bytes, putAt);
    const mine = Buffer.from(whole.subarray(0, headerBytes));
    const outcome = await bucket.swap(key, {
      base,
      bytes: whole,
      isMine: (found) => mine.equals(found.subarray(0, headerBytes)),
      enough: headerBytes,
    });
    if (outcome.won) {
      remember(known, digest, { etag: outcome.etag, putAt });
      return digest;
    }
    base = outcome.found?.etag ?? null;
    if (outcome.found === undefined) continue;
    const last = putAtOf(key, outcome.found.bytes);
    remember(known, digest, { etag: outcome.found.etag, putAt: last });
    // A damaged blob is not mended by this: its digest is looked at when it is read.
    if (last >= at) return digest;
    putAt = at;
  }
}

function remember(
  known: BlobsPut,
  digest: Digest,
  put: { readonly etag: string; readonly putAt: number },
): void {
  known.delete(digest);
  known.set(digest, put);
  const [oldest] = known.size > rememberedMax ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
}

async function getBlob(bucket: Bucket, digest: Digest): Promise<Uint8Array | undefined> {
  const key = blobKey(digest);
  const found = await bucket.get(key);
  if (found === undefined) return undefined;
  putAtOf(key, found.bytes);
  const content = found.bytes.slice(headerBytes);
  if (digestOf(content) !== digest) throw damagedBlob(digest);
  return content;
}

export function s3Blobs(bucket: Bucket, known: BlobsPut): BlobStore {
  return {
    put: async (bytes, at) => await putBlob(bucket, known, bytes, at),
    get: async (digest) => await getBlob(bucket, digest),
    getMany: async (digests) => await inParallel(digests, async (digest) => await getBlob(bucket, digest)),
    async remove(digest, putBefore) {
      const key = blobKey(digest);
      for (;;) {
        const found = await bucket.get(key, headerBytes);
        if (found === undefined || putAtOf(key, found.bytes) >= putBefore) return false;
        known.delete(digest);
        if (await bucket.removeIf(key, found.etag)) return true;
      }
    },
    async list(after, limit) {
      const { objects } = await bucket.list('b/', after === undefined ? '' : blobKey(after), limit);
      const infos = await inParallel(objects, async ({ key, bytes }): Promise<BlobInfo | undefined> => {
        const header = await bucket.get(key, headerBytes);
        if (header === undefined) return undefined;
        const digest: Digest = `sha256:${key.slice('b/'.length)}`;
        return { digest, bytes: bytes - headerBytes, putAt: putAtOf(key, header.bytes) };
      });
      return infos.filter((info) => info !== undefined);
    },
  };
}
