import { digestOf, type Digest } from '../core/journal/digest.ts';
import { limits } from '../core/base/limits.ts';
import type { BlobInfo } from '../ports/blobs.ts';
import type { Store } from '../ports/store.ts';
import type { Bench } from './bench.ts';
import { check, expectRefusal, same, sameBytes, type Case } from './case.ts';
import { noise, noon, numbers, oddTexts, prose, sampleAppend, sampleTask, appendAll } from './sample.ts';

const samples: Readonly<Record<string, Uint8Array>> = {
  'no bytes': new Uint8Array(0),
  'one zero byte': Uint8Array.of(0),
  'every byte': Uint8Array.from(numbers(256)),
  'broken UTF-8': Uint8Array.of(0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80),
  'a little text': prose(100),
  'text of 511 bytes': prose(511),
  'text of 512 bytes': prose(512),
  'a long text': prose(300_000),
  'long noise': noise(300_000, 5),
};

/** Short and long, and of every kind that a store may keep in a form of its own. */
const spoilable: readonly Uint8Array[] = [
  Uint8Array.of(7),
  prose(100),
  ...oddTexts.slice(0, 2).map((text) => Buffer.from(text)),
  noise(2000, 2),
  prose(20_000),
  noise(20_000, 2),
];

const missing: Digest = digestOf('nobody put this');

async function putAll(store: Store, count: number): Promise<BlobInfo[]> {
  const infos: BlobInfo[] = [];
  for (const n of numbers(count)) {
    const bytes = prose(n * 100 + 1);
    infos.push({ digest: await store.blobs.put(bytes, noon + n), bytes: bytes.length, putAt: noon + n });
  }
  return infos.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
}

async function listed(store: Store, limit: number): Promise<BlobInfo[]> {
  const infos: BlobInfo[] = [];
  for (;;) {
    const page = await store.blobs.list(infos.at(-1)?.digest, limit);
    check(page.length <= limit, `a page of ${page.length} where ${limit} were asked for`);
    check(infos.length < 1000, 'paging does not come to an end');
    if (page.length === 0) return infos;
    infos.push(...page);
  }
}

