/** P1: a task is not held by anybody whose workspace could not be brought back, unless it breaks after the trial. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { openWorkspace } from '../../workspace/open.ts';
import { ada, bea, stage, worldText, type Stage } from '../../../test/support/world.ts';
import type { DamagedTask } from '../record/damage.ts';
import { readCheckedPacket } from '../history/history.ts';
import { load } from '../record/load.ts';
import { recover } from './recover.ts';
import { takeRestored } from './take-restored.ts';

let folder: string;
/** Called between the trial and the restore. */
let meanwhile: () => Promise<void> | void;
let at: Stage;
let task: TaskId;

function git(...args: string[]): string {
  return execFileSync(
    'git',
    ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    },
  );
}

function watched(workspace: Workspace): Workspace {
  return {
    ...workspace,
    async restore(manifest, options) {
      const report = await workspace.restore(manifest, { ...options, dryRun: true });
      if (options.dryRun === true) return report;
      await meanwhile();
      return await workspace.restore(manifest, options);
    },
  };
}

beforeEach(async () => {
  meanwhile = () => {};
  folder = mkdtempSync(join(tmpdir(), 'take-'));
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.txt'), '1\n');
  git('add', '.');
  git('commit', '-qm', 'Begin.');
  at = stage({ gate: 'record', workspace: watched(await openWorkspace(folder)) });
  const leg = await at.staffetta.begin({ goal: 'Carry on.' }, { as: ada });
  writeFileSync(join(folder, 'a.txt'), '2\n');
  await leg.handoff({ to: 'anyone' });
  git('checkout', '-q', '--', '.');
  task = leg.task;
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function refusal(promise: Promise<unknown>): Promise<StaffettaError> {
  return await promise.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => error as StaffettaError,
  );
}

test('the next task on offer is taken with its workspace', async () => {
  const taken = await takeRestored(at.context, { restore: {} }, { by: bea });
  expect(taken?.recorded.state).toMatchObject({ task, status: 'held', leg: { holder: { name: 'bea' } } });
  expect(taken?.restored?.written).toEqual(['a.txt']);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('2\n');
});

test('a tree that changes between the trial and the restore leaves the task held, and says so', async () => {
  meanwhile = () => writeFileSync(join(folder, 'mine.txt'), 'mine\n');
  const error = await refusal(takeRestored(at.context, { task, restore: {} }, { by: bea }));
  expect(error.code).toBe('workspace-dirty');
  expect(error.message).toContain(`You hold task ${task} as generation 2, without its workspace.`);
  expect(error.hint).toContain(`staffetta restore ${task}`);
  expect((await at.staffetta.show(task)).status).toBe('held');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1\n');
});

/** Somebody else records that the lease is over. */
async function lose(): Promise<void> {
  at.clock.set(at.clock.now() + limits.leaseMsMax + 1);
  expect((await recover(at.context)).lapsed).toEqual([task]);
}

test('a leg that was lost while the workspace was restored is not said to be held', async () => {
  meanwhile = lose;
  const error = await refusal(takeRestored(at.context, { task, restore: {} }, { by: bea }));
  expect(error.code).toBe('stale-generation');
  expect(error.message).toContain(`was restored at ${folder}`);
  expect(error.message).not.toContain('You hold');
});

test('nor where the restore failed besides', async () => {
  meanwhile = async () => {
    await lose();
    writeFileSync(join(folder, 'mine.txt'), 'mine\n');
  };
  const error = await refusal(takeRestored(at.context, { task, restore: {} }, { by: bea }));
  expect(error.code).toBe('stale-generation');
  expect(error.message).not.toContain('You hold');
});

test('the lease is kept while the workspace is restored', async () => {
  const before = at.clock.now();
  meanwhile = async () => await at.clock.advance(10 * limits.leaseMsDefault);
  const taken = await takeRestored(at.context, { task, restore: {} }, { by: bea });
  expect(taken?.recorded.leaseUntil).toBeGreaterThan(before + 10 * limits.leaseMsDefault);
});

test('a trial that fails leaves task and tree as they were', async () => {
  writeFileSync(join(folder, 'mine.txt'), 'mine\n');
  const before = worldText(at.world);
  const error = await refusal(takeRestored(at.context, { task, restore: {} }, { by: bea }));
  expect(error.message).toContain(`Task ${task} was not taken.`);
  expect(worldText(at.world)).toBe(before);
});

test('a receiver that loses the race has nothing restored', async () => {
  await at.staffetta.take({ task, as: ada });
  const error = await refusal(takeRestored(at.context, { task, restore: {} }, { by: bea }));
  expect(error.code).toBe('held');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1\n');
  expect(await takeRestored(at.context, { restore: {} }, { by: bea })).toBeUndefined();
});

test('a task whose workspace is damaged is passed over, and the next one taken', async () => {
  const { packet } = (await load(at.context, task)).state;
  const facts = packet === null ? undefined : (await readCheckedPacket(at.context, packet)).facts;
  const leg = await at.staffetta.begin({ goal: 'Carry on elsewhere.' }, { as: ada });
  writeFileSync(join(folder, 'a.txt'), '3\n');
  await leg.handoff({ to: 'anyone' });
  git('checkout', '-q', '--', '.');
  if (facts?.manifest !== undefined) at.world.blobs.delete(facts.manifest);
  const damaged: DamagedTask[] = [];
  const onDamaged = (found: DamagedTask): unknown => damaged.push(found);
  const taken = await takeRestored(at.context, { restore: {}, onDamaged }, { by: bea });
  expect(taken?.recorded.state).toMatchObject({ task: leg.task, status: 'held' });
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('3\n');
  expect(damaged.map((found) => found.task)).toEqual([task]);
  expect(await takeRestored(at.context, { restore: {} }, { by: bea })).toBeUndefined();
  const named = await refusal(takeRestored(at.context, { task, restore: {} }, { by: bea }));
  expect(named.message).toContain(`Task ${task} was not taken.`);
});
