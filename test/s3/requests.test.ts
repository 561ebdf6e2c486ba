/** What the verbs cost at the server, as users pay for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numbers } from '../../src/conformance/sample.ts';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { withCredentials } from './credentials.ts';
import { S3Double } from './double.ts';

let double: S3Double;
const home = mkdtempSync(join(tmpdir(), 'staffetta-s3-'));
withCredentials();
beforeAll(async () => {
  process.env['XDG_DATA_HOME'] = home;
  double = await S3Double.start('relay');
});
afterAll(() => {
  Reflect.deleteProperty(process.env, 'XDG_DATA_HOME');
  rmSync(home, { recursive: true, force: true });
  double.stop();
});

test('a note takes 2 writes, a handoff 8, a take 4, and a renewal 1', async () => {
  const place = `aws://relay/acme?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}`;
  const relay = await openStaffetta({ store: place, as: 'ada', gate: 'record' });
  await relay.open({ title: 'Fold accents', goal: 'slug() folds accents' });
  const leg = await relay.take({ as: 'ada' });
  if (leg === undefined) throw new Error('there was nothing to take');
  await leg.acknowledge({ next: 'look' });
  await leg.note('begun');
  double.counted();
  const costs: Record<string, ReturnType<S3Double['counted']>> = {};
  const count = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await work();
    costs[name] = double.counted();
  };
  await count('note', async () => await leg.note('found it'));
  await count('renew', async () => await leg.renew());
  await count(
    'handoff',
    async () =>
      await leg.handoff({
        to: 'agent:bea',
        why: 'done here',
        claims: { next: 'test it' },
        transcript: 'x'.repeat(2000),
      }),
  );
  // By another process, as it is with workers on several machines: the one that handed over has in hand what it wrote.
  const other = await openStaffetta({ store: place, as: 'bea', gate: 'record' });
  double.counted();
  await count('take', async () => await other.take({ as: 'bea' }));
  await other.store.close();
  // Reads and listings may become fewer; docs/aws.md has these.
  expect(costs).toEqual({
    note: { PUT: 2, GET: 2, DELETE: 0, LIST: 0 },
    renew: { PUT: 1, GET: 1, DELETE: 0, LIST: 0 },
    handoff: { PUT: 8, GET: 1, DELETE: 1, LIST: 0 },
    // One of them for each lane: who names one asks for three less.
    take: { PUT: 4, GET: 8, DELETE: 1, LIST: 5 },
  });
  await relay.store.close();
});

test('a recovery asks as often for a hundred standing offers as for two, and sends what was lost', async () => {
  const place = `aws://relay/waiting?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}`;
  const relay = await openStaffetta({ store: place, as: 'ada', gate: 'record' });
  const open = async (n: number): Promise<string> =>
    (await relay.open({ title: `Task ${n}`, goal: 'It waits.' }, { to: 'agent:bea', expiresMs: 3_600_000 }))
      .task;
  const recovered = async (): Promise<[number, ReturnType<S3Double['counted']>]> => {
    double.counted();
    const { hinted } = await relay.recover();
    return [hinted, double.counted()];
  };
  await Promise.all(numbers(2).map(open));
  const few = await recovered();
  await Promise.all(numbers(98).map(open));
  expect(await recovered()).toEqual(few);
  expect(few).toEqual([0, { PUT: 0, GET: 0, DELETE: 0, LIST: 6 }]);
  // The worker died after the head was written, and before the hint was.
  const objects = double.buckets.get('relay');
  const hint = [...(objects?.keys() ?? [])].find((key) => key.startsWith('waiting/m/')) ?? '';
  objects?.delete(hint);
  expect(await recovered()).toEqual([1, { PUT: 1, GET: 3, DELETE: 0, LIST: 6 }]);
  expect(objects?.has(hint)).toBe(true);
  await relay.store.close();
});