const keeping: readonly Case<Bench>[] = [
  {
    id: 'BS1',
    title: 'put returns the SHA-256 of the bytes, whatever they are',
    run: async ({ a }) => {
      for (const [name, bytes] of Object.entries(samples))
        same(await a.blobs.put(bytes, noon), digestOf(bytes), `the digest of ${name}`);
    },
  },
  {
    id: 'BS1',
    title: 'the same bytes put many times at once, on two connections, are stored once',
    run: async ({ a, b }) => {
      const bytes = prose(3000);
      const digests = await Promise.all(
        numbers(8).map(async (n) => await (n % 2 === 0 ? a : b).blobs.put(bytes, noon + n)),
      );
      same([...new Set(digests)], [digestOf(bytes)], 'the digests');
      same(
        await listed(a, 10),
        [{ digest: digestOf(bytes), bytes: 3000, putAt: noon + 7 }],
        'what is stored',
      );
      sameBytes(await b.blobs.get(digestOf(bytes)), bytes, 'the bytes');
    },
  },
  {
    id: 'BS2',
    title: 'blobs are there after closing and opening again',
    run: async ({ a, b, reopen }) => {
      for (const [n, bytes] of Object.values(samples).entries())
        await (n % 2 === 0 ? a : b).blobs.put(bytes, noon);
      const again = await reopen();
      for (const [name, bytes] of Object.entries(samples))
        sameBytes(await again.blobs.get(digestOf(bytes)), bytes, name);
      same((await listed(again, 100)).length, Object.keys(samples).length, 'blobs listed');
    },
  },
  {
    id: 'BS3',
    title: 'get returns exactly the bytes put, on any connection',
    run: async ({ a, b }) => {
      for (const bytes of Object.values(samples)) await a.blobs.put(bytes, noon);
      for (const [name, bytes] of Object.entries(samples))
        for (const store of [a, b]) {
          const got = await store.blobs.get(digestOf(bytes));
          check(got instanceof Uint8Array, `${name}: got no bytes`);
          sameBytes(got, bytes, name);
        }
    },
  },
  {
    id: 'BS3',
    title: 'text comes back as it was written, whatever a store makes of it',
    run: async ({ a, b }) => {
      const texts = [...oddTexts, '{\u0000}'].map((text) => Buffer.from(text));
      const cut = texts.map((text) => text.subarray(0, -1));
      for (const bytes of [...texts, ...cut]) {
        const digest = await a.blobs.put(bytes, noon);
        sameBytes(await b.blobs.get(digest), bytes, `text of ${bytes.length} bytes`);
      }
    },
  },
  {
    id: 'BS3',
    title: 'blobs of every length come back whole, in whatever pieces they are kept',
    run: async ({ a, b }) => {
      const lengths = [9, 10, 11, 12, 13, 16].flatMap((power) => [-1, 0, 1].map((more) => 2 ** power + more));
      lengths.push(...numbers(25).map((n) => 1000 + n * 83));
      const blobs = lengths.flatMap((length) => [noise(length, length), prose(length)]);
      await appendAll(a, sampleAppend(sampleTask(1), 0, { blobs }));
      for (const blob of blobs)
        sameBytes(await b.blobs.get(digestOf(blob)), blob, `a blob of ${blob.length} bytes`);
    },
  },
  {
    id: 'BS3',
    title: 'get returns undefined for what was never put',
    run: async ({ a, b }) => {
      same(await a.blobs.get(missing), undefined, 'a blob of an empty store');
      await b.blobs.put(prose(100), noon);
      same(await a.blobs.get(missing), undefined, 'a blob that nobody put');
    },
  },
  {
    id: 'BS3',
    title: 'what the caller does with its bytes before or after changes nothing in the store',
    run: async ({ a, b }) => {
      for (const wanted of [prose(1000), noise(1000, 9)]) {
        const [given, brought] = [Uint8Array.from(wanted), Uint8Array.from(wanted)];
        brought[1] = 0;
        const [alone, within] = [digestOf(given), digestOf(brought)];
        const whole = Uint8Array.from(brought);
        await a.blobs.put(given, noon);
        await appendAll(a, sampleAppend(sampleTask(given[0] ?? 0), 0, { blobs: [brought] }));
        given.fill(0);
        brought.fill(0);
        const got = await a.blobs.get(alone);
        got?.fill(0);
        for (const store of [a, b]) {
          sameBytes(await store.blobs.get(alone), wanted, 'the bytes put');
          sameBytes(await store.blobs.get(within), whole, 'the bytes of an append');
        }
      }
    },
  },
  {
    id: 'BS3',
    title: 'a part of a larger buffer is stored as that part',
    run: async ({ a, b }) => {
      const whole = noise(4096, 11);
      const part = whole.subarray(1001, 2003);
      const digest = await a.blobs.put(part, noon);
      same(digest, digestOf(Uint8Array.from(part)), 'the digest');
      sameBytes(await b.blobs.get(digest), Uint8Array.from(part), 'the part');
    },
  },
  ...(['flip', 'cut'] as const).map((how): Case<Bench> => ({
    id: 'BS4',
    title: `get throws corrupt after ${how === 'flip' ? 'a bit was turned over' : 'the end was lost'}, and still serves other blobs`,
    needs: 'damage',
    run: async ({ a, b, damage }) => {
      const sound = await a.blobs.put(prose(2000), noon);
      for (const bytes of spoilable) {
        const digest = await a.blobs.put(bytes, noon);
        await damage(digest, how);
        for (const store of [a, b])
          await expectRefusal(
            async () => await store.blobs.get(digest),
            'corrupt',
            `a spoiled blob of ${bytes.length} bytes`,
          );
      }
      sameBytes(await b.blobs.get(sound), prose(2000), 'a sound blob');
    },
  })),
];

