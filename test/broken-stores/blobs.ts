import { tick } from '../../src/conformance/case.ts';
import { digestOf } from '../../src/core/journal/digest.ts';
import { isStaffettaError, StaffettaError } from '../../src/core/base/error.ts';
import { limits } from '../../src/core/base/limits.ts';
import type { BlobInfo } from '../../src/ports/index.ts';
import { broken, type BrokenStore, type Spoil } from './broken.ts';

/** A list that makes its own page of all there is. */
const listing =
  (
    page: (all: readonly BlobInfo[], after: string | undefined, limit: number) => readonly BlobInfo[],
  ): Spoil =>
  () =>
  ({ blobs }) => ({
    blobs: { list: async (after, limit) => page(await blobs.list(undefined, 1000), after, limit) },
  });

const keeping: readonly BrokenStore[] = [
  broken('BS1', 'put returns another digest', () => ({ blobs }) => ({
    blobs: {
      async put(bytes, at) {
        await blobs.put(bytes, at);
        return digestOf(`blob ${bytes.length}\0`);
      },
    },
  })),
  broken('BS1', 'every put stores the bytes once more', () => {
    const copies: BlobInfo[] = [];
    return ({ blobs }) => ({
      blobs: {
        async put(bytes, at) {
          const digest = await blobs.put(bytes, at);
          copies.push({ digest, bytes: bytes.length, putAt: at });
          return digest;
        },
        list: async (after, limit) =>
          copies.filter((copy) => after === undefined || copy.digest > after).slice(0, limit),
      },
    });
  }),
  broken('BS2', 'close loses the blobs', (world) => () => ({ close: async () => world.blobs.clear() })),
  broken('BS3', 'bytes are read as text', () => ({ blobs }) => ({
    blobs: {
      async get(digest) {
        const bytes = await blobs.get(digest);
        return bytes && new Uint8Array(Buffer.from(Buffer.from(bytes).toString()));
      },
    },
  })),
  broken('BS3', 'an empty blob is not found', () => ({ blobs }) => ({
    blobs: {
      async get(digest) {
        const bytes = await blobs.get(digest);
        return bytes?.length === 0 ? undefined : bytes;
      },
    },
  })),
  broken('BS3', 'what is missing is empty', () => ({ blobs }) => ({
    blobs: { get: async (digest) => (await blobs.get(digest)) ?? new Uint8Array(0) },
  })),
  broken('BS3', 'put keeps the bytes of the caller', (world) => ({ blobs }) => ({
    blobs: {
      async put(bytes, at) {
        const digest = await blobs.put(bytes, at);
        world.blobs.set(digest, { bytes, putAt: at });
        return digest;
      },
      get: async (digest) => world.blobs.get(digest)?.bytes.slice(),
    },
  })),
  broken('BS3', 'get gives its own bytes away', (world) => () => ({
    blobs: { get: async (digest) => world.blobs.get(digest)?.bytes },
  })),
  broken('BS3', 'of a part the whole buffer is stored', () => ({ blobs }) => ({
    blobs: { put: async (bytes, at) => await blobs.put(new Uint8Array(bytes.buffer), at) },
  })),
  broken('BS4', 'get does not compare bytes and digest', (world) => () => ({
    blobs: { get: async (digest) => world.blobs.get(digest)?.bytes.slice() },
  })),
  broken('BS4', 'a spoiled blob is taken for a missing one', () => ({ blobs }) => ({
    blobs: {
      async get(digest) {
        try {
          return await blobs.get(digest);
        } catch (error) {
          if (isStaffettaError(error, 'corrupt')) return undefined;
          throw error;
        }
      },
    },
  })),
  broken('BS4', 'one spoiled blob is taken for a spoiled store', (world) => ({ blobs }) => ({
    blobs: {
      async get(digest) {
        for (const one of world.blobs.keys()) await blobs.get(one);
        return await blobs.get(digest);
      },
    },
  })),
];

const removing: readonly BrokenStore[] = [
  broken('BS5', 'remove does not look at the time', () => ({ blobs }) => ({
    blobs: { remove: async (digest) => await blobs.remove(digest, Infinity) },
  })),
  broken('BS5', 'remove takes what was put at that very time', () => ({ blobs }) => ({
    blobs: { remove: async (digest, before) => await blobs.remove(digest, before + 1) },
  })),
  broken('BS5', 'remove does nothing', () => () => ({ blobs: { remove: async () => false } })),
  broken('BS5', 'remove says that it did, whether or not', () => ({ blobs }) => ({
    blobs: {
      async remove(digest, before) {
        await blobs.remove(digest, before);
        return true;
      },
    },
  })),
  broken('BS5', 'remove takes all that were put before', (world) => ({ blobs }) => ({
    blobs: {
      async remove(digest, before) {
        for (const other of world.blobs.keys()) if (other !== digest) await blobs.remove(other, before);
        return await blobs.remove(digest, before);
      },
    },
  })),
  broken('BS5', 'remove checks, waits, and then deletes', (world) => () => ({
    blobs: {
      async remove(digest, before) {
        const blob = world.blobs.get(digest);
        if (blob === undefined || blob.putAt >= before) return false;
        await tick();
        world.blobs.delete(digest);
        return true;
      },
    },
  })),
  broken('BS6', 'putting again does not count', () => ({ blobs }) => ({
    blobs: {
      async put(bytes, at) {
        const there = (await blobs.get(digestOf(bytes))) !== undefined;
        return there ? digestOf(bytes) : await blobs.put(bytes, at);
      },
    },
  })),
  broken('BS6', 'putting again with an append does not count', () => ({ journal }) => ({
    journal: { append: async (append) => await journal.append({ ...append, at: 0 }) },
  })),
  broken('BS6', 'putting again can make the last put earlier', (world) => ({ blobs }) => ({
    blobs: {
      async put(bytes, at) {
        const digest = await blobs.put(bytes, at);
        const blob = world.blobs.get(digest);
        if (blob !== undefined) blob.putAt = at;
        return digest;
      },
    },
  })),
  broken('BS6', 'remove decides, waits, and then deletes', (world) => () => ({
    blobs: {
      async remove(digest, before) {
        const doomed = (world.blobs.get(digest)?.putAt ?? Infinity) < before;
        await tick();
        return doomed && world.blobs.delete(digest);
      },
    },
  })),
];

