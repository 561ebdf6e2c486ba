/** fork, export, import and move as their users meet them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { contentOf, newFolder, newRepository, staffetta } from './command.ts';
import { asCode, code, stages } from './stage.ts';

describe('fork', () => {
  test('the history of a fork begins with that of the task it was forked from', async () => {
    const { folder, task } = await stages.handedOff();
    const ran = await staffetta(['fork', task, '--at', 'latest', '--why', 'with pine', ...asCode], {
      cwd: folder,
    });
    expect(ran.stdout).toMatch(new RegExp(`^t\\w{12}  The fence stands  \\(forked from ${task} at sha256:`));
    const [fork = ''] = ran.stdout.split(' ');
    const { stdout } = await staffetta(['show', fork, '--history'], { cwd: folder });
    expect(stdout).toMatch(/opened the task[\s\S]*I thought\.[\s\S]*forked it from/);
    const shown = await staffetta(['show', fork], { cwd: folder });
    expect(shown.stdout).toContain(`Forked from\n  ${task} at sha256:`);
    expect(shown.stdout).toContain(`Packet of ${task}`);
  });

  test('it says what is missing, and what was wrong with the packet', async () => {
    const { folder, task } = await stages.handedOff();
    const run = async (...args: string[]): Promise<string> => {
      const { status, stderr } = await staffetta(['fork', task, ...args, ...asCode], { cwd: folder });
      return `${status}: ${stderr.split('\n')[0]}`;
    };
    expect(await run('--at', 'latest')).toBe('2: staffetta: fork needs --why: the reason goes on record.');
    expect(await run('--why', 'x')).toBe('2: staffetta: fork needs --at: the packet to go on from.');
    expect(await run('--why', 'x', '--at', 'abcdef')).toBe(
      `3: staffetta: Task ${task} has no packet abcdef.`,
    );
    expect(await run('--why', 'x', '--at', 'latest', '--goal', 'A wall')).toMatch(/^4: .* may only narrow/);
    expect(await run('--why', 'x', '--at', 'latest', '--non-goal', 'paint')).toMatch(/^0: /);
  });
});

describe('export and import', () => {
  test('through a pipe into a store that is not there yet', async () => {
    const { folder, task } = await stages.handedOff();
    const other = newRepository();
    const scratch = newFolder();
    const { stdout, status, stderr } = await staffetta(['export', task, '--out', join(other, 'file')], {
      cwd: folder,
    });
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('2 entries and') });
    expect(stderr).toContain('staffetta import');
    const bytes = readFileSync(join(other, 'file'));
    const piped = await staffetta(['export', task], { cwd: folder });
    expect(piped.stdout).toBe(bytes.toString());
    const came = await staffetta(['import', '-'], { cwd: other, stdin: bytes, env: { TMPDIR: scratch } });
    expect(came.stdout).toBe(`Imported ${task}: 2 entries new, as a copy: it goes on where it came from.\n`);
    expect(came.stderr).toContain('Created the store');
    const again = await staffetta(['import', 'file'], { cwd: other });
    expect(again.stdout).toBe(`Everything of ${task} is here already; nothing changed.\n`);
    expect((await staffetta(['show', task], { cwd: other })).stdout).toContain('elsewhere: a copy');
    const refused = await staffetta(['take', task, ...asCode], { cwd: other });
    expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining('lives in another store')]);
    expect((await staffetta(['verify'], { cwd: other })).status).toBe(0);
    expect(readdirSync(scratch).filter((name) => name.startsWith('staffetta'))).toEqual([]);
  });

  test('a damaged file exits with 9, says what was found, and makes no store', async () => {
    const { folder } = await stages.exported();
    const bytes = readFileSync(join(folder, 'task.staffetta'));
    const other = newRepository();
    const cut = await staffetta(['import', '-', '--json'], { cwd: other, stdin: bytes.subarray(0, -10) });
    expect(cut.status).toBe(9);
    expect(cut.json).toMatchObject({
      error: { code: 'corrupt', message: expect.stringContaining('breaks off') },
    });
    expect(existsSync(join(other, '.staffetta'))).toBe(false);
    const touched = Buffer.from(bytes);
    touched[900] = (touched[900] ?? 0) ^ 1;
    writeFileSync(join(folder, 'touched'), touched);
    const before = contentOf(join(folder, '.staffetta', 'store.db'));
    expect((await staffetta(['import', 'touched'], { cwd: folder })).status).toBe(9);
    expect(contentOf(join(folder, '.staffetta', 'store.db'))).toBe(before);
  });

  test('a task that parted exits with 5 and names the entry', async () => {
    const { folder, task } = await stages.offered();
    const file = join(folder, 'file');
    const copy = newRepository();
    await staffetta(['backup', join(copy, 'copy.db')], { cwd: folder });
    await staffetta(['tell', task, 'one'], { cwd: folder });
    await staffetta(['export', task, '--out', file], { cwd: folder });
    await staffetta(['tell', task, 'two', '--store', join(copy, 'copy.db')], { cwd: copy });
    const ran = await staffetta(['import', file, '--store', join(copy, 'copy.db')], { cwd: copy });
    expect([ran.status, ran.stderr]).toEqual([5, expect.stringContaining('they part at entry 1')]);
  });

  test('export overwrites nothing, leaves no room for JSON on stdout, and names a folder that is not there', async () => {
    const { folder, task } = await stages.handedOff();
    writeFileSync(join(folder, 'file'), 'mine');
    const over = await staffetta(['export', task, '--out', 'file'], { cwd: folder });
    expect([over.status, readFileSync(join(folder, 'file'), 'utf8')]).toEqual([5, 'mine']);
    expect((await staffetta(['export', task, '--json'], { cwd: folder })).status).toBe(2);
    const terminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];
    const shown = await staffetta(['export', task], { cwd: folder, node: terminal });
    expect(shown).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('not for a terminal'),
    });
    expect((await staffetta(['export', task, '--out', 'no/file'], { cwd: folder })).status).toBe(2);
    expect((await staffetta(['import', 'nowhere'], { cwd: folder })).status).toBe(2);
  });

  test('what was forked from a copy is exported with what it was forked from', async () => {
    const { folder, store, task } = await stages.exported();
    await staffetta(['import', 'task.staffetta'], { cwd: folder });
    const relay = await openStaffetta({ store, as: code });
    const fork = await relay.fork(task, { at: 'latest', why: 'on', take: true });
    await relay.close();
    const { json } = await staffetta(['export', fork.task, '--out', 'fork', '--json'], { cwd: folder });
    expect(json).toMatchObject({
      journals: [
        { task, seq: 1 },
        { task: fork.task, seq: 0 },
      ],
    });
  });
});

test('all tasks of a store go on in another one; the old one says where, and repeating changes nothing', async () => {
  const { folder: cwd, task } = await stages.held();
  const other = join(newFolder(), 'our store.db');
  const move = ['move', '--all', '--to', other];
  const moved = await staffetta(move, { cwd });
  expect(moved.stdout).toBe(`Moved 1 task to ${other}, a new store.\n  ${task}  held\n`);
  expect(moved.stderr).toContain(`staffetta ls --store '${other}'`);
  expect((await staffetta(move, { cwd })).stdout).toContain('was there already');
  const left = await staffetta(['note', task, 'Oak.', ...asCode], { cwd });
  expect([left.status, left.stderr]).toEqual([5, expect.stringContaining(`has moved to`)]);
  const on = await staffetta(['note', task, 'Oak.', ...asCode, '--store', other], { cwd });
  expect(on.status).toBe(0);
});
