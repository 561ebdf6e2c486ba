/** What the verbs cost at the server, as users pay for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const relay = await openStaffetta({
    store: `aws://relay/acme?region=us-east-1&endpoint=${encodeURIComponent(double.endpoint)}`,
    as: 'ada',
    gate: 'record',
  });
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
  await count('take', async () => await relay.take({ as: 'bea' }));
  // Reads and listings may become fewer; docs/aws.md has these.
  expect(costs).toEqual({
    note: { PUT: 2, GET: 2, DELETE: 0, LIST: 0 },
    renew: { PUT: 1, GET: 1, DELETE: 0, LIST: 0 },
    handoff: { PUT: 8, GET: 2, DELETE: 1, LIST: 0 },
    // One of them for each lane: who names one asks for three less.
    take: { PUT: 4, GET: 7, DELETE: 1, LIST: 6 },
  });
  await relay.store.close();
});
