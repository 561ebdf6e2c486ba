import { describe, expect, test } from 'vitest';
import type { WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import { captureOf, clone, commit, git, open, repository, restoreInto, write } from './sandbox.ts';
import { indexOf, treeOf } from './tree.ts';

async function probe(folder: string): Promise<WorkspaceFacts> {
  return await (await open(folder)).probe();
}

/** Two branches that both changed the same line. */
function parted(): string {
  const folder = repository({ 'a.txt': 'one\n' });
  git(folder, 'checkout', '-q', '-b', 'other');
  write(folder, 'a.txt', 'theirs\n');
  commit(folder, 'theirs');
  git(folder, 'checkout', '-q', 'main');
  write(folder, 'a.txt', 'ours\n');
  commit(folder, 'ours');
  return folder;
}

function attempt(folder: string, ...args: readonly string[]): void {
  expect(() => git(folder, ...args)).toThrow(/Command failed/);
}

describe('an operation under way', () => {
  test('a merge with a conflict comes back with all three sides', async () => {
    const folder = parted();
    const target = clone(folder);
    attempt(folder, 'merge', 'other');
    const taken = await captureOf(folder);
    expect(taken.facts).toMatchObject({
      git: { operation: { kind: 'merge', commits: [git(folder, 'rev-parse', 'other').trim()] } },
      counts: { conflicted: 1 },
      changes: [{ path: 'a.txt', conflict: 'both-modified', type: 'file' }],
    });
    expect(taken.manifest.losses).toEqual([{ path: '.', reason: 'operation' }]);
    const report = await restoreInto(target, taken);
    expect(indexOf(target)).toBe(indexOf(folder));
    expect(treeOf(target)).toEqual(treeOf(folder));
    expect(report.losses).toEqual(taken.manifest.losses);
    expect(report.digest).toBe(taken.facts.digest);
  });

  test('a rebase, with its branch and step', async () => {
    const folder = parted();
    const onto = git(folder, 'rev-parse', 'other').trim();
    attempt(folder, 'rebase', 'other');
    expect((await probe(folder)).git).toMatchObject({
      branch: null,
      operation: { kind: 'rebase', branch: 'main', commits: [onto], step: 1, of: 1 },
    });
  });

  test('a cherry-pick, a revert and a bisection', async () => {
    const picked = parted();
    attempt(picked, 'cherry-pick', 'other');
    expect((await probe(picked)).git?.operation).toMatchObject({ kind: 'cherry-pick' });
    const reverted = parted();
    attempt(reverted, 'revert', 'other');
    expect((await probe(reverted)).git?.operation).toMatchObject({ kind: 'revert' });
    const bisected = parted();
    git(bisected, 'bisect', 'start');
    expect((await probe(bisected)).git?.operation).toEqual({ kind: 'bisect' });
  });

  test('every kind of conflict restores', async () => {
    const folder = repository({ 'ud.txt': '1\n', 'du.txt': '1\n', 'keep.txt': '1\n' });
    git(folder, 'checkout', '-q', '-b', 'other');
    git(folder, 'rm', '-q', 'ud.txt');
    write(folder, 'du.txt', 'theirs\n');
    write(folder, 'aa.txt', 'theirs\n');
    commit(folder);
    git(folder, 'checkout', '-q', 'main');
    write(folder, 'ud.txt', 'ours\n');
    git(folder, 'rm', '-q', 'du.txt');
    write(folder, 'aa.txt', 'ours\n');
    commit(folder);
    const target = clone(folder);
    attempt(folder, 'merge', 'other');
    const taken = await captureOf(folder);
    expect(taken.facts.changes.map(({ path, conflict }) => [path, conflict])).toEqual([
      ['aa.txt', 'both-added'],
      ['du.txt', 'deleted-by-us'],
      ['ud.txt', 'deleted-by-them'],
    ]);
    await restoreInto(target, taken);
    expect([indexOf(target), treeOf(target)]).toEqual([indexOf(folder), treeOf(folder)]);
  });
});
