/** Whatever a program started is found by its group and its mark, and ended. Real processes, that leave their group and hear no request. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { noteRun, orphansOf } from '../../src/process/orphans.ts';
import { runProgram } from '../../src/desk/launch/run-program.ts';
import { dropLock, takeLock } from '../../src/process/owned-lock.ts';
import { startProgram, type StartedProgram } from '../../src/process/start.ts';
import { forkedTwice, isGone, stubborn, textIn } from './children.ts';

const top = mkdtempSync(join(tmpdir(), 'staffetta-process-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));
let count = 0;
const fresh = (): string => join(top, String(count++));

const left = new Set<number>();
afterEach(() => {
  for (const pid of left)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone, as it should be.
    }
  left.clear();
});

async function working(file: string): Promise<number> {
  const pid = Number(await textIn(file));
  left.add(pid);
  return pid;
}

function start(script: string, runs?: string): StartedProgram {
  return startProgram({
    program: process.execPath,
    args: ['-e', script],
    cwd: top,
    env: process.env,
    stdio: 'ignore',
    note:
      runs === undefined
        ? undefined
        : (mark) => noteRun(runs, { what: 'agent', folder: top, leg: null }, mark),
  });
}

const never = new AbortController().signal;
const launched = (script: string) => ({
  program: process.execPath,
  args: ['-e', script],
  cwd: top,
  stdin: '',
  env: {},
  session: null,
});

describe.skipIf(process.platform !== 'linux')('a program and all it started', () => {
  test('is ended when it hears no request', async () => {
    const file = fresh();
    const started = start(stubborn(file));
    const pid = await working(file);
    expect(await started.end({ graceMs: 50 })).toEqual({ found: true, left: false });
    expect(isGone(pid)).toBe(true);
    expect((await started.exited).signal).toBe('SIGKILL');
  });

  test('is ended when it left its group by a child that is gone, in a session of its own', async () => {
    const [file, runs] = [fresh(), fresh()];
    const started = start(forkedTwice(stubborn(file)), runs);
    const pid = await working(file);
    expect((await started.exited).exit).toBe(0);
    expect(isGone(pid)).toBe(false);
    expect(readdirSync(runs)).toEqual([`${started.mark}.json`]);
    expect(await started.end({ graceMs: 50 })).toEqual({ found: true, left: false });
    expect(isGone(pid)).toBe(true);
    expect(readdirSync(runs)).toEqual([]);
  });

  test('is ended by its group when it emptied its environment', async () => {
    const file = fresh();
    const bare = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn(file))}], { env: {}, stdio: 'ignore' }); setInterval(() => {}, 1000);`;
    const started = start(bare);
    const pid = await working(file);
    await started.end({ graceMs: 50 });
    expect(isGone(pid)).toBe(true);
  });

  test('stays noted while something of it is left, and is found by others once its launcher is gone', async () => {
    const [file, runs, folder] = [fresh(), fresh(), top];
    const launcher = fresh();
    writeFileSync(
      `${launcher}.ts`,
      `import { startProgram } from ${JSON.stringify(join(import.meta.dirname, '../../src/process/start.ts'))};
import { noteRun } from ${JSON.stringify(join(import.meta.dirname, '../../src/process/orphans.ts'))};
startProgram({ program: process.execPath, args: ['-e', ${JSON.stringify(forkedTwice(stubborn(file)))}], cwd: ${JSON.stringify(folder)}, env: process.env, stdio: 'ignore',
  note: (mark) => noteRun(${JSON.stringify(runs)}, { what: 'agent', folder: ${JSON.stringify(folder)}, leg: null }, mark) });
setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, [`${launcher}.ts`], { stdio: 'ignore' });
    const pid = await working(file);
    expect(orphansOf(runs, folder).find()).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [orphan, ...others] = orphansOf(runs, folder).find();
    expect(others).toEqual([]);
    expect(orphan).toMatchObject({ what: 'agent', folder, pids: [pid] });
    if (orphan !== undefined) await orphansOf(runs, folder).end(orphan);
    expect(isGone(pid)).toBe(true);
    expect(readdirSync(runs)).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a launched agent', () => {
  const settings = { env: process.env, output: 'stderr', stop: never, isWatched: false } as const;

  test('leaves no command behind that goes on in a session of its own', async () => {
    const file = fresh();
    // Waits for its command to work, and ends well.
    const script = `${forkedTwice(stubborn(file).replaceAll("process.on('SIGTERM', () => {});", ''))} const { existsSync } = require('node:fs'); const t = setInterval(() => { if (existsSync(${JSON.stringify(file)})) clearInterval(t); }, 5);`;
    const ended = await runProgram(launched(script), settings);
    expect(ended).toEqual({ exit: 0, signal: null, failed: null, left: [] });
    expect(isGone(await working(file))).toBe(true);
  });

  test('is ended with its commands when it is stopped', async () => {
    const file = fresh();
    const stop = new AbortController();
    const running = runProgram(
      launched(
        `${forkedTwice(stubborn(file).replaceAll("process.on('SIGTERM', () => {});", ''))} setInterval(() => {}, 1000);`,
      ),
      { ...settings, stop: stop.signal },
    );
    const pid = await working(file);
    stop.abort();
    expect(await running).toEqual({ exit: null, signal: 'SIGTERM', failed: null, left: [] });
    expect(isGone(pid)).toBe(true);
  });

  test.each([
    ['they ended it: it is theirs', '', { exit: 0, signal: null, noted: 0 }],
    [
      'it was killed: it stays noted',
      "process.kill(process.pid, 'SIGKILL');",
      { exit: null, signal: 'SIGKILL', noted: 1 },
    ],
  ] as const)('keeps what a person left running there; %s', async (_, last, { exit, signal, noted }) => {
    const [file, runs] = [fresh(), fresh()];
    const script = `${forkedTwice(stubborn(file))} const { existsSync } = require('node:fs'); const t = setInterval(() => { if (existsSync(${JSON.stringify(file)})) { clearInterval(t); ${last} } }, 5);`;
    const ended = await runProgram(launched(script), {
      ...settings,
      isWatched: true,
      note: (mark) => noteRun(runs, { what: 'agent', folder: top, leg: null }, mark),
    });
    const pid = await working(file);
    expect(ended).toEqual({ exit, signal, failed: null, left: [pid] });
    expect(readdirSync(runs)).toHaveLength(noted);
  });

  test('that cannot be started says why', async () => {
    const ended = await runProgram({ ...launched(''), program: join(top, 'no-such-program') }, settings);
    expect(ended.failed).toContain('ENOENT');
  });
});

describe('a lock of a process that has ended', () => {
  test('is taken over by one of those who find it', () => {
    const path = fresh();
    writeFileSync(path, '999999999 1');
    const taken = [takeLock(path), takeLock(path), takeLock(path)];
    expect(taken).toEqual(['broken', 'busy', 'busy']);
    dropLock(path);
    expect(takeLock(path)).toBe('taken');
  });
});
