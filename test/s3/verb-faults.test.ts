/**
 * What agents do, over a server that fails at any request of it. Once and in whatever way: every journal is the same to the last byte, nothing is there twice, and what
 * is read is what was written. From some request on, as if the process had been killed there: what was acknowledged is there, one holder at most, and somebody else goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { numbers } from '../../src/conformance/sample.ts';
import { urlAddress } from '../../src/ports/store-address.ts';
import type { Store } from '../../src/ports/store.ts';
import { openS3Store } from '../../src/stores/s3/open.ts';
import { isWhole, sample } from '../support/sample.ts';
import { ada, bea, dawn, eve, HandClock, stage } from '../support/world.ts';
import { withCredentials } from './credentials.ts';
import { S3Double, type Harm } from './double.ts';

let double: S3Double;
withCredentials();
beforeAll(async () => {
  double = await S3Double.start('relay');
});
afterAll(() => double.stop());

async function connect(answerMs = 30_000): Promise<Store> {
  const address = urlAddress(`aws://relay?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}`);
  return await openS3Store(address, { create: true, pauseMs: 0.2, answerMs });
}

const day = 24 * 60 * 60_000;
const transcript = 'why accents are folded before the slug is cut\n'.repeat(60);
type Said = (outcome: unknown) => void;

/** Open, take, acknowledge, note, renew, hand over, take by the hint, read, complete, recover, sweep; and the feed, as the control room reads it. */
async function relay(store: Store, say: Said): Promise<void> {
  const clock = new HandClock(dawn - 2 * day);
  const { staffetta, context } = stage({ store, clock });
  const feed = async (): Promise<void> => say((await store.catalog.feed(0, 100)).length);
  const old = await staffetta.open({ title: 'Old', goal: 'Nobody wants it.' }, { as: eve });
  await staffetta.cancel(old.task, 'nobody wants it', { as: eve });
  say(old.task);
  clock.set(dawn);
  const { task } = await staffetta.open(
    { title: 'Slug', goal: 'slug() folds accents' },
    { as: ada, key: 'k1' },
  );
  say(task);
  await feed();
  const first = await staffetta.take({ as: ada });
  say(first?.generation);
  await first?.acknowledge({ next: 'look' });
  await first?.note('found it', { key: 'k2' });
  await feed();
  clock.set(dawn + 1000);
  say(await first?.renew());
  const to = { to: 'agent:bea', why: 'done here', claims: { next: 'test it' }, transcript } as const;
  say((await first?.handoff(to))?.entry?.seq);
  await feed();
  const second = await staffetta.take({ as: bea });
  say(second?.generation);
  for await (const item of second?.history() ?? []) if (item.kind === 'transcript') say(digestOf(item.bytes));
  await second?.acknowledge({ next: 'test' });
  await first?.note('late').then(
    () => say('written by a former holder'),
    (error: unknown) => {
      if (!isStaffettaError(error, 'stale-generation')) throw error;
      say('fenced');
    },
  );
  await second?.complete({ claims: { done: ['tested'] } });
  say((await staffetta.recover()).hinted);
  const { tasks, blobs } = await staffetta.sweep({ olderThanMs: day });
  say([tasks, blobs, context.store.address.scheme]);
  await feed();
}

interface Stored {
  readonly journals: unknown;
  readonly feed: readonly string[];
  readonly faults: unknown;
}

async function stored(): Promise<Stored> {
  const store = await connect();
  const { staffetta } = stage({ store, clock: new HandClock(dawn + 2000) });
  const { cards } = await store.catalog.list({ limit: 10 });
  const journals = await Promise.all(
    cards.map(async ({ task, status }) => ({
      status,
      lease: (await store.journal.head(task))?.lease ?? null,
      digests: (await store.journal.read(task, 0, 100)).map(({ digest }) => digest),
    })),
  );
  const feed = (await store.catalog.feed(0, 100)).map(({ task, seq }) => `${task} ${seq}`);
  const faults = [...(await staffetta.verify()).faults, ...(await store.upkeep.check())];
  await store.close();
  return { journals, feed, faults };
}

interface Played {
  readonly said: unknown[];
  readonly error: unknown;
  readonly requests: number;
}

async function play(harm: (n: number) => Harm | undefined): Promise<Played> {
  double.buckets.set('relay', new Map());
  const store = await connect();
  const said: unknown[] = [];
  let requests = 0;
  double.harm = () => harm(requests++);
  let error: unknown;
  try {
    await relay(store, (outcome) => said.push(outcome));
  } catch (thrown) {
    error = thrown;
  }
  double.harm = () => undefined;
  double.doLate();
  await store.close();
  return { said, error, requests };
}

const harms: readonly Harm[] = [
  '500',
  '503',
  '409',
  'html',
  'unheard',
  'unanswered',
  { late: 1 },
  { late: 8 },
  { late: 80 },
];