const removing: readonly Case<Bench>[] = [
  {
    id: 'BS5',
    title: 'remove deletes a blob last put before the given time, and no other',
    run: async ({ a, b }) => {
      const digest = await a.blobs.put(prose(1000), noon);
      const other = await a.blobs.put(prose(1001), noon);
      for (const time of [0, noon - 1, noon])
        check(!(await b.blobs.remove(digest, time)), `removed what was put at ${noon}, before ${time}`);
      sameBytes(await a.blobs.get(digest), prose(1000), 'the blob before it is removed');
      check(await b.blobs.remove(digest, noon + 1), 'remove said that it did nothing');
      for (const store of [a, b]) same(await store.blobs.get(digest), undefined, 'the removed blob');
      same(
        (await listed(a, 10)).map((info) => info.digest),
        [other],
        'the blobs left',
      );
      sameBytes(await a.blobs.get(other), prose(1001), 'the other blob');
    },
  },
  {
    id: 'BS5',
    title: 'remove of what is not there, or no longer, says that it did nothing',
    run: async ({ a, b }) => {
      check(!(await a.blobs.remove(missing, noon * 2)), 'removed what was never put');
      const digest = await a.blobs.put(prose(10), noon);
      check(await a.blobs.remove(digest, noon * 2), 'remove said that it did nothing');
      check(!(await b.blobs.remove(digest, noon * 2)), 'removed the same blob twice');
      await b.blobs.put(prose(10), noon);
      sameBytes(await a.blobs.get(digest), prose(10), 'a blob put again after its removal');
    },
  },
  {
    id: 'BS5',
    title: 'removing some of many leaves the others whole, also when more are put afterwards',
    run: async ({ a, b }) => {
      const blobs = numbers(12).map((n) => noise(1300 + 150 * n, n + 1));
      for (const blob of blobs.slice(0, 9)) await a.blobs.put(blob, noon);
      const gone = blobs.filter((_, n) => n % 3 === 2 && n < 9);
      for (const blob of gone) check(await b.blobs.remove(digestOf(blob), noon + 1), 'remove did nothing');
      for (const blob of blobs.slice(9)) await a.blobs.put(blob, noon);
      for (const blob of blobs) {
        const got = await b.blobs.get(digestOf(blob));
        if (gone.includes(blob)) same(got, undefined, 'a removed blob');
        else sameBytes(got, blob, `a blob of ${blob.length} bytes`);
      }
      same((await listed(a, 100)).length, 9, 'blobs listed');
    },
  },
  {
    id: 'BS5',
    title: 'of eight concurrent removals of a blob on two connections one says that it did',
    run: async ({ a, b }) => {
      const digest = await a.blobs.put(prose(1000), noon);
      const outcomes = await Promise.all(
        numbers(8).map(async (n) => await (n % 2 === 0 ? a : b).blobs.remove(digest, noon + 1)),
      );
      same(outcomes.filter(Boolean).length, 1, 'removals that say they did');
    },
  },
  {
    id: 'BS6',
    title: 'putting again, alone or with an append, saves a blob from a removal for what was put earlier',
    run: async ({ a, b }) => {
      const [alone, within] = [prose(1000), prose(2000)];
      for (const bytes of [alone, within]) await a.blobs.put(bytes, noon);
      await b.blobs.put(alone, noon + 10);
      await appendAll(b, sampleAppend(sampleTask(1), 0, { at: noon + 10, blobs: [within] }));
      for (const bytes of [alone, within]) {
        check(!(await a.blobs.remove(digestOf(bytes), noon + 10)), 'removed what was put again since');
        sameBytes(await b.blobs.get(digestOf(bytes)), bytes, 'the blob put again');
        check(await a.blobs.remove(digestOf(bytes), noon + 11), 'could not be removed later either');
      }
    },
  },
  {
    id: 'BS6',
    title: 'putting again with an earlier time does not make the last put earlier',
    run: async ({ a, b }) => {
      const digest = await a.blobs.put(prose(1000), noon);
      await b.blobs.put(prose(1000), noon - 10);
      same((await a.blobs.list(undefined, 1))[0]?.putAt, noon, 'the last put');
      check(!(await a.blobs.remove(digest, noon)), 'removed a blob by the time of an earlier put');
    },
  },
  {
    id: 'BS6',
    title: 'of a removal and a put at the same time, the put has the last word',
    run: async ({ a, b }) => {
      for (const n of numbers(12)) {
        const bytes = noise(600, n + 1);
        await a.blobs.put(bytes, noon);
        const put = async (): Promise<unknown> => await b.blobs.put(bytes, noon + 10);
        const remove = async (): Promise<unknown> => await a.blobs.remove(digestOf(bytes), noon + 5);
        await Promise.all(n % 2 === 0 ? [put(), remove()] : [remove(), put()]);
        sameBytes(await a.blobs.get(digestOf(bytes)), bytes, 'the blob put during a removal');
      }
    },
  },
];

