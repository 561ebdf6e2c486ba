/** How often one command asks git, counted by a git that writes down what it is asked, in front of the real one. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder, newWorkplace, staffetta } from './command.ts';

const aside = newFolder();
const log = join(aside, 'asked');
const PATH = `${join(aside, 'bin')}:${process.env['PATH'] ?? ''}`;

beforeAll(() => {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  mkdirSync(join(aside, 'bin'));
  writeFileSync(join(aside, 'bin', 'git'), `#!/bin/sh\necho "$1" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(aside, 'bin', 'git'), 0o755);
});

/** What git was asked by a command, by the first word of each question. */
async function asked(cwd: string, ...args: readonly string[]): Promise<string[]> {
  rmSync(log, { force: true });
  const { status, stderr } = await staffetta(args, { cwd, env: { PATH } });
  expect(status === 0 ? '' : stderr).toBe('');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').sort() : [];
}

function git(folder: string, ...args: readonly string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', ['-C', folder, ...who, ...args], { env, stdio: 'pipe' });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}

/** Staged, staged and edited again, edited, removed, and new. */
function changed(): string {
  const folder = newWorkplace();
  write(folder, { 'fence.txt': 'two posts\n', 'gate.txt': 'a gate\n' });
  git(folder, 'add', '.');
  write(folder, { 'fence.txt': 'three posts\n', 'roof.txt': 'a roof\n' });
  rmSync(join(folder, 'check.mjs'));
  return folder;
}

function withoutCommit(): string {
  const folder = newFolder();
  git(folder, 'init', '-q', '-b', 'main');
  write(folder, { 'fence.txt': 'one post\n', 'gate.txt': 'a gate\n' });
  git(folder, 'add', 'fence.txt');
  return folder;
}

function onBranch(): string {
  const folder = newWorkplace();
  git(folder, 'switch', '-qc', 'work');
  write(folder, { 'fence.txt': 'two posts\n' });
  git(folder, 'commit', '-qam', 'Go on.');
  write(folder, { 'fence.txt': 'three posts\n' });
  return folder;
}

function withSubmodule(): string {
  const folder = newWorkplace();
  git(folder, 'submodule', '-q', 'add', newWorkplace(), 'inner');
  git(folder, 'commit', '-qm', 'An inner one.');
  write(folder, { 'fence.txt': 'two posts\n' });
  return folder;
}

const words = ['--done', 'the posts', '--remaining', 'the boards', '--next', 'nail the boards'];
const contract = ['--accept', 'It holds a cow.', '--non-goal', 'none'];

describe('one handoff, from the first command to the next holder', () => {
  test.each<[string, () => string, Readonly<Record<'open' | 'handoff' | 'take', readonly string[]>>]>([
    [
      'of a tree without changes',
      newWorkplace,
      { open: ['config'], handoff: ['config', 'status'], take: ['config', 'status'] },
    ],
    [
      'of one with all kinds of changes',
      changed,
      { open: ['config'], handoff: ['config', 'diff', 'status'], take: ['config', 'status'] },
    ],
    [
      'before the first commit',
      withoutCommit,
      {
        open: ['config', 'rev-parse', 'symbolic-ref'],
        handoff: ['config', 'diff', 'status'],
        take: ['config', 'status'],
      },
    ],
    [
      'on a branch of its own',
      onBranch,
      { open: ['config'], handoff: ['config', 'diff', 'status'], take: ['config', 'status'] },
    ],
    [
      'with a submodule, which is a repository of its own',
      withSubmodule,
      {
        open: ['config'],
        handoff: ['config', 'config', 'diff', 'status', 'status'],
        take: ['config', 'config', 'status', 'status'],
      },
    ],
  ])('%s asks git three things or fewer of each repository', async (_, make, expected) => {
    const folder = make();
    const open = await asked(folder, 'open', 'A fence', ...contract, '--take', '--as', 'ada');
    const handoff = await asked(folder, 'handoff', '--to', 'bea', '--as', 'ada', ...words);
    const take = await asked(folder, 'take', '--as', 'bea');
    expect({ open, handoff, take }).toEqual(expected);
  });

  test('tells and shows what was committed meanwhile with two questions more', async () => {
    const folder = newWorkplace();
    git(folder, 'switch', '-qc', 'work');
    await asked(folder, 'open', 'A fence', ...contract, '--take', '--as', 'ada');
    write(folder, { 'fence.txt': 'two posts\n' });
    git(folder, 'commit', '-qam', 'Go on.');
    const handoff = await asked(folder, 'handoff', '--to', 'bea', '--as', 'ada', ...words);
    expect(handoff).toEqual(['config', 'diff', 'diff-tree', 'status']);
  });

  test('looks once where the first holder is shown the workspace as well', async () => {
    const folder = newWorkplace();
    const validate = ['--validate', 'node check.mjs'];
    await asked(folder, 'open', 'A fence', ...contract, ...validate, '--to', 'bea', '--as', 'ada');
    expect(await asked(folder, 'take', '--as', 'bea')).toEqual(['config', 'status']);
  });

  test('binds what was run to the workspace that it seals, in the same look', async () => {
    const folder = newWorkplace();
    const validate = ['--validate', 'stands: node check.mjs'];
    await asked(folder, 'open', 'A fence', ...contract, ...validate, '--take', '--as', 'ada');
    write(folder, { 'fence.txt': 'two posts\n' });
    await asked(folder, 'validate', '--as', 'ada');
    const handoff = await asked(folder, 'handoff', '--to', 'bea', '--as', 'ada', ...words);
    // What git ignores is listed as well, since something was proven.
    expect(handoff).toEqual(['config', 'diff', 'hash-object', 'ls-files', 'status']);
  });
});
