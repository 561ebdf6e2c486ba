/** The queues and the packed function between them, with real events, and the relay that is played on them. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { notProven } from '../faults/not-proven.ts';

const root = join(import.meta.dirname, '../..');
const lambda = join(root, 'infra/aws/lambda');
const network = ['--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
const hasNetwork = spawnSync('unshare', [...network, 'true']).status === 0;

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(lambda, 'build.mjs')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
}, 120_000);

test('the function is packed into 250 kB', () => {
  expect(statSync(join(lambda, 'dist/router.zip')).size).toBeLessThan(250_000);
});

test.runIf(hasNetwork)(
  'rings go to who is next, once more at most, and never decide',
  () => {
    const played = spawnSync(
      'unshare',
      [...network, process.execPath, join(import.meta.dirname, 'bell-scene.ts')],
      { encoding: 'utf8' },
    );
    expect(played.stderr).toBe('');
    const said = JSON.parse(played.stdout.trim().split('\n').at(-1) ?? '') as unknown;
    expect(said).toMatchObject({
      answer: { batchItemFailures: [] },
      'for bea': [{ offer: 1, to: 'agent:bea', packet: null }],
      again: { batchItemFailures: [] },
      'for bea again': 1,
      partial: { batchItemFailures: [{ itemIdentifier: 'bad' }, { itemIdentifier: 'after' }] },
      'after it was taken': 0,
      'for its lane': [['lane:execute', 'string', true]],
      'for code': [true],
      'for qa': 0,
      'recovered for code': [true],
      'dead letter': [
        ['dead', true, 'offered', 'agent:ada was called again and again, and nobody could take it.'],
      ],
      figures: 1,
      're-driven by an agent': 'denied',
      're-driven': 'offered',
      'on record': ['eve', { type: 'message', text: 'Called again: she is back' }],
      'dead letters left': 0,
      'legs of two who heard': 1,
      'left in the queue': 0,
      'of a storm': { batchItemFailures: [] },
      'taken of eight': [1, 1, 1, 1, 1, 1, 1, 1],
      'of the storm again': { batchItemFailures: [] },
      'woken by': true,
      'not woken': null,
      'requests to S3 while it waits': 0,
      alone: 60_000,
    });
    expect((said as Record<string, number>)['requests a minute']).toBeLessThanOrEqual(1);
  },
  120_000,
);

test.runIf(hasNetwork && existsSync(join(root, 'dist/lib/index.js')))(
  'research, code, qa and deploy carry a task over S3 and SQS, and deploy reads over 1 MiB as it was written',
  () => {
    const played = spawnSync(process.execPath, [join(root, 'examples/aws-relay/play.ts')], {
      encoding: 'utf8',
      timeout: 110_000,
    });
    expect(`${played.stdout}${played.stderr}`).toMatch(
      /is done, its journal is sound; deploy read \d{7} bytes, each as it was written/,
    );
    expect(played.status).toBe(0);
  },
  120_000,
);

test.runIf(!hasNetwork)('without a network of its own there is no SQS here', () => {
  notProven('the bell, the router and the relay on them', 'unshare cannot make a network here');
  expect(hasNetwork).toBe(false);
});
