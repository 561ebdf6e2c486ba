/** WS10, WS11: commands in the workspace. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunOptions, RunReport } from '../../src/ports/workspace.ts';
import { BoundedOutput } from '../../src/workspace/run/output.ts';
import { env, fresh, open, refusal, repository, write } from './sandbox.ts';

const folder = repository();

async function run(command: readonly string[], options: RunOptions = {}): Promise<RunReport> {
  return await (await open(folder)).run(command, options);
}

async function script(text: string, options: RunOptions = {}): Promise<RunReport> {
  return await run(['sh', '-c', text], options);
}

function text(report: RunReport): string {
  return Buffer.from(report.output).toString();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody waits for is over, too.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a command', () => {
  test('runs at the root, without a shell, and tells how it ended', async () => {
    const report = await run(['printf', '%s|', '$HOME', '*', 'a b; exit 3']);
    expect(report).toMatchObject({ end: { how: 'exited', code: 0 }, droppedBytes: 0, leftovers: false });
    expect(text(report)).toBe('$HOME|*|a b; exit 3|');
    expect(text(await run(['pwd']))).toBe(`${folder}\n`);
    expect((await script('exit 7')).end).toEqual({ how: 'exited', code: 7 });
    expect((await script('kill -SEGV $$')).end).toEqual({ how: 'signalled', signal: 'SIGSEGV' });
  });

  test('runs in a folder of the workspace, and nowhere else', async () => {
    expect(text(await run(['pwd'], { cwd: 'src' }))).toBe(`${folder}/src\n`);
    symlinkSync('/tmp', join(folder, 'way-out'));
    for (const cwd of ['..', '/tmp', 'src/../..', 'way-out'])
      expect((await refusal(run(['pwd'], { cwd }))).code).toBe('unsafe-path');
    expect((await refusal(run(['pwd'], { cwd: 'nowhere' }))).code).toBe('workspace-missing');
    expect((await refusal(run([]))).code).toBe('invalid-input');
    expect((await refusal(run(['env'], { env: { A: 'x\0y' } }))).code).toBe('invalid-input');
    expect((await refusal(run(['echo', 'a\0b']))).code).toBe('invalid-input');
  });

  test('has no input', async () => {
    expect(await run(['cat'], { timeoutMs: 5000 })).toMatchObject({
      end: { how: 'exited', code: 0 },
      outputBytes: 0,
    });
  });

  test('does not see what speaks for the caller', async () => {
    const workspace = await open(folder, {
      env: { ...env, STAFFETTA_TOKEN: 'secret', Staffetta_Store: 'x', KEPT: 'yes' },
    });
    const output = text(await workspace.run(['env'], { env: { ADDED: '1', STAFFETTA_FENCE: 't/1' } }));
    expect(output).not.toContain('secret');
    expect(output).not.toContain('Staffetta_Store');
    expect(output).toContain('KEPT=yes\n');
    expect(output).toContain('ADDED=1\n');
    expect(output).toContain('STAFFETTA_FENCE=t/1\n');
  });

  test('keeps output and errors in the order they came', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? `o${i}` : `e${i}`));
    const report = await script(
      lines.map((line, i) => `echo ${line}${i % 2 === 0 ? '' : ' >&2'}`).join('\n'),
    );
    expect(text(report)).toBe(`${lines.join('\n')}\n`);
  });

  test('may write to its streams by name', async () => {
    expect(
      text(await script('echo one > /dev/stderr; echo two > /dev/stdout; echo three | tee /dev/stderr')),
    ).toBe('one\ntwo\nthree\nthree\n');
  });

  test('is bound to the tree before and after it', async () => {
    const quiet = await run(['true']);
    expect(quiet.after).toBe(quiet.before);
    const busy = await script('echo x > made-by-command.txt');
    expect(busy.after).not.toBe(busy.before);
    const broken = repository();
    const report = await (await open(broken)).run(['sh', '-c', 'echo done; rm -rf .git']);
    expect([report.after, text(report)]).toEqual([null, 'done\n']);
  });
});

/** A child outside the group; the command goes on once it runs. */
const leaving = (place: string, how = 'setsid -f'): string =>
  `${how} sh -c 'echo $$ > ${place}; exec sleep 600'; until [ -s ${place} ]; do sleep 0.01; done`;
const pidIn = (place: string): number => Number(readFileSync(place, 'utf8'));

