/** Eight processes, one store, the same offers. All start on one word, so that they really overlap. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStaffetta, type Staffetta } from '../../src/library/staffetta.ts';
import { parseEntry } from '../../src/core/journal/entry.ts';
import { systemClock } from '../../src/home/system.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import type { TaskId } from '../../src/core/journal/id.ts';
import { bundled, childEnvironment } from '../crash/run-child.ts';
import { holderFaults } from '../crash/stage.ts';
import { postgresSpace, type TestSpace } from '../support/postgres.ts';
import { isWhole, sample } from '../support/sample.ts';
import type { Orders, Result } from './racer.ts';

// Many processes: on a machine that is busy with other things they take their time.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const racers = 8;
const dayMs = 24 * 60 * 60 * 1000;
const program = join(import.meta.dirname, 'racer.ts');

let folder = '';
let store = '';
let running: ChildProcess[] = [];
let staffetta: Staffetta;

let space: TestSpace | undefined;

async function begin(kind: 'sqlite' | 'rollback' | 'postgres'): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-contention-'));
  space = kind === 'postgres' ? await postgresSpace() : undefined;
  store = space?.url ?? join(folder, 'store.db');
  // A store stays as it was made.
  if (kind === 'rollback') await (await openSqliteStore(store, { create: true, journal: kind })).close();
  staffetta = await openStaffetta({ gate: 'record', store, as: 'starter' });
}
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  await staffetta.close();
  await space?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** At the line: every racer has its store open and waits for the word. */
async function lineUp(nameOf: (i: number) => string = (i) => `racer-${i}`): Promise<ChildProcess[]> {
  const entry = await bundled(program);
  running = Array.from({ length: racers }, (_, i) =>
    fork(entry, [store, nameOf(i)], { env: childEnvironment(), execArgv: [], stdio: 'inherit' }),
  );
  await Promise.all(running.map(async (child) => await once(child, 'message')));
  return running;
}

async function run(children: readonly ChildProcess[], orders: (i: number) => Orders): Promise<Result[]> {
  return await Promise.all(
    children.map(async (child, i) => {
      const result = Promise.race([once(child, 'message'), once(child, 'exit')]);
      child.send(orders(i));
      const [message] = (await result) as [Result | number | null];
      if (message === null || typeof message === 'number') throw new Error(`a racer died of ${message}`);
      return message;
    }),
  );
}

async function openMany(count: number): Promise<TaskId[]> {
  const tasks: TaskId[] = [];
  for (let i = 0; i < count; i += 1) tasks.push((await staffetta.open({ goal: `Prize ${i}` })).task);
  return tasks;
}

/** How long all of them ran at once. */
function overlapMs(results: readonly Result[]): number {
  return Math.min(...results.map(({ until }) => until)) - Math.max(...results.map(({ from }) => from));
}

function report(title: string, results: readonly Result[]): void {
  const wins = results.map(({ won }) => won.length);
  const winners = wins.filter((won) => won > 0).length;
  const slowest = Math.max(...results.map(({ slowestMs }) => slowestMs)).toFixed(0);
  console.log(
    `${title}: ${winners} of ${results.length} processes got at least one; each ${wins.join(', ')}; ` +
      `${overlapMs(results)} ms of overlap; slowest call ${slowest} ms`,
  );
}

async function expectSound(): Promise<void> {
  expect((await staffetta.verify()).faults).toEqual([]);
  expect(await holderFaults(staffetta)).toEqual([]);
}

/** Each task was won once, and by whom the journal says. */
async function expectOneWinnerEach(tasks: readonly TaskId[], results: readonly Result[]): Promise<void> {
  const fences = results.flatMap(({ won }) => won);
  expect(fences.toSorted()).toEqual(tasks.map((task) => `${task}/1`).toSorted());
  for (const { name, won } of results)
    for (const fence of won)
      expect((await staffetta.show(fence.split('/')[0] ?? '')).leg?.holder.name).toBe(name);
}