const listing: readonly Case<Bench>[] = [
  {
    id: 'BS7',
    title: 'list shows each blob once, in ascending order, with its own size and last put',
    run: async ({ a, b }) => {
      same(await a.blobs.list(undefined, 10), [], 'the blobs of an empty store');
      const infos = await putAll(a, 9);
      await b.blobs.put(prose(1), noon + 100);
      const wanted = infos.map((info) => (info.bytes === 1 ? { ...info, putAt: noon + 100 } : info));
      same(await b.blobs.list(undefined, 100), wanted, 'the blobs');
    },
  },
  {
    id: 'BS7',
    title: 'pages of any size give every blob once, in the same order',
    run: async ({ a, b }) => {
      const infos = await putAll(a, 9);
      for (const limit of [1, 2, 4, 8, 9, 10]) same(await listed(b, limit), infos, `pages of ${limit}`);
    },
  },
  {
    id: 'BS7',
    title: 'a page begins after the given digest, whether or not that is still there',
    run: async ({ a, b }) => {
      const infos = await putAll(a, 6);
      const third = infos[2]?.digest ?? missing;
      check(await b.blobs.remove(third, noon * 2), 'remove said that it did nothing');
      same(await a.blobs.list(third, 10), infos.slice(3), 'the page after a removed blob');
      same(await a.blobs.list(infos.at(-1)?.digest, 10), [], 'the page after the last blob');
    },
  },
  {
    id: 'BS7',
    title: 'sizes are those of the bytes, however they are kept, also for blobs of an append',
    run: async ({ a, b }) => {
      const blobs = Object.values(samples);
      await appendAll(a, sampleAppend(sampleTask(1), 0, { at: noon + 3, blobs }));
      for (const { digest, bytes, putAt } of await b.blobs.list(undefined, 100)) {
        const blob = blobs.find((one) => digestOf(one) === digest);
        same([bytes, putAt], [blob?.length, noon + 3], `size and last put of ${digest}`);
      }
    },
  },
];

const limiting: readonly Case<Bench>[] = [
  {
    id: 'BS8',
    title: 'a blob of exactly the limit is kept',
    run: async ({ a, b }) => {
      const bytes = noise(limits.blobBytesMax, 1);
      const digest = await a.blobs.put(bytes, noon);
      sameBytes(await b.blobs.get(digest), bytes, 'the largest blob');
    },
  },
  {
    id: 'BS8',
    title: 'a blob of one byte more is refused, and nothing is stored',
    run: async ({ a, b }) => {
      const bytes = new Uint8Array(limits.blobBytesMax + 1);
      await expectRefusal(async () => await a.blobs.put(bytes, noon), 'too-large', 'a blob over the limit');
      same(await b.blobs.list(undefined, 10), [], 'what is stored');
    },
  },
  {
    id: 'BS8',
    title: 'an append that brings a blob over the limit is refused as a whole',
    run: async ({ a, b }) => {
      const blobs = [prose(100), new Uint8Array(limits.blobBytesMax + 1)];
      const append = sampleAppend(sampleTask(1), 0, { key: 'large', blobs });
      await expectRefusal(
        async () => await a.journal.append(append),
        'too-large',
        'an append over the limit',
      );
      same(await b.blobs.list(undefined, 10), [], 'the blobs stored');
      same(await b.journal.head(append.task), undefined, 'the head');
      same(await b.journal.find(append.task, 'large'), undefined, 'the key');
      same(await b.catalog.feed(0, 10), [], 'the feed');
      await appendAll(b, sampleAppend(append.task, 0, { key: 'large' }));
    },
  },
];

export const blobCases: readonly Case<Bench>[] = [...keeping, ...removing, ...listing, ...limiting];
