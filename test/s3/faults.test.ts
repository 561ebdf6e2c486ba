/**
 * A server that fails at any request, in any way. One failure is not noticed: every call has the outcome that it has without. A server that is
 * silent from some request on is a process that was killed there: whatever was acknowledged is there, whole, and work goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { noon, numbers, prose, sampleAppend, sampleCard, sampleTask } from '../../src/conformance/sample.ts';
import { urlAddress } from '../../src/ports/store-address.ts';
import type { Store } from '../../src/ports/store.ts';
import { openS3Store } from '../../src/stores/s3/open.ts';
import { sample } from '../support/sample.ts';
import { withCredentials } from './credentials.ts';
import { S3Double, type Harm } from './double.ts';

let double: S3Double;
withCredentials();
beforeAll(async () => {
  double = await S3Double.start('relay');
});
afterAll(() => double.stop());

async function connect(): Promise<Store> {
  const address = urlAddress(`aws://relay?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}`);
  return await openS3Store(address, { create: true, pauseMs: 0.2 });
}

const [task, other, third] = [sampleTask(1), sampleTask(2), sampleTask(3)];
const blob = prose(300);

type Act = (store: Store) => Promise<unknown>;

/** What agents do with a task, as calls of the ports. Each gives what its caller goes by. */
const acts: readonly Act[] = [
  async ({ journal }) =>
    await journal.append(
      sampleAppend(task, 0, {
        key: 'open',
        blobs: [blob],
        card: sampleCard(task, { status: 'offered' }),
        hint: { send: { to: 'agent:ada', task, offer: 1, due: noon } },
      }),
    ),
  async ({ mailbox }) => {
    const came = await mailbox.receive(['agent:ada'], { now: noon, hideMs: 1000, limit: 1 });
    return came.map(({ to, offer, deliveries }) => [to, offer, deliveries]);
  },
  async ({ journal }) =>
    await journal.append(
      sampleAppend(task, 1, {
        card: sampleCard(task, { status: 'held', seq: 1 }),
        lease: { set: { generation: 1, until: noon + 1000 } },
        hint: { clear: true },
      }),
    ),
  async ({ journal }) => await journal.renew(task, 1, noon + 2000),
  async ({ journal }) =>
    await journal.append(
      sampleAppend(task, 2, {
        card: sampleCard(task, { status: 'held', seq: 2 }),
        lease: { keepUntil: noon },
        blobs: [blob],
        key: 'note',
      }),
    ),
  async ({ journal }) =>
    await journal.append(
      sampleAppend(other, 0, {
        card: sampleCard(other, { status: 'blocked' }),
        waits: [{ need: task, watched: true }],
      }),
    ),
  async ({ journal }) => {
    const entries = numbers(34).map((seq) => {
      const { digest, body } = sampleAppend(third, seq);
      return { task: third, seq, digest, body, ...(seq === 3 ? { key: 'key 3' } : {}) };
    });
    return await journal.adopt({
      task: third,
      after: null,
      entries,
      snapshot: 's',
      card: sampleCard(third),
      lease: null,
    });
  },
  async ({ catalog }) => (await catalog.feed(0, 100)).map((entry) => [entry.task, entry.seq]),
  async ({ journal }) => await journal.remove(other, 0, 0),
  async ({ blobs }) => await blobs.put(prose(50), noon),
  async ({ blobs }) => await blobs.remove(digestOf(prose(50)), noon + 1),
  async ({ journal }) =>
    await journal.append(sampleAppend(task, 3, { card: sampleCard(task, { status: 'done', seq: 3 }) })),
];

/** What the store shows in the end, by every way that leads to it. */
async function shown(store: Store): Promise<unknown> {
  const { cards } = await store.catalog.list({ limit: 10 });
  return {
    heads: await Promise.all([task, other, third].map(async (id) => await store.journal.head(id))),
    entries: (await store.journal.read(task, 0, 10)).map(({ seq }) => seq),
    adopted: (await store.journal.read(third, 0, 100)).length,
    keys: [
      await store.journal.keys(task),
      await store.catalog.keyed('note', 5),
      await store.catalog.keyed('key 3', 5),
    ],
    cards: cards.map((card) => `${card.task} ${card.status} ${card.leaseUntil}`).toSorted(),
    feed: (await store.catalog.feed(0, 100)).map((entry) => `${entry.task} ${entry.seq}`).toSorted(),
    waits: await store.catalog.waits({ limit: 10 }),
    blob: (await store.blobs.get(digestOf(blob)))?.length,
    hints: await store.mailbox.receive(['agent:ada'], { now: noon * 2, hideMs: 0, limit: 5 }),
    faults: await store.upkeep.check(),
  };
}

async function play(
  harm: (n: number) => Harm | undefined,
): Promise<{ outcomes: unknown[]; error: unknown; requests: number }> {
  double.buckets.set('relay', new Map());
  const store = await connect();
  const outcomes: unknown[] = [];
  let requests = 0;
  double.harm = () => harm(requests++);
  let error: unknown;
  try {
    for (const act of acts) outcomes.push(await act(store));
  } catch (thrown) {
    error = thrown;
  } finally {
    double.harm = () => undefined;
    double.doLate();
    await store.close();
  }
  return { outcomes, error, requests };
}

const plain = async (): Promise<{ outcomes: unknown[]; requests: number; shown: unknown }> => {
  const played = await play(() => undefined);
  const store = await connect();
  const there = await shown(store);
  await store.close();
  return { ...played, shown: there };
};

