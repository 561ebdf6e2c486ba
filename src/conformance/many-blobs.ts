import { digestOf } from '../core/journal/digest.ts';
import type { Bench } from './bench.ts';
import { limits } from '../core/base/limits.ts';
import { expectRefusal, same, sameBytes, type Case } from './case.ts';
import { noise, noon, numbers, prose, sampleAppend, sampleTask, appendAll } from './sample.ts';

const missing = digestOf('nobody put this');

export const manyBlobsCases: readonly Case<Bench>[] = [
  {
    id: 'BS9',
    title:
      'getMany returns what get returns for each, in the order asked, what is missing and what comes twice included',
    run: async ({ a, b }) => {
      for (const store of [a, b]) {
        if (store.blobs.getMany === undefined) continue;
        const blobs = [new Uint8Array(0), prose(300_000), ...numbers(25).map((n) => noise(1000 + n * 83, n))];
        for (const bytes of blobs) await a.blobs.put(bytes, noon);
        const asked = [...blobs.map((bytes) => digestOf(bytes)), missing, digestOf(noise(1000, 0)), missing];
        const got = await store.blobs.getMany(asked.toReversed());
        same(got.length, asked.length, 'how many were returned');
        for (const [i, digest] of asked.toReversed().entries()) {
          const one = await store.blobs.get(digest);
          if (one === undefined) same(got[i], undefined, `number ${i}, which is missing`);
          else sameBytes(got[i], one, `number ${i}`);
        }
        same(await store.blobs.getMany([]), [], 'of nothing');
      }
    },
  },
  {
    id: 'BS9',
    title: 'getMany throws corrupt where one of them is spoiled',
    needs: 'damage',
    run: async ({ a, b, damage }) => {
      const sound = await a.blobs.put(prose(2000), noon);
      const spoiled = await a.blobs.put(noise(2000, 2), noon);
      await damage(spoiled, 'flip');
      for (const { blobs } of [a, b]) {
        if (blobs.getMany === undefined) continue;
        await expectRefusal(async () => await blobs.getMany?.([sound, spoiled]), 'corrupt', 'a spoiled one');
        sameBytes((await blobs.getMany([sound]))[0], prose(2000), 'a sound blob');
      }
    },
  },
  {
    id: 'BS10',
    title: 'begin returns the digest and stores nothing, and what is put after it is what was begun',
    run: async ({ a, b }) => {
      const { blobs } = a;
      if (blobs.begin === undefined) return;
      const all = [new Uint8Array(0), prose(50), prose(9000), prose(700_000), noise(400_000, 3)];
      for (const bytes of all) same(blobs.begin(bytes), digestOf(bytes), `digest of ${bytes.length} bytes`);
      for (const { blobs: seen } of [a, b]) same(await seen.list(undefined, 10), [], 'what is stored');
      const [first, ...others] = all;
      await blobs.put(first ?? prose(1), noon);
      await appendAll(a, sampleAppend(sampleTask(1), 0, { blobs: others }));
      for (const bytes of all) {
        sameBytes(await b.blobs.get(digestOf(bytes)), bytes, `${bytes.length} bytes`);
        same(await blobs.put(bytes, noon + 1), digestOf(bytes), 'a second put');
      }
      same((await b.blobs.list(undefined, 10)).length, all.length, 'how many are stored');
    },
  },
  {
    id: 'BS10',
    title: 'what was begun and is never put leaves nothing behind, and too much of it is refused',
    run: async ({ a, b, reopen }) => {
      const { begin } = a.blobs;
      if (begin === undefined) return;
      begin(prose(300_000));
      await expectRefusal(
        async () => await a.blobs.put(new Uint8Array(limits.blobBytesMax + 1), noon),
        'too-large',
        'a blob over the limit',
      );
      await expectRefusal(
        // A refusal may be thrown at once.
        async () => await Promise.resolve(begin(new Uint8Array(limits.blobBytesMax + 1))),
        'too-large',
        'the beginning of a blob over the limit',
      );
      await a.blobs.put(prose(10), noon);
      same((await b.blobs.list(undefined, 10)).length, 1, 'what is stored');
      same(
        (await (await reopen()).blobs.list(undefined, 10)).length,
        1,
        'what is stored after opening again',
      );
    },
  },
];