const listings: readonly BrokenStore[] = [
  broken(
    'BS7',
    'list is in descending order',
    listing((all, after, limit) =>
      all
        .filter(({ digest }) => after === undefined || digest < after)
        .toReversed()
        .slice(0, limit),
    ),
  ),
  broken(
    'BS7',
    'a page begins with the one before',
    listing((all, after, limit) =>
      all.filter(({ digest }) => after === undefined || digest >= after).slice(0, Math.max(limit, 2)),
    ),
  ),
  broken(
    'BS7',
    'a page begins at the beginning if the one before is gone',
    listing((all, after, limit) => {
      const from = all.findIndex(({ digest }) => digest === after) + 1;
      return all.slice(from, from + limit);
    }),
  ),
  broken(
    'BS7',
    'the last blob is forgotten',
    listing((all, after, limit) =>
      all
        .slice(0, -1)
        .filter(({ digest }) => after === undefined || digest > after)
        .slice(0, limit),
    ),
  ),
  broken('BS7', 'sizes are those of the compressed bytes', () => ({ blobs }) => ({
    blobs: {
      list: async (after, limit) =>
        (await blobs.list(after, limit)).map((info) => ({ ...info, bytes: Math.min(info.bytes, 500) })),
    },
  })),
  broken('BS7', 'the first put is taken for the last', () => {
    const firsts = new Map<string, number>();
    return ({ blobs }) => ({
      blobs: {
        async put(bytes, at) {
          const digest = await blobs.put(bytes, at);
          if (!firsts.has(digest)) firsts.set(digest, at);
          return digest;
        },
        list: async (after, limit) =>
          (await blobs.list(after, limit)).map((info) => ({ ...info, putAt: firsts.get(info.digest) ?? 0 })),
      },
    });
  }),
];

const limiting: readonly BrokenStore[] = [
  broken('BS8', 'a blob of exactly the limit is refused', () => ({ blobs }) => ({
    blobs: {
      async put(bytes, at) {
        if (bytes.length >= limits.blobBytesMax) throw new StaffettaError('too-large', 'It is too large.');
        return await blobs.put(bytes, at);
      },
    },
  })),
  broken('BS8', 'a blob over the limit is cut', () => ({ blobs }) => ({
    blobs: { put: async (bytes, at) => await blobs.put(bytes.subarray(0, limits.blobBytesMax), at) },
  })),
  broken('BS8', 'an append over the limit is stored without the large blob', () => ({ journal }) => ({
    journal: {
      async append(append) {
        const blobs = append.blobs?.filter((blob) => blob.length <= limits.blobBytesMax) ?? [];
        return await journal.append({ ...append, blobs });
      },
    },
  })),
];

const together: readonly BrokenStore[] = [
  broken('BS9', 'many come in the order of their digests', () => ({ blobs }) => ({
    blobs: {
      getMany: async (digests) =>
        await Promise.all(digests.toSorted().map(async (digest) => await blobs.get(digest))),
    },
  })),
  broken('BS9', 'of many, the missing are left out', () => ({ blobs }) => ({
    blobs: {
      async getMany(digests) {
        const all = await Promise.all(digests.map(async (digest) => await blobs.get(digest)));
        return all.filter((bytes) => bytes !== undefined);
      },
    },
  })),
  broken('BS9', 'one that comes twice is returned once', () => ({ blobs }) => ({
    blobs: {
      getMany: async (digests) =>
        await Promise.all([...new Set(digests)].map(async (digest) => await blobs.get(digest))),
    },
  })),
  broken('BS9', 'of many, bytes and digest are not compared', (world) => () => ({
    blobs: { getMany: async (digests) => digests.map((digest) => world.blobs.get(digest)?.bytes) },
  })),
];

const beginning: readonly BrokenStore[] = [
  broken('BS10', 'begin stores the bytes already', (world) => () => ({
    blobs: {
      begin(bytes) {
        const digest = digestOf(bytes);
        world.blobs.set(digest, { bytes: Uint8Array.from(bytes), putAt: 0 });
        return digest;
      },
    },
  })),
  broken('BS10', 'begin returns the digest of something else', () => () => ({
    blobs: { begin: (bytes) => digestOf(`begun ${bytes.length}`) },
  })),
  broken('BS10', 'what was begun is taken for stored', () => ({ blobs }) => {
    const begun = new Set<string>();
    return {
      blobs: {
        begin(bytes) {
          const digest = digestOf(bytes);
          begun.add(digest);
          return digest;
        },
        async put(bytes, at) {
          return begun.has(digestOf(bytes)) ? digestOf(bytes) : await blobs.put(bytes, at);
        },
      },
    };
  }),
  broken('BS10', 'begin takes what is over the limit', () => () => ({
    blobs: { begin: (bytes) => digestOf(bytes) },
  })),
];

export const brokenBlobs: readonly BrokenStore[] = [
  ...keeping,
  ...removing,
  ...listings,
  ...limiting,
  ...together,
  ...beginning,
];