describe('a request that fails', () => {
  test('once, whichever it is and however, changes no outcome and nothing that is stored', async () => {
    const wanted = await plain();
    const harms = ['500', '503', '409', 'html', 'unheard', 'unanswered', { late: 1 }, { late: 20 }] as const;
    const points = numbers(wanted.requests).flatMap((n) => harms.map((harm) => ({ n, harm })));
    for (const { n, harm } of sample('failing requests to S3', points, {
      oneIn: 32,
      kindOf: (point) => JSON.stringify(point.harm),
    })) {
      const { outcomes, error } = await play((request) => (request === n ? harm : undefined));
      expect(error, `request ${n}: ${JSON.stringify(harm)}`).toBeUndefined();
      expect(outcomes, `request ${n}: ${JSON.stringify(harm)}`).toEqual(wanted.outcomes);
      const store = await connect();
      expect(await shown(store), `request ${n}: ${JSON.stringify(harm)}`).toEqual(wanted.shown);
      await store.close();
    }
  });

  test('and all after it: what was acknowledged is there, nothing is there in part, and the work goes on', async () => {
    const wanted = await plain();
    const points = numbers(wanted.requests).flatMap((n) =>
      (['unheard', 'unanswered'] as const).map((harm) => ({ n, harm })),
    );
    for (const { n, harm } of sample('silences of S3', points, {
      oneIn: 16,
      kindOf: (point) => point.harm,
    })) {
      const { outcomes, error } = await play((request) =>
        request < n ? undefined : request === n ? harm : 'unheard',
      );
      const what = `silent from request ${n} on, ${harm}`;
      expect(
        isStaffettaError(error, 'outcome-unknown') ||
          isStaffettaError(error, 'store-io') ||
          error === undefined,
        `while ${what}`,
      ).toBe(true);
      expect(outcomes, `while ${what}`).toEqual(wanted.outcomes.slice(0, outcomes.length));
      const store = await connect();
      await audit(store, what);
      // The next process asks the head, and goes on from there.
      for (const act of acts.slice(outcomes.length)) await act(store);
      expect(Object.assign({}, await shown(store), { hints: [] }), `while ${what}`).toEqual(wanted.shown);
      await store.close();
    }
  });
});

/** Every way of reading tells the same. */
async function audit(store: Store, what: string): Promise<void> {
  expect(await store.upkeep.check(), `while ${what}`).toEqual([]);
  const feed = await store.catalog.feed(0, 200);
  const { cards } = await store.catalog.list({ limit: 10 });
  for (const id of [task, other, third]) {
    const head = await store.journal.head(id);
    const entries = await store.journal.read(id, 0, 100);
    expect(
      entries.map(({ seq }) => seq),
      `while ${what}`,
    ).toEqual(numbers((head?.seq ?? -1) + 1));
    expect(
      feed.filter((entry) => entry.task === id).map(({ seq }) => seq),
      `while ${what}`,
    ).toEqual(entries.map(({ seq }) => seq));
    expect(
      cards.filter((card) => card.task === id).map(({ seq }) => seq),
      `while ${what}`,
    ).toEqual(id === third && head !== undefined ? [0] : head === undefined ? [] : [head.seq]);
    for (const { key, seq } of await store.journal.keys(id)) {
      expect((await store.journal.find(id, key))?.seq, `while ${what}`).toBe(seq);
      expect(await store.catalog.keyed(key, 5), `while ${what}`).toContain(id);
    }
  }
}

test('an intent that is put once more, long after its entry was numbered, is taken away and numbered no second time', async () => {
  double.buckets.set('relay', new Map());
  const objects = double.buckets.get('relay');
  const store = await connect();
  double.requests.splice(0);
  await store.journal.append(sampleAppend(task, 0));
  const intent =
    double.requests.find(({ method, key }) => method === 'PUT' && key.startsWith('n/'))?.key ?? '';
  for (const seq of numbers(3)) {
    await store.catalog.feed(0, 100);
    await store.journal.append(sampleAppend(other, seq));
  }
  await store.catalog.feed(0, 100);
  objects?.set(intent, { bytes: new Uint8Array(), etag: '"late"', changedAt: 0 });
  const feed = await store.catalog.feed(0, 100);
  expect(feed.map((entry) => `${entry.task} ${entry.seq}`)).toEqual([
    `${task} 0`,
    ...numbers(3).map((seq) => `${other} ${seq}`),
  ]);
  expect(objects?.has(intent)).toBe(false);
  await store.close();
});

test('a long journal leaves its head small, and all of it is found until it is removed', async () => {
  double.buckets.set('relay', new Map());
  const store = await connect();
  for (const seq of numbers(90)) {
    const outcome = await store.journal.append(
      sampleAppend(task, seq, { key: `key ${seq}`, body: `{"n":${seq},"fill":"${'x'.repeat(2000)}"}` }),
    );
    expect(outcome).toEqual({ stored: true });
  }
  const objects = double.buckets.get('relay');
  expect(objects?.get(`h/${task}`)?.bytes.length).toBeLessThan(80_000);
  for (const seq of [0, 40, 89]) expect((await store.journal.find(task, `key ${seq}`))?.seq).toBe(seq);
  expect((await store.journal.append(sampleAppend(task, 90, { key: 'key 3' }))).stored).toBe(false);
  expect((await store.journal.read(task, 20, 60)).map(({ seq }) => seq)).toEqual(
    numbers(60).map((n) => n + 20),
  );
  expect((await store.catalog.feed(0, 1000)).map(({ seq }) => seq)).toEqual(numbers(90));
  expect(await store.journal.remove(task, 89, 0)).toBe(true);
  const left = [...(objects?.keys() ?? [])].map((key) => key.split('/')[0]);
  expect(new Set(left)).toEqual(new Set(['h', 'f', 'meta']));
  await store.close();
});
