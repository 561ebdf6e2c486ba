/** What is read from git's own files in place of asking git: never an answer where git would give another. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPlainIndex } from '../../src/workspace/git/index-glance.ts';
import { mayHaveRef } from '../../src/workspace/git/ref-files.ts';
import { commit, fresh, git, init, link, open, write } from './sandbox.ts';

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

describe('an index', () => {
  test('of files and links needs no git', () => {
    const folder = filled();
    expect(isPlainIndex(indexOf(folder), 20)).toBe(true);
    write(folder, 'new', 'new\n');
    git(folder, 'add', '--intent-to-add', 'new');
    expect(isPlainIndex(indexOf(folder), 20)).toBe(true);
  });

  test.each([
    ['holds a file that is assumed unchanged', ['update-index', '--assume-unchanged', 'bb']],
    ['leaves a file out of the tree', ['update-index', '--skip-worktree', 'ccc/dddd']],
    ['has version 4', ['update-index', '--index-version', '4']],
    ['lies in two files', ['update-index', '--split-index']],
  ])('that %s is for git', (_, args) => {
    const folder = filled();
    git(folder, ...args);
    expect(isPlainIndex(indexOf(folder), 20)).toBe(false);
  });

  test('with a submodule is for git', () => {
    const folder = filled();
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${head},sub`);
    expect(isPlainIndex(indexOf(folder), 20)).toBe(false);
  });

  test('of longer ids is read by their length', () => {
    const folder = fresh('long-ids');
    execFileSync('git', ['init', '-q', '--object-format=sha256', folder]);
    write(folder, 'a', 'a\n');
    git(folder, 'add', '-A');
    expect(isPlainIndex(indexOf(folder), 32)).toBe(true);
    expect(isPlainIndex(indexOf(folder), 20)).toBe(false);
  });

  test('that is cut among its entries or made up is for git', () => {
    const bytes = indexOf(filled());
    const entries = bytes.lastIndexOf('run.sh');
    for (let end = 0; end < entries; end += 1)
      expect(isPlainIndex(bytes.subarray(0, end), 20), `the first ${end} bytes`).toBe(false);
    expect(isPlainIndex(Buffer.alloc(200, 0xff), 20)).toBe(false);
  });
});

describe('a branch', () => {
  test('is looked for where git keeps it', () => {
    const folder = filled();
    const common = join(folder, '.git');
    git(folder, 'branch', 'one');
    expect(mayHaveRef(common, ['refs/heads/one'])).toBe(true);
    git(folder, 'pack-refs', '--all');
    expect(existsSync(join(common, 'refs/heads/one'))).toBe(false);
    expect(mayHaveRef(common, ['refs/heads/two', 'refs/heads/one'])).toBe(true);
    expect(mayHaveRef(common, ['refs/heads/two', 'refs/heads/on', 'refs/heads/one/more'])).toBe(false);
  });

  test('may be anywhere where git keeps them otherwise', () => {
    const folder = filled();
    write(folder, '.git/reftable/tables.list', '');
    expect(mayHaveRef(join(folder, '.git'), ['refs/heads/none'])).toBe(true);
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
