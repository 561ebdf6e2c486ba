import { digestOf } from '../core/journal/digest.ts';
import type { Hint } from '../ports/mailbox.ts';
import type { Store } from '../ports/store.ts';
import type { Bench } from './bench.ts';
import { check, expectRefusal, same, sameBytes, type Case } from './case.ts';
import { appendSome, noise, noon, numbers, prose, sampleAppend, sampleTask, appendAll } from './sample.ts';

const task = sampleTask(1);
const hint: Hint = { to: 'anyone', task, offer: 1, due: noon };
const waiting = { now: noon, hideMs: 1000, limit: 10 };

/** Every call of a store but `backup`, which writes somewhere else. */
function callsOf({
  journal,
  catalog,
  blobs,
  mailbox,
  upkeep,
}: Store): Record<string, () => Promise<unknown>> {
  const { compact } = upkeep;
  return {
    'journal.head': async () => await journal.head(task),
    'journal.append': async () => await journal.append(sampleAppend(task, 1)),
    'journal.read': async () => await journal.read(task, 0, 10),
    'journal.find': async () => await journal.find(task, 'key'),
    'journal.keys': async () => await journal.keys(task),
    'journal.renew': async () => await journal.renew(task, 1, noon),
    'journal.remove': async () => await journal.remove(task, 0, 0),
    'catalog.list': async () => await catalog.list({ limit: 10 }),
    'catalog.resolve': async () => await catalog.resolve('t', 10),
    'catalog.feed': async () => await catalog.feed(0, 10),
    'catalog.keyed': async () => await catalog.keyed('key', 10),
    'blobs.put': async () => await blobs.put(prose(10), noon),
    'blobs.get': async () => await blobs.get(digestOf(prose(10))),
    'blobs.remove': async () => await blobs.remove(digestOf(prose(10)), noon),
    'blobs.list': async () => await blobs.list(undefined, 10),
    'mailbox.send': async () => await mailbox.send(hint),
    'mailbox.receive': async () => await mailbox.receive(['anyone'], waiting),
    'mailbox.settle': async () => await mailbox.settle({ ...hint, receipt: '1:1', deliveries: 1 }),
    'upkeep.check': async () => await upkeep.check(),
    'upkeep.removed': async () => await upkeep.removed(task),
    'upkeep.secret': async () => await upkeep.secret(),
    'upkeep.facts': async () => await upkeep.facts(),
    ...(blobs.getMany === undefined
      ? {}
      : { 'blobs.getMany': async () => await blobs.getMany?.([digestOf('x')]) }),
    ...(compact === undefined ? {} : { 'upkeep.compact': async () => await compact() }),
  };
}

