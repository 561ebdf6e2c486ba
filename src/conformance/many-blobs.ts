import { digestOf } from '../core/digest.ts';
import type { Bench } from './bench.ts';
import { refused, same, sameBytes, type Case } from './case.ts';
import { noise, noon, numbers, prose } from './sample.ts';

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
        await refused(async () => await blobs.getMany?.([sound, spoiled]), 'corrupt', 'a spoiled one');
        sameBytes((await blobs.getMany([sound]))[0], prose(2000), 'a sound blob');
      }
    },
  },
];