describe('a request of a verb that fails', () => {
  test('once, whichever it is and however, changes no byte of what is stored', async () => {
    const wanted = await play(() => undefined);
    expect(wanted.error).toBeUndefined();
    const there = await stored();
    expect(there.faults).toEqual([]);
    expect(new Set(there.feed).size).toBe(there.feed.length);
    const points = numbers(wanted.requests).flatMap((n) => harms.map((harm) => ({ n, harm })));
    for (const { n, harm } of sample('failing requests of verbs to S3', points, { oneIn: 500 })) {
      const what = `request ${n}: ${JSON.stringify(harm)}`;
      const played = await play((request) => (request === n ? harm : undefined));
      expect(played.error, `at ${what}`).toBeUndefined();
      expect(played.said, `at ${what}`).toEqual(wanted.said);
      const now = await stored();
      expect({ ...now, feed: now.feed.toSorted() }, `at ${what}`).toEqual({
        ...there,
        feed: there.feed.toSorted(),
      });
    }
  });

  test('and all after it: what was acknowledged is there, and somebody else goes on', async () => {
    const wanted = await play(() => undefined);
    const points = numbers(wanted.requests).flatMap((n) =>
      (['unheard', 'unanswered', { late: 4 }] as const).map((harm) => ({ n, harm })),
    );
    for (const { n, harm } of sample('silences of S3 in a verb', points, { oneIn: 250 })) {
      const what = `silent from request ${n} on, ${JSON.stringify(harm)}`;
      const { said, error } = await play((request) =>
        request < n ? undefined : request === n ? harm : 'unheard',
      );
      const isCoded = isStaffettaError(error, 'outcome-unknown') || isStaffettaError(error, 'store-io');
      expect(error === undefined || isCoded, `${what}: ${String(error)}`).toBe(true);
      expect(said, `at ${what}`).toEqual(wanted.said.slice(0, said.length));
      expect((await stored()).faults, `at ${what}`).toEqual([]);
      await goOn(said[1] as string | undefined, what);
    }
  });
});

/** Two hours later nobody holds it any more; one of two who both want it gets it, and brings it to its end. */
async function goOn(task: string | undefined, what: string): Promise<void> {
  if (task === undefined) return;
  const stores = await Promise.all([connect(), connect()]);
  const desks = stores.map((store) => stage({ store, clock: new HandClock(dawn + 7_200_000) }).staffetta);
  const before = await desks[0]?.show(task);
  await desks[0]?.recover();
  const takers = await Promise.all(desks.map(async (desk) => await desk.take({ as: bea })));
  const legs = takers.filter((leg) => leg?.task === task);
  expect(legs.length, `at ${what}`).toBe(before?.status === 'done' ? 0 : 1);
  await legs[0]?.acknowledge({ next: 'test' });
  await legs[0]?.complete({ claims: { done: ['tested'] } });
  expect((await desks[1]?.show(task))?.status, `at ${what}`).toBe('done');
  for (const store of stores) await store.close();
}

test('an answer that never comes is given up, and what was asked for is found stored', async () => {
  double.buckets.set('relay', new Map());
  const store = await connect(2000);
  let isAsked = false;
  double.harm = ({ method, key }) => {
    if (isAsked || method !== 'PUT' || !key.startsWith('h/')) return undefined;
    isAsked = true;
    return 'slow';
  };
  const { task } = await stage({ store }).staffetta.open({ goal: 'Wait.' }, { as: eve });
  double.harm = () => undefined;
  expect([isAsked, (await store.journal.head(task))?.seq]).toEqual([true, 0]);
  await store.close();
});

test('of sixteen writers one wins each round, though answers are lost and late', async () => {
  double.buckets.set('relay', new Map());
  const rounds = isWhole ? 200 : 3;
  const stores = await Promise.all(numbers(4).map(async () => await connect()));
  const task = (await stage({ store: stores[0] as Store }).staffetta.open({ goal: 'Race.' }, { as: eve }))
    .task;
  let wins = 0;
  let asked = 0;
  const bad: readonly Harm[] = ['500', 'unanswered', 'unheard', { late: 3 }, '409'];
  double.harm = () => (asked++ % 7 === 3 ? bad[asked % bad.length] : undefined);
  for (let round = 1; round <= rounds; round += 1) {
    const head = await stores[0]?.journal.head(task);
    const outcomes = await Promise.all(
      numbers(16).map(
        async (n) =>
          await (stores[n % 4] as Store).journal
            .append({
              task,
              seq: (head?.seq ?? 0) + 1,
              digest: digestOf(Buffer.from(`${round} ${n}`)),
              body: `{"round":${round},"by":${n}}`,
              at: dawn,
              snapshot: head?.snapshot ?? '',
              card: (await stores[0]?.catalog.list({ limit: 1 }))?.cards[0] as never,
              lease: { clear: true },
            })
            .catch((error: unknown) => {
              // Honest, and then the journal tells.
              if (!isStaffettaError(error, 'outcome-unknown')) throw error;
              return { stored: undefined };
            }),
      ),
    );
    const [entry] = (await stores[0]?.journal.read(task, (head?.seq ?? 0) + 1, 1)) ?? [];
    const winner = outcomes.findIndex((_, n) => entry?.digest === digestOf(Buffer.from(`${round} ${n}`)));
    expect(winner, `round ${round}`).toBeGreaterThanOrEqual(0);
    expect(outcomes.filter(({ stored: is }) => is === true).length, `round ${round}`).toBeLessThanOrEqual(1);
    expect(outcomes[winner]?.stored, `round ${round}`).not.toBe(false);
    wins += 1;
  }
  double.harm = () => undefined;
  double.doLate();
  sample('races of sixteen writers on one head', numbers(rounds), { oneIn: 1 });
  expect(wins).toBe(rounds);
  const feed = (await stores[1]?.catalog.feed(0, 1000)) ?? [];
  expect(feed.map(({ seq }) => seq)).toEqual(numbers(rounds + 1));
  for (const store of stores) await store.close();
});
