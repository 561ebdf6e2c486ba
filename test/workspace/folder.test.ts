/** A folder without git. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  captureOf,
  fresh,
  git,
  init,
  link,
  open,
  refusal,
  repository,
  restoreInto,
  write,
} from './sandbox.ts';
import { imprint, treeOf } from './tree.ts';
import { runs } from '../property/seed.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = fresh('folder');
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  return folder;
}

test('everything in it is captured, but for what an install or another system brings back', async () => {
  const folder = folderOf({
    'a.txt': 'a',
    'b/c.txt': 'c',
    '.gitignore': '*',
    'node_modules/x/index.js': 'x',
    '.hg/hgrc': '',
  });
  mkdirSync(join(folder, 'empty'));
  write(folder, '.staffetta/store.db');
  const { facts, manifest } = await captureOf(folder);
  expect(facts).toMatchObject({ kind: 'folder', root: folder, git: null, counts: { untracked: 3 } });
  expect(manifest.entries.map(({ path }) => path)).toEqual(['.gitignore', 'a.txt', 'b/c.txt']);
  expect(manifest.losses).toEqual([
    { path: '.hg', reason: 'skipped-folder' },
    { path: 'empty', reason: 'empty-folder' },
    { path: 'node_modules', reason: 'skipped-folder' },
  ]);
});

test('WS1 WS2 WS6: any folder comes back the same in an empty one', async () => {
  const name = fc.constantFrom('a', 'b', 'c d', 'ü', '*');
  const path = fc.tuple(fc.constantFrom('', 'x/', 'x/y/'), name).map(([at, file]) => `${at}${file}`);
  const file = fc.record({ path, content: fc.uint8Array({ maxLength: 100 }), executable: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 8 }), async (files) => {
      const folder = folderOf({});
      for (const each of files) write(folder, each.path, each.content, each.executable ? 0o755 : 0o644);
      link(folder, 'l', 'nowhere');
      const before = imprint(folder);
      const taken = await captureOf(folder);
      expect(imprint(folder)).toEqual(before);
      expect((await captureOf(folder)).manifest).toEqual(taken.manifest);
      const target = folderOf({});
      const report = await restoreInto(target, taken);
      expect(treeOf(target)).toEqual(treeOf(folder));
      expect(report.digest).toBe(taken.facts.digest);
    }),
    runs(20),
  );
});

test('a file that is there already is left alone if it is the same, and stops the restore if it is not', async () => {
  const folder = folderOf({ 'a.txt': 'a', 'b.txt': 'b' });
  const taken = await captureOf(folder);
  const same = folderOf({ 'a.txt': 'a', 'mine.txt': 'mine' });
  expect((await restoreInto(same, taken)).written).toEqual(['b.txt']);
  const other = folderOf({ 'a.txt': 'mine' });
  const before = imprint(other);
  const refused = await refusal(restoreInto(other, taken));
  expect(refused).toMatchObject({ code: 'workspace-dirty', details: { inTheWay: ['a.txt'] } });
  expect(imprint(other)).toEqual(before);
});

test('WS8: folder and repository do not mix', async () => {
  const folder = folderOf({ 'a.txt': 'a' });
  expect((await refusal(restoreInto(init(), await captureOf(folder)))).code).toBe('workspace-moved');
  expect((await refusal(restoreInto(folderOf({}), await captureOf(repository())))).code).toBe(
    'workspace-moved',
  );
});

test('a file that only its owner may read stays so', async () => {
  const folder = folderOf({});
  write(folder, 'key', 'k', 0o600);
  write(folder, 'tool', 't', 0o700);
  const target = folderOf({});
  await restoreInto(target, await captureOf(folder));
  expect([statSync(join(target, 'key')).mode & 0o777, statSync(join(target, 'tool')).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
});

test('a folder inside somebody’s repository belongs to the repository', async () => {
  const folder = repository();
  mkdirSync(join(folder, 'deep/er'), { recursive: true });
  expect((await open(join(folder, 'deep/er'))).root).toBe(folder);
  git(folder, 'status');
});
