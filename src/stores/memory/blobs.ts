import { digestOf, type Digest } from '../../core/journal/digest.ts';
import type { BlobInfo, BlobStore } from '../../ports/blobs.ts';
import { damagedBlob, refuseLargeBlob } from '../../core/journal/blob-faults.ts';
import type { World } from './world.ts';

export function putBlob(world: World, bytes: Uint8Array, at: number): Digest {
  refuseLargeBlob(bytes);
  const digest = digestOf(bytes);
  const there = world.blobs.get(digest);
  if (there === undefined) world.blobs.set(digest, { bytes: Uint8Array.from(bytes), putAt: at });
  else there.putAt = Math.max(there.putAt, at);
  return digest;
}

function getBlob(world: World, digest: Digest): Uint8Array | undefined {
  const blob = world.blobs.get(digest);
  if (blob === undefined) return undefined;
  if (digestOf(blob.bytes) !== digest) throw damagedBlob(digest);
  return Uint8Array.from(blob.bytes);
}

export function memoryBlobs(world: World): BlobStore {
  return {
    async put(bytes, at) {
      return putBlob(world, bytes, at);
    },
    async get(digest) {
      return getBlob(world, digest);
    },
    async getMany(digests) {
      return digests.map((digest) => getBlob(world, digest));
    },
    async remove(digest, putBefore) {
      const blob = world.blobs.get(digest);
      if (blob === undefined || blob.putAt >= putBefore) return false;
      return world.blobs.delete(digest);
    },
    async list(after, limit): Promise<readonly BlobInfo[]> {
      return [...world.blobs]
        .filter(([digest]) => after === undefined || digest > after)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([digest, blob]) => ({ digest, bytes: blob.bytes.length, putAt: blob.putAt }));
    },
  };
}
