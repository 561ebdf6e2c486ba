import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStaffetta } from '../src/library/staffetta.ts';
import { systemClock } from '../src/home/system.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-blocked-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Keeps the event loop from turning, as a long computation does. */
function block(ms: number): void {
  const until = Date.now() + ms;
  while (Date.now() < until);
}

test('a handler that blocks the event loop for several leases keeps its task', async () => {
  const store = join(folder, 'store.db');
  const relay = await openStaffetta({ gate: 'record', store });
  const { task } = await relay.open({ goal: 'compute' }, { as: 'ada' });
  const errors: unknown[] = [];
  const worker = relay.worker(
    { name: 'code', lane: 'execute' },
    async (leg) => {
      await leg.acknowledge();
      block(1500);
      const other = await openStaffetta({ gate: 'record', store });
      expect((await other.recover()).lapsed).toEqual([]);
      await other.close();
      await leg.complete();
    },
    { leaseMs: 400, onError: (error) => errors.push(error) },
  );
  expect(await worker.once()).toBe(true);
  expect(errors).toEqual([]);
  expect((await relay.show(task)).status).toBe('done');
  await relay.close();
});

test.each([
  ['behind', -3_600_000],
  ['ahead of', 3_600_000],
])('a handler keeps its task by a clock that is an hour %s the system', async (_where, aheadMs) => {
  const store = join(folder, 'store.db');
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const relay = await openStaffetta({ gate: 'record', store, clock });
  const { task } = await relay.open({ goal: 'compute' }, { as: 'ada' });
  const errors: unknown[] = [];
  const worker = relay.worker(
    'code',
    async (leg) => {
      await leg.acknowledge();
      block(1500);
      const other = await openStaffetta({ gate: 'record', store, clock });
      expect((await other.recover()).lapsed).toEqual([]);
      expect((await other.show(task)).leaseUntil).toBeLessThanOrEqual(clock.now() + 400);
      await other.close();
      await leg.complete();
    },
    { leaseMs: 400, onError: (error) => errors.push(error) },
  );
  expect(await worker.once()).toBe(true);
  expect(errors).toEqual([]);
  await relay.close();
});

test('a handler whose task went to somebody else is told by its signal', async () => {
  const store = join(folder, 'store.db');
  const relay = await openStaffetta({ gate: 'record', store });
  const { task } = await relay.open({ goal: 'wait' }, { as: { name: 'ada', kind: 'human' } });
  let told = false;
  const worker = relay.worker(
    { name: 'code', lane: 'execute' },
    async (_, lost) => {
      await relay.cancel(task, 'no longer wanted', { as: { name: 'ada', kind: 'human' } });
      await new Promise<void>((resolve) => {
        lost.addEventListener('abort', () => resolve());
      });
      told = true;
    },
    { leaseMs: 300 },
  );
  await worker.once();
  expect(told).toBe(true);
  expect((await relay.show(task)).status).toBe('cancelled');
  await relay.close();
});