describe('a command that does not behave', () => {
  test('one that does not exist or cannot be executed is an outcome', async () => {
    write(folder, 'plain.txt', 'text', 0o644);
    write(folder, 'no-interpreter', '#!/nowhere/at/all\n', 0o755);
    mkdirSync(join(folder, 'a-folder'), { recursive: true });
    expect((await run(['no-such-program-anywhere'])).end).toEqual({
      how: 'not-started',
      reason: 'not-found',
    });
    expect((await run(['./nowhere'])).end).toEqual({ how: 'not-started', reason: 'not-found' });
    expect((await run(['./plain.txt'])).end).toEqual({ how: 'not-started', reason: 'not-executable' });
    expect((await run(['./a-folder'])).end).toEqual({ how: 'not-started', reason: 'not-executable' });
    expect((await run(['./no-interpreter'])).end).toEqual({ how: 'not-started', reason: 'not-executable' });
  });

  test('one that hangs is ended at the limit, with everything it started', async () => {
    const report = await script('sleep 600 & echo $!; echo $$; sleep 600', { timeoutMs: 300 });
    expect(report.end).toEqual({ how: 'timed-out' });
    expect(report.durationMs).toBeLessThan(30_000);
    const pids = text(report).trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('one that does not listen is killed', async () => {
    const report = await script(`trap '' TERM; echo $$; while :; do sleep 0.1; done`, { timeoutMs: 300 });
    expect(report.end).toEqual({ how: 'timed-out' });
    expect(isRunning(Number(text(report)))).toBe(false);
  });

  test('one that prints without end is read to the limit and no further', async () => {
    const report = await script('echo first; yes | head -c 200000000; echo last', { outputBytesMax: 10_000 });
    expect(report.end).toEqual({ how: 'exited', code: 0 });
    expect(report.outputBytes).toBe(200_000_011);
    expect(report.droppedBytes).toBe(200_000_011 - 10_000);
    expect(text(report)).toMatch(/^first\n/);
    expect(text(report)).toMatch(/last\n$/);
    expect(text(report)).toContain(`[… ${report.droppedBytes} bytes left out …]`);
    expect(report.output.length).toBeLessThan(10_100);
  });

  test('one that leaves children with its output open does not hold us up, and they are ended', async () => {
    const started = performance.now();
    const report = await script('sleep 600 & echo $!');
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(report).toMatchObject({ end: { how: 'exited', code: 0 }, leftovers: true });
    expect(isRunning(Number(text(report)))).toBe(false);
  });

  test('one that left its group is found and ended when the command is over', async () => {
    const place = join(fresh(), 'pid');
    mkdirSync(dirname(place));
    const report = await script(leaving(place));
    expect(report).toMatchObject({ end: { how: 'exited', code: 0 }, leftovers: true, unended: false });
    expect(isRunning(pidIn(place))).toBe(false);
  });

  test('one that left its group is found and ended when the command is cut off', async () => {
    const place = join(fresh(), 'pid');
    mkdirSync(dirname(place));
    const controller = new AbortController();
    const watcher = watch(dirname(place), () => {
      if (existsSync(place) && readFileSync(place, 'utf8') !== '') controller.abort();
    });
    const report = await script(`${leaving(place)}; sleep 600`, { signal: controller.signal });
    watcher.close();
    expect(report).toMatchObject({ end: { how: 'interrupted' }, unended: false });
    expect(isRunning(pidIn(place))).toBe(false);
  });

  test('one that left its group with nothing but our output is found by that', async () => {
    const place = join(fresh(), 'pid');
    mkdirSync(dirname(place));
    const report = await script(leaving(place, 'env -i setsid -f'));
    expect(report).toMatchObject({ end: { how: 'exited', code: 0 }, leftovers: true, unended: false });
    expect(isRunning(pidIn(place))).toBe(false);
  });

  test('one that goes on in the background is ended before the workspace is looked at again', async () => {
    const late = 'while :; do date +%N > late.txt; sleep 0.01; done';
    const report = await script(
      `rm -f late.txt; setsid -f sh -c '${late}'; until [ -s late.txt ]; do sleep 0.01; done`,
    );
    expect(report.leftovers).toBe(true);
    expect(report.after).toBe((await (await open(folder)).probe()).digest);
  });

  test('one that is interrupted by the caller is ended', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const report = await script('echo $$; sleep 600', { signal: controller.signal });
    expect(report.end).toEqual({ how: 'interrupted' });
    expect(isRunning(Number(text(report)))).toBe(false);
    expect((await script('sleep 600', { signal: AbortSignal.abort() })).end).toEqual({ how: 'interrupted' });
  });
});

describe('bounded output', () => {
  test('keeps everything up to its size', () => {
    const output = new BoundedOutput(8);
    output.push(Buffer.from('ab'));
    output.push(Buffer.from('cdefgh'));
    expect([output.bytes().toString(), output.total, output.dropped]).toEqual(['abcdefgh', 8, 0]);
  });

  test('keeps beginning and end of what is longer, in pieces of any size', () => {
    for (const size of [1, 3, 7, 100]) {
      const output = new BoundedOutput(8);
      const all = Buffer.from(Array.from({ length: 100 }, (_, i) => 33 + (i % 90)));
      for (let at = 0; at < all.length; at += size) output.push(all.subarray(at, at + size));
      expect(output.bytes().toString()).toBe(
        `${all.subarray(0, 2).toString()}\n[… 92 bytes left out …]\n${all.subarray(-6).toString()}`,
      );
    }
  });

  test('can keep nothing', () => {
    const output = new BoundedOutput(0);
    output.push(Buffer.from('abc'));
    expect(output.bytes().toString()).toBe('\n[… 3 bytes left out …]\n');
  });
});

test('the workspace of a folder that is gone', async () => {
  expect((await refusal(open(fresh()))).code).toBe('workspace-missing');
});
