import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStaffetta } from '../src/library/staffetta.ts';
import { systemClock } from '../src/home/system.ts';
import { sqliteRenewer } from '../src/stores/sqlite/renewer.ts';

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

test('a lease is kept also where the store could not be opened when that began', async () => {
  const relay = await openStaffetta({ gate: 'record', store: join(folder, 'store.db') });
  const { task } = await relay.open({ goal: 'compute' }, { as: 'ada' });
  const leg = await relay.take({ as: 'code', leaseMs: 300 });
  if (leg === undefined) throw new Error('nothing was on offer');
  const untilOf = async (): Promise<number> => (await relay.store.journal.head(task))?.lease?.until ?? 0;
  const before = await untilOf();
  const mounted = join(folder, 'mounted');
  const [late, early] = [mounted, folder].map((place) => sqliteRenewer(join(place, 'store.db')));
  const lease = { task, generation: leg.generation, leaseMs: 900, now: Date.now() };
  late?.keep(lease);
  // One that began after it has found out that it holds nothing: by then the other has looked in vain.
  const nothing = early?.keep({ ...lease, generation: leg.generation + 1 });
  while (nothing?.lost.aborted === false) await systemClock.sleep(5);
  symlinkSync(folder, mounted);
  while ((await untilOf()) <= before) await systemClock.sleep(5);
  expect((await relay.show(task)).status).toBe('held');
  await late?.close();
  await early?.close();
  await relay.close();
});
