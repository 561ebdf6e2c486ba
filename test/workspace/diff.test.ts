import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { captureOf, clone, fresh, git, link, open, repository, write } from './sandbox.ts';
import { imprint, treeOf } from './tree.ts';

describe('the diff', () => {
  test('holds tracked and untracked changes, and can be applied', async () => {
    const folder = repository({ 'a.txt': 'one\ntwo\n', 'gone.txt': 'x\n', 'old name.txt': '1\n2\n3\n4\n' });
    const target = clone(folder);
    write(folder, 'a.txt', 'one\n2\nthree\n');
    git(folder, 'rm', '-q', 'gone.txt');
    git(folder, 'mv', 'old name.txt', 'new name.txt');
    write(folder, 'un tracked.txt', 'no newline');
    write(folder, 'empty.txt', '');
    write(folder, 'ün"i.sh', '#!/bin/sh\n', 0o755);
    link(folder, 'to-a', 'a.txt');
    const { diff, blobs } = await captureOf(folder);
    expect(diff).toMatchObject({ cut: false, added: 5, removed: 2 });
    expect(diff?.files).toContainEqual({ path: 'new name.txt', added: 0, removed: 0 });
    const patch = join(fresh('patch'), 'p');
    mkdirSync(join(patch, '..'));
    writeFileSync(patch, (await blobs.read(diff?.stored ?? 'sha256:')) ?? '');
    git(target, 'apply', patch);
    expect(treeOf(target)).toEqual(treeOf(folder));
  });

  test('says nothing of the content of binary files, and looks like git’s for new files', async () => {
    const folder = repository();
    write(folder, 'b.bin', Buffer.from([1, 0, 2]));
    write(folder, 't.txt', 'x\ny\n');
    const { diff, blobs } = await captureOf(folder);
    const text = String(await blobs.read(diff?.stored ?? 'sha256:'));
    git(folder, 'add', '-A');
    expect(text).toBe(git(folder, 'diff', '--cached', '--full-index'));
    expect(diff?.files).toContainEqual({ path: 'b.bin', added: null, removed: null });
  });

  test('is left out on request', async () => {
    const folder = repository();
    write(folder, 'a.txt', 'x\n');
    const before = imprint(folder);
    const capture = await (await open(folder)).capture(async (bytes) => digestOf(bytes), { noDiff: true });
    expect(capture.diff).toBeNull();
    expect(imprint(folder)).toEqual(before);
  });
});

test('WS2: the diff does not depend on how the user likes diffs', async () => {
  const folder = repository({ 'a.txt': 'one\n\ntwo\n'.repeat(5), 'b.txt': '1\n' });
  write(folder, 'a.txt', 'one\n\nzwei\n'.repeat(5));
  write(folder, 'b.txt', '2\n');
  const plain = await captureOf(folder);
  for (const [key, value] of Object.entries({
    'diff.noprefix': 'true',
    'diff.mnemonicPrefix': 'true',
    'diff.context': '0',
    'diff.interHunkContext': '9',
    'diff.suppressBlankEmpty': 'true',
    'diff.algorithm': 'patience',
    'diff.orderFile': 'order',
    'diff.renames': 'copies',
    'diff.relative': 'true',
    'color.ui': 'always',
    'color.diff': 'always',
    'status.showUntrackedFiles': 'no',
    'status.relativePaths': 'true',
    'core.quotePath': 'true',
    'core.abbrev': '40',
  }))
    git(folder, 'config', key, value);
  write(folder, '.git/order', 'b.txt\na.txt\n');
  const fancy = await captureOf(folder);
  expect(fancy.diff).toEqual(plain.diff);
  expect(fancy.manifest).toEqual(plain.manifest);
});