export const storeCases: readonly Case<Bench>[] = [
  {
    id: 'ST1',
    title: 'every kind of write is seen at once on the other connection, in both directions',
    run: async ({ a, b }) => {
      for (const [n, [from, to]] of [[a, b] as const, [b, a] as const].entries()) {
        const id = sampleTask(10 + n);
        await appendAll(from, sampleAppend(id, 0, { lease: { set: { generation: 1, until: noon } } }));
        same((await to.journal.head(id))?.seq, 0, 'the head after an append');
        await from.journal.renew(id, 1, noon + 1);
        same((await to.journal.head(id))?.lease?.until, noon + 1, 'the lease after a renewal');
        check(await from.journal.remove(id, 0, 0), 'remove said that it did nothing');
        same(await to.journal.head(id), undefined, 'the head after a removal');
        const digest = await from.blobs.put(prose(100 + n), noon);
        sameBytes(await to.blobs.get(digest), prose(100 + n), 'the blob after a put');
        check(await from.blobs.remove(digest, noon + 1), 'remove said that it did nothing');
        same(await to.blobs.get(digest), undefined, 'the blob after a removal');
        await from.mailbox.send(hint);
        const [delivery] = await to.mailbox.receive(['anyone'], waiting);
        check(delivery !== undefined, 'the hint did not come after it was sent');
        await to.mailbox.settle(delivery);
        same(
          await from.mailbox.receive(['anyone'], { ...waiting, now: noon * 2 }),
          [],
          'what came after settling',
        );
      }
    },
  },
  {
    id: 'ST1',
    title: 'connections opened before and after a write see the same',
    run: async ({ a, b, open }) => {
      await appendSome(a, task, 3);
      const late = await open();
      await appendAll(late, sampleAppend(task, 3));
      for (const store of [a, b, late]) {
        same((await store.journal.head(task))?.seq, 3, 'the head');
        same(
          (await store.catalog.list({ limit: 5 })).cards.map((card) => card.seq),
          [3],
          'the card',
        );
        same((await store.catalog.feed(0, 10)).length, 4, 'entries in the feed');
      }
    },
  },
  {
    id: 'ST2',
    title: 'writes and reads that overlap on one connection all have their outcome',
    run: async ({ a, b }) => {
      await appendSome(a, task, 1);
      const digests: string[] = [];
      await Promise.all(
        numbers(8).flatMap((n) => [
          appendAll(a, sampleAppend(sampleTask(10 + n), 0, { blobs: [prose(50 + n)] })),
          a.blobs.put(noise(600, n + 1), noon).then((digest) => digests.push(digest)),
          a.mailbox.send({ ...hint, offer: n }),
          a.journal.read(task, 0, 10),
          a.catalog.list({ limit: 3 }),
        ]),
      );
      same((await b.catalog.list({ limit: 100 })).cards.length, 9, 'tasks');
      same(new Set(digests).size, 8, 'digests returned');
      same((await b.blobs.list(undefined, 100)).length, 16, 'blobs');
      same((await b.mailbox.receive(['anyone'], waiting)).length, 8, 'hints');
    },
  },
  {
    id: 'ST2',
    title: 'of eight appends of one seq that overlap on one connection exactly one is stored',
    run: async ({ a, b }) => {
      const outcomes = await Promise.all(
        numbers(8).map(
          async (n) => await a.journal.append(sampleAppend(task, 0, { body: `{"rival":${n}}` })),
        ),
      );
      same(outcomes.filter((outcome) => outcome.stored).length, 1, 'appends stored');
      same((await b.journal.read(task, 0, 10)).length, 1, 'entries');
    },
  },
  {
    id: 'ST3',
    title: 'after close every call is refused, and nothing is written',
    run: async ({ a, b }) => {
      await appendSome(a, task, 1);
      const calls = callsOf(a);
      await a.close();
      for (const [name, call] of Object.entries(calls)) await expectRefusal(call, 'store-closed', name);
      for (const [name, call] of Object.entries(callsOf(a))) await expectRefusal(call, 'store-closed', name);
      same((await b.journal.head(task))?.seq, 0, 'the head');
      same(await b.blobs.list(undefined, 10), [], 'the blobs');
      same(await b.mailbox.receive(['anyone'], waiting), [], 'the hints');
    },
  },
  {
    id: 'ST3',
    title: 'closing again is harmless, and other connections go on',
    run: async ({ a, b, open }) => {
      await appendSome(a, task, 1);
      await a.close();
      await a.close();
      await appendAll(b, sampleAppend(task, 1));
      same((await (await open()).journal.head(task))?.seq, 1, 'the head on a new connection');
    },
  },
  {
    id: 'ST4',
    title: 'check finds nothing in a store that is new, in use or swept',
    run: async ({ a, b, reopen }) => {
      same(await a.upkeep.check(), [], 'faults of a new store');
      await appendAll(a, sampleAppend(task, 0, { key: 'key', blobs: [prose(3000), noise(3000, 4)] }));
      await appendSome(b, sampleTask(2), 5);
      await a.mailbox.send(hint);
      check(!(await b.journal.append(sampleAppend(task, 0))).stored, 'a late append was stored');
      for (const store of [a, b]) same(await store.upkeep.check(), [], 'faults of a store in use');
      check(await b.journal.remove(sampleTask(2), 4, 0), 'remove said that it did nothing');
      await a.blobs.remove(digestOf(prose(3000)), noon * 2);
      await b.upkeep.compact?.();
      same(await a.upkeep.check(), [], 'faults of a swept store');
      same(await (await reopen()).upkeep.check(), [], 'faults of a swept store that was opened again');
    },
  },
  {
    id: 'ST5',
    title: 'two connections that ask at once get the same 32 bytes, and so does one opened later',
    run: async ({ a, b, open }) => {
      const [first, second] = await Promise.all([a.upkeep.secret(), b.upkeep.secret()]);
      same(first.length, 32, 'the length of the secret');
      sameBytes(second, first, 'the secret on the other connection');
      sameBytes(await (await open()).upkeep.secret(), first, 'the secret on a later connection');
      check(
        first.some((byte) => byte !== first[0]),
        'all bytes of the secret are the same',
      );
    },
  },
  {
    id: 'ST6',
    title: 'what was removed is known on every connection, apart from what never was and what is there again',
    run: async ({ a, b, reopen }) => {
      await appendSome(a, task, 3);
      same(await b.upkeep.removed(task), false, 'removed, of a task that is there');
      check(await a.journal.remove(task, 2, 0), 'remove said that it did nothing');
      same(await b.upkeep.removed(task), true, 'removed, of one that was removed');
      same(await b.upkeep.removed(sampleTask(2)), false, 'removed, of one that never was');
      const later = await reopen();
      same(await later.upkeep.removed(task), true, 'removed, after the store was opened again');
      await appendSome(later, task, 1);
      same(await later.upkeep.removed(task), false, 'removed, of one that is there again');
    },
  },
];
