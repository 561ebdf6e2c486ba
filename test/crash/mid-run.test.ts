/**
 * Killed in the middle of a command of the contract. Nobody can end the command then, and nothing is said of it: a run is on record when it
 * ended before the eyes of the tool, or not at all. The holder goes on, and runs it again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { bundled, childEnvironment, runChild } from './run-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-mid-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says which process it is and stays, unless it is told that this is another try. */
const command = `
import { existsSync, renameSync, writeFileSync } from 'node:fs';
if (existsSync('../again')) process.exit(0);
writeFileSync('../pid.new', String(process.pid));
renameSync('../pid.new', '../pid');
setInterval(() => {}, 1000);
`;

async function appeared(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (existsSync(path)) resolve();
  };
  const watching = watch(folder, look);
  look();
  await promise;
  watching.close();
}

test(
  'leaves no result, a task that is held as before, and a second try that works',
  { timeout: 300_000 },
  async () => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'command.mjs'), command);
    const store = join(folder, 'store.db');
    const staffetta = await openStaffetta({ store, workspace: work, as: 'ada' });
    const validation = [{ run: [process.execPath, 'command.mjs'] }];
    const { task } = await staffetta.begin(
      { goal: 'Be interrupted.', validation },
      { leaseMs: 24 * 60 * 60 * 1000 },
    );
    const child = join(import.meta.dirname, 'mid-run-child.ts');
    const running = spawn(process.execPath, [await bundled(child), store, work, task], {
      env: childEnvironment(),
      stdio: 'ignore',
    });
    await appeared(join(folder, 'pid'));
    running.kill('SIGKILL');
    await once(running, 'close');
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');

    expect(await staffetta.show(task)).toMatchObject({ status: 'held', runs: [] });
    await staffetta.recover();
    expect((await staffetta.verify()).faults).toEqual([]);
    writeFileSync(join(folder, 'again'), '');
    const again = await runChild(child, [store, work, task]);
    expect(again).toMatchObject({ code: 0, stdout: 'passed\n' });
    expect((await staffetta.show(task)).runs).toMatchObject([{ passed: { exit: 0 }, failed: null }]);
    await staffetta.close();
  },
);
