import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareBones } from '../../test/support/bare-bones.ts';
import { isInFolders, folderNames } from './of-folder.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-folder-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const repo = join(base, 'repo');
bareBones(repo);
mkdirSync(join(repo, 'pkg', 'a'), { recursive: true });
bareBones(join(repo, 'vendor', 'other'));
mkdirSync(join(repo, 'sandbox', '.git'), { recursive: true });
mkdirSync(join(repo, 'vendor', 'other', 'src'));
symlinkSync(repo, join(base, 'link'));

test.each([
  ['itself', '', true],
  ['a folder below', 'pkg/a', true],
  ['a folder below that is gone', 'pkg/gone', true],
  ['a folder below that a sandbox left an empty .git in', 'sandbox', true],
  ['a repository below', 'vendor/other', false],
  ['a folder in a repository below', 'vendor/other/src', false],
  ['a neighbour whose name begins the same', '../repo-two', false],
  ['the folder above', '..', false],
])('%s', (_what, path, expected) => {
  expect(isInFolders(folderNames(repo), join(repo, path))).toBe(expected);
});

test('below a folder that is no repository there may be anything', () => {
  expect(isInFolders(folderNames(base), join(base, 'notes'))).toBe(false);
});

test('a folder is known by its real name too', () => {
  expect(isInFolders(folderNames(join(base, 'link')), join(repo, 'pkg'))).toBe(true);
});
