/** WS6 where git changes line endings on the way between repository and tree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureOf, clone, fresh, git, gitWith, open, repository, restoreInto, write } from './sandbox.ts';
import { indexOf, treeOf } from './tree.ts';

/** A clone in which git writes text with the line endings of Windows. */
function cloneCrlf(folder: string): string {
  const target = fresh('crlf');
  gitWith(folder, ['clone', '-q', '-c', 'core.autocrlf=true', folder, target]);
  return target;
}

function begun(): string {
  return repository({
    'a.txt': 'one\ntwo\n',
    'b.txt': 'one\ntwo\n',
    'kept.txt': 'one\ntwo\n',
    'mixed.txt': 'one\r\ntwo\n',
    'gone.txt': 'one\n',
  });
}

function work(folder: string, eol: string): void {
  write(folder, 'a.txt', `one${eol}changed${eol}`);
  git(folder, 'add', 'a.txt');
  write(folder, 'b.txt', `one${eol}two${eol}three`);
  write(folder, 'mixed.txt', 'one\r\ntwo\nthree\r\n');
  write(folder, 'new.txt', `new${eol}file${eol}`);
  write(folder, 'staged.txt', `staged${eol}`);
  git(folder, 'add', 'staged.txt');
  git(folder, 'rm', '-q', 'gone.txt');
}

describe('core.autocrlf', () => {
  test('from one such clone into another every byte and the index come back', async () => {
    const origin = begun();
    const [folder, target] = [cloneCrlf(origin), cloneCrlf(origin)];
    expect(readFileSync(join(folder, 'kept.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
    work(folder, '\r\n');
    const taken = await captureOf(folder);
    const report = await restoreInto(target, taken);
    expect(report.losses).toEqual([]);
    expect(treeOf(target)).toEqual(treeOf(folder));
    expect(indexOf(target)).toBe(indexOf(folder));
    expect(report.digest).toBe(taken.facts.digest);
    expect((await (await open(target)).probe()).digest).toBe(taken.facts.digest);
  });

  test.each([
    ['into one', '\n', clone, cloneCrlf],
    ['out of one', '\r\n', cloneCrlf, clone],
  ])('%s, what was captured comes back byte for byte', async (_, eol, from, to) => {
    const origin = begun();
    const [folder, target] = [from(origin), to(origin)];
    work(folder, eol);
    const taken = await captureOf(folder);
    const report = await restoreInto(target, taken);
    expect(report.losses).toEqual([]);
    for (const path of ['a.txt', 'b.txt', 'mixed.txt', 'new.txt', 'staged.txt'])
      expect([path, readFileSync(join(target, path), 'utf8')]).toEqual([
        path,
        readFileSync(join(folder, path), 'utf8'),
      ]);
    expect(indexOf(target)).toBe(indexOf(folder));
    expect(report.digest).toBe(taken.facts.digest);
  });

  test('a new worktree of such a clone gets the same bytes', async () => {
    const folder = cloneCrlf(begun());
    work(folder, '\r\n');
    const taken = await captureOf(folder);
    const worktree = fresh('worktree');
    const report = await restoreInto(folder, taken, { worktree });
    expect(report.losses).toEqual([]);
    expect(treeOf(worktree)).toEqual(treeOf(folder));
    expect(report.digest).toBe(taken.facts.digest);
  });

  test('a file that differs only in line endings comes back with them', async () => {
    const origin = begun();
    const [folder, target] = [cloneCrlf(origin), cloneCrlf(origin)];
    write(folder, 'kept.txt', 'one\ntwo\n');
    const taken = await captureOf(folder);
    expect(taken.manifest.entries.map(({ path }) => path)).toEqual(['kept.txt']);
    await restoreInto(target, taken);
    expect(readFileSync(join(target, 'kept.txt'), 'utf8')).toBe('one\ntwo\n');
  });
});
