/** What is read from git's own files in place of asking git: never an answer where git would give another. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readIndex, type IndexEntryRead } from '../../src/workspace/git/read-index.ts';
import { readRef } from '../../src/workspace/git/ref-files.ts';
import { commit, fresh, git, gitWith, init, link, open, write } from './sandbox.ts';

function indexOf(folder: string): Buffer {
  return readFileSync(join(folder, '.git/index'));
}

function filled(): string {
  const folder = init();
  for (const name of ['a', 'bb', 'ccc/dddd', 'ccc/eeeee', 'f'.repeat(200), 'ü'])
    write(folder, name, `${name}\n`);
  write(folder, 'run.sh', '#!/bin/sh\n', 0o755);
  link(folder, 'l', 'a');
  commit(folder);
  return folder;
}

/** As git lists it, or null where it is for git to read. */
function readBack(bytes: Buffer, idBytes: 20 | 32 = 20): string[] | null {
  const lines: string[] = [];
  const see = ({ mode, oid, path, stage, flag }: IndexEntryRead): unknown => {
    const tag = stage !== 0 ? 'M' : flag === undefined ? 'H' : flag === 'skip-worktree' ? 'S' : 'h';
    return lines.push(`${tag} ${mode} ${oid} ${stage}\t${path.toString('utf8')}`);
  };
  return readIndex(bytes, idBytes, { see, all: true }) ? lines : null;
}

function listed(folder: string): string[] {
  return git(folder, 'ls-files', '-s', '-v', '-z').split('\0').slice(0, -1);
}

describe('an index', () => {
  test.each([
    ['of files and links', []],
    ['with a file that is only announced', ['add', '--intent-to-add', 'new']],
    ['with a file that is assumed unchanged', ['update-index', '--assume-unchanged', 'bb']],
    ['that leaves a file out of the tree', ['update-index', '--skip-worktree', 'ccc/dddd']],
    ['with a submodule', ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`]],
  ])('%s is read as git reads it', (_, args) => {
    const folder = filled();
    write(folder, 'new', 'new\n');
    if (args.length > 0) git(folder, ...args);
    expect(readBack(indexOf(folder))).toEqual(listed(folder));
  });

  test('with both sides of a conflict is read as git reads it', () => {
    const folder = filled();
    git(folder, 'checkout', '-q', '-b', 'other');
    write(folder, 'a', 'theirs\n');
    commit(folder);
    git(folder, 'checkout', '-q', 'main');
    write(folder, 'a', 'ours\n');
    commit(folder);
    expect(() => git(folder, 'merge', 'other')).toThrow(/./);
    const lines = readBack(indexOf(folder));
    expect(lines?.filter((line) => line.startsWith('M'))).toHaveLength(3);
    expect(lines).toEqual(listed(folder));
  });

  test.each([
    ['has version 4', ['update-index', '--index-version', '4']],
    ['lies in two files', ['update-index', '--split-index']],
  ])('that %s is for git', (_, args) => {
    const folder = filled();
    git(folder, ...args);
    expect(readBack(indexOf(folder))).toBeNull();
  });

  test('of longer ids is read by their length', () => {
    const folder = fresh('long-ids');
    execFileSync('git', ['init', '-q', '--object-format=sha256', folder]);
    write(folder, 'a', 'a\n');
    git(folder, 'add', '-A');
    expect(readBack(indexOf(folder), 32)).toEqual(listed(folder));
    expect(readBack(indexOf(folder))).toBeNull();
  });

  test('that is cut among its entries or made up is for git', () => {
    const bytes = indexOf(filled());
    const entries = bytes.lastIndexOf('run.sh');
    for (let end = 0; end < entries; end += 1)
      expect(readBack(bytes.subarray(0, end)), `the first ${end} bytes`).toBeNull();
    expect(readBack(Buffer.alloc(200, 0xff))).toBeNull();
  });
});

describe('a branch', () => {
  test('is read where git keeps it', () => {
    const folder = filled();
    const common = join(folder, '.git');
    const one = { name: 'refs/heads/one', commit: git(folder, 'rev-parse', 'HEAD').trim() };
    git(folder, 'branch', 'one');
    git(folder, 'symbolic-ref', 'refs/heads/named', 'refs/heads/one');
    const names = ['one', 'named', 'two', 'on', 'one/more'].map((name) => `refs/heads/${name}`);
    const read = (): unknown[] => names.map((name) => readRef(common, name));
    expect(read()).toEqual([one, one, null, null, null]);
    git(folder, 'pack-refs', '--all');
    expect(existsSync(join(common, 'refs/heads/one'))).toBe(false);
    expect(read()).toEqual([one, one, null, null, null]);
  });

  test('is for git where it is damaged, leads nowhere, or lies in files of another kind', () => {
    const folder = filled();
    const common = join(folder, '.git');
    for (const [name, text] of Object.entries({ a: '', b: '0'.repeat(40), c: 'ref: refs/heads/c', d: 'x' }))
      write(folder, `.git/refs/heads/${name}`, `${text}\n`);
    const read = ['a', 'b', 'c', 'd'].map((name) => readRef(common, `refs/heads/${name}`));
    expect(read).toEqual([undefined, undefined, undefined, undefined]);
    write(folder, '.git/reftable/tables.list', '');
    expect(readRef(common, 'refs/heads/main')).toBeUndefined();
  });

  test('on which the work began is found in commits that nobody has packed, and by git in others', async () => {
    const folder = filled();
    const began = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'checkout', '-q', '-b', 'work');
    for (const name of ['one', 'two']) {
      write(folder, name);
      commit(folder);
    }
    const base = async (): Promise<unknown> => (await (await open(folder)).probe()).git?.base;
    expect(await base()).toEqual({ ref: 'main', commit: began });
    git(folder, 'gc', '-q');
    expect(await base()).toEqual({ ref: 'main', commit: began });
    // Where another commit stands for it, git sees other parents than its bytes say.
    const orphan = gitWith(folder, ['commit-tree', 'HEAD^{tree}'], { input: 'orphan\n' }).trim();
    write(folder, 'three');
    commit(folder);
    git(folder, 'replace', git(folder, 'rev-parse', 'HEAD').trim(), orphan);
    expect(await base()).toBeNull();
  });

  test('that others work on is the base, packed or not', async () => {
    const folder = filled();
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'checkout', '-q', '-b', 'work');
    const base = { ref: 'main', commit: head };
    expect((await (await open(folder)).probe()).git?.base).toEqual(base);
    git(folder, 'pack-refs', '--all');
    expect((await (await open(folder)).probe()).git?.base).toEqual(base);
    git(folder, 'checkout', '-q', 'main');
    expect((await (await open(folder)).probe()).git?.base).toBeNull();
    writeFileSync(join(folder, 'bb'), 'more\n');
    expect((await (await open(folder)).probe()).changes.map(({ path }) => path)).toEqual(['bb']);
  });
});
