/** What the pages read out of a diff, held against what git itself says of it. */
import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patchOfNewFile } from '../../src/workspace/patch-text.ts';
import { parseDiff, type FileDiff } from '../../src/core/diff/parse.ts';
import { diffText } from '../support/diff-text.ts';
import { GitFolder } from '../support/git-folder.ts';

const many = Array.from({ length: 60 }, (_, n) => `line ${n}`);
const text = `${many.join('\n')}\n`;
const odd = ['grün.txt', 'with blank.txt', 'quote".txt', 'back\\slash.txt', 'tab\there.txt', 'a b/c b/c.txt'];
let folder: GitFolder;
let diff: string;
let files: readonly FileDiff[];

beforeAll(() => {
  folder = new GitFolder({
    'moved.txt': text,
    'copied.txt': text.replaceAll('line', 'row'),
    'mode.sh': 'echo\n',
    'gone.txt': 'gone\n',
    'image.bin': 'a\0b',
    'ends.txt': 'one\ntwo',
    'becomes-link': 'file\n',
    ...Object.fromEntries(odd.map((name) => [name, text])),
  });
  const changed = text.replace('line 5\n', 'line five\n').replace('line 50\n', '--- a/evil\n+++ b/evil\n');
  for (const name of odd) folder.write(name, changed);
  renameSync(join(folder.path, 'moved.txt'), join(folder.path, 'new place.txt'));
  folder.write('new place.txt', changed);
  folder.write('copy.txt', text.replaceAll('line', 'row'));
  chmodSync(join(folder.path, 'mode.sh'), 0o755);
  rmSync(join(folder.path, 'gone.txt'));
  folder.write('image.bin', 'a\0c');
  folder.write('ends.txt', 'one\nthree');
  folder.write('empty.txt', '');
  rmSync(join(folder.path, 'becomes-link'));
  symlinkSync('mode.sh', join(folder.path, 'becomes-link'));
  folder.git('add', '-A');
  folder.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},dependency`);
  const options = ['--cached', '--find-renames', '--find-copies-harder', '--full-index', 'HEAD'];
  diff = folder.git('diff', ...options);
  files = parseDiff(diff).files;
});

afterAll(() => folder.remove());

test('every file has the name and the counts that git gives it', () => {
  const counts = folder.git(
    'diff',
    '--cached',
    '--find-renames',
    '--find-copies-harder',
    '--numstat',
    '-z',
    'HEAD',
  );
  const words = counts.split('\0');
  const told: string[] = [];
  for (let at = 0; at < words.length - 1; at += 1) {
    const [, added, removed, name = ''] = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(words[at] ?? '') ?? [];
    const [from, path] = name === '' ? [words[at + 1], words[at + 2]] : [null, name];
    if (name === '') at += 2;
    told.push(JSON.stringify([path, from, Number(added) || 0, Number(removed) || 0]));
  }
  const read = new Map<string, readonly [string | null, number, number]>();
  // A file that becomes a link is told as one that goes and one that comes.
  for (const { path, from, added, removed } of files) {
    const before = read.get(path) ?? [from, 0, 0];
    read.set(path, [from, before[1] + added, before[2] + removed]);
  }
  expect([...read].map(([path, counted]) => JSON.stringify([path, ...counted])).toSorted()).toEqual(
    told.toSorted(),
  );
});

test('what became of each is read', () => {
  const of = (path: string): Partial<FileDiff> | undefined => files.find((file) => file.path === path);
  expect(of('new place.txt')).toMatchObject({ status: 'renamed', from: 'moved.txt' });
  expect(of('copy.txt')).toMatchObject({ status: 'copied', from: 'copied.txt', similarity: 100 });
  expect(of('mode.sh')).toMatchObject({ oldMode: '100644', newMode: '100755', hunks: [] });
  expect(of('gone.txt')).toMatchObject({ status: 'deleted' });
  expect(of('image.bin')).toMatchObject({ binary: true });
  expect(of('empty.txt')).toMatchObject({ status: 'added', hunks: [] });
  expect(of('dependency')).toMatchObject({ status: 'added', newMode: '160000' });
  expect(
    files.filter(({ path }) => path === 'becomes-link').map(({ newMode, oldMode }) => newMode ?? oldMode),
  ).toEqual(['100644', '120000']);
  expect(of('ends.txt')?.hunks?.[0]?.lines.map(({ noEnd }) => noEnd !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
});

test('the text comes back, and so does every beginning of it', () => {
  expect(parseDiff(diff).cut).toBe(false);
  for (let at = 0; at <= diff.length; at += 7)
    expect(diffText(parseDiff(diff.slice(0, at)))).toBe(diff.slice(0, at));
});

test('new files that git does not know are read as well', () => {
  for (const path of [...odd, 'plain.txt', 'line\nend.txt']) {
    const content = Buffer.from('one\ntwo');
    const patch = patchOfNewFile({
      path,
      mode: '100755',
      content,
      binary: false,
      hash: 'sha1',
    }).text.toString();
    expect(parseDiff(patch)).toMatchObject({
      cut: false,
      files: [{ path, status: 'added', newMode: '100755', added: 2, removed: 0 }],
    });
    expect(diffText(parseDiff(patch))).toBe(patch);
  }
});