// What a round trip takes on PostgreSQL, several take at once: a part of the offers shows as much.
describe.each([
  { kind: 'sqlite' as const, size: 300 },
  { kind: 'rollback' as const, size: isWhole ? 300 : 24 },
  { kind: 'postgres' as const, size: isWhole ? 300 : 48 },
])('on $kind', ({ kind, size }) => {
  const races = ['named', 'next', 'one task'];
  const taken = kind === 'rollback' ? sample('races with a rollback journal', races, { oneIn: 3 }) : races;
  beforeEach(async () => await begin(kind));

  test.runIf(taken.includes('named'))(
    'of eight that reach for the same named offers, each offer has one winner',
    async () => {
      const tasks = await openMany(size);
      // Each begins at another place, so that nobody is ahead of one that started late at every offer.
      const results = await run(await lineUp(), (i) => {
        const from = Math.floor((i * tasks.length) / racers);
        return { race: 'named', tasks: [...tasks.slice(from), ...tasks.slice(0, from)] };
      });
      report('named offers', results);
      await expectOneWinnerEach(tasks, results);
      // Everybody tried everything: who did not win was told that somebody holds it.
      for (const { won, refused } of results) expect(refused).toEqual({ held: tasks.length - won.length });
      expect(results.every(({ won }) => won.length > 0)).toBe(true);
      expect(overlapMs(results)).toBeGreaterThan(0);
      await expectSound();
    },
  );

  test.runIf(taken.includes('next'))(
    'of eight that ask for the next offer, everybody gets some and nothing is given twice',
    async () => {
      const tasks = await openMany(2 * size);
      const results = await run(await lineUp(), () => ({ race: 'next' }));
      report('next offer', results);
      await expectOneWinnerEach(tasks, results);
      for (const { refused } of results) expect(refused).toEqual({});
      expect(results.every(({ won }) => won.length > 0)).toBe(true);
      expect(overlapMs(results)).toBeGreaterThan(0);
      await expectSound();
    },
  );

  test.runIf(taken.includes('one task'))(
    'eight that write to one task lose nothing and leave no gap',
    async () => {
      const { task } = await staffetta.begin({ goal: 'Hear everybody.' }, { as: 'holder' });
      const times = size / 6;
      // Half of them are one agent that runs in several processes; the others speak from outside.
      const children = await lineUp((i) => (i % 2 === 0 ? 'holder' : `racer-${i}`));
      const results = await run(children, (i) => ({
        race: 'append',
        task,
        times,
        how: i % 2 === 0 ? 'note' : 'tell',
      }));
      report('one task', results);
      const took = results.map(({ from, until }) => until - from);
      console.log(`one task: ${times} entries each took ${Math.min(...took)} to ${Math.max(...took)} ms`);
      const entries = await staffetta.store.journal.read(task, 0, 1000);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i));
      const texts = entries
        .flatMap(({ body }) => parseEntry(body).events)
        .flatMap((event) => (event.type === 'note' || event.type === 'message' ? [event.text] : []));
      expect(texts.toSorted()).toEqual(results.flatMap(({ won }) => won).toSorted());
      expect(texts.length).toBe(racers * times);
      for (const { refused } of results) expect(refused).toEqual({});
      expect(overlapMs(results)).toBeGreaterThan(0);
      await expectSound();
    },
  );
});

/** A few tasks that were finished long ago. */
async function leaveOldTasks(count: number): Promise<void> {
  const longAgo = { ...systemClock, now: () => Date.now() - 7 * dayMs };
  const old = await openStaffetta({ gate: 'record', store, as: 'ancestor', clock: longAgo });
  try {
    for (let i = 0; i < count; i += 1) {
      const leg = await old.begin({ goal: `Be forgotten, ${i}.` });
      await leg.complete({ transcript: `${leg.task}\n`.repeat(200) });
    }
  } finally {
    await old.close();
  }
}

test('backups and sweeps in the middle of it all are whole, and take nothing that is in use', async () => {
  await begin('sqlite');
  const over = new AbortController();
  let copies = 0;
  let swept = 0;
  const working = run(await lineUp(), () => ({ race: 'work', times: 25 })).finally(() => over.abort());
  const keeping = (async () => {
    while (!over.signal.aborted) {
      // SQLite answers at once, and nothing below waits: without this turn the racers' results would never be heard.
      await turn();
      await leaveOldTasks(3);
      const to = join(folder, `copy-${copies}.db`);
      await staffetta.store.upkeep.backup?.(to);
      copies += 1;
      const copy = await openStaffetta({ gate: 'record', store: to });
      expect((await copy.verify()).faults).toEqual([]);
      await copy.close();
      rmSync(to);
      const gone = await staffetta.sweep({ olderThanMs: dayMs, graceMs: dayMs });
      expect(gone.tasks.length).toBe(3);
      swept += gone.tasks.length;
    }
  })();
  const [results] = await Promise.all([working, keeping]);
  report('work', results);
  console.log(`work: ${copies} backups taken and ${swept} old tasks swept meanwhile`);
  for (const { refused, won } of results) expect([won.length, refused]).toEqual([25, {}]);
  await expectSound();
});
