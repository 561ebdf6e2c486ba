import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownFiles } from './own-files.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'staffetta-own-')));
const root = join(folder, 'root');
mkdirSync(root);

afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  'a.db',
  'a.db-wal',
  'a.db-shm',
  'a.db.keys/x.json',
  'a.db.tokens',
  'a.db.search',
  'a.db.seen.json',
])('%s belongs to the store a.db', (path) => expect(ownFiles(root, join(root, 'a.db'))(path)).toBe(true));

test.each(['b.db', 'a.db2', 'a.db.md', 'a.db-notes', 'sub/a.db', 'a.d'])('%s is work', (path) =>
  expect(ownFiles(root, join(root, 'a.db'))(path)).toBe(false),
);

test('a store elsewhere, one in memory, and one on a server have no files in the workspace', () => {
  for (const store of [join(root, '..', 'a.db'), 'memory:', 'postgres://h/d', undefined])
    expect(ownFiles(root, store)('a.db')).toBe(false);
});

test('a store that is named through a link is found where it lies', () => {
  const link = join(folder, 'link');
  symlinkSync(root, link);
  expect(ownFiles(root, join(link, 'a.db'))('a.db')).toBe(true);
});
