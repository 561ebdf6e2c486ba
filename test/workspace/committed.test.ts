/** WS14, WS15: what was committed since the work began is told apart from what others committed. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assert } from '../../src/core/base/assert.ts';
import { limits } from '../../src/core/base/limits.ts';
import type { WorkStart } from '../../src/core/task/start.ts';
import type { Committed } from '../../src/core/tree/workspace.ts';
import { Blobs, clone, commit, fresh, git, init, open, repository, write } from './sandbox.ts';

async function startOf(folder: string): Promise<WorkStart> {
  const start = await (await open(folder)).start();
  assert(start !== null, 'not a repository');
  return start;
}

async function committedIn(folder: string, since: WorkStart | null): Promise<Committed | undefined> {
  return (await (await open(folder)).capture(new Blobs().store, { since, noDiff: true })).facts.committed;
}

async function pathsIn(folder: string, since: WorkStart | null): Promise<string[] | undefined> {
  return (await committedIn(folder, since))?.files.map(({ path, status }) => `${status} ${path}`);
}

test('a start names HEAD and its branch, and null where there is none', async () => {
  const folder = repository();
  const head = git(folder, 'rev-parse', 'HEAD').trim();
  expect(await startOf(folder)).toEqual({ head, branch: 'main' });
  git(folder, 'checkout', '-q', '--detach');
  expect(await startOf(folder)).toEqual({ head, branch: null });
  expect(await startOf(init())).toEqual({ head: null, branch: 'main' });
  const plain = fresh();
  write(plain, 'a.txt');
  expect(await (await open(plain)).start()).toBeNull();
});

test('nothing was committed where HEAD has not moved, whatever lies in the tree', async () => {
  const folder = repository();
  const start = await startOf(folder);
  write(folder, 'a.txt', 'changed\n');
  expect(await committedIn(folder, start)).toEqual({
    since: start.head,
    files: [],
    left: 0,
    added: 0,
    removed: 0,
  });
});

test('commits are told with what became of each file, and counted in lines', async () => {
  const folder = repository({
    'a.txt': 'one\ntwo\n',
    'old.txt': 'x\n'.repeat(20),
    'gone.txt': 'gone\n',
    'plain.sh': 'true\n',
  });
  const start = await startOf(folder);
  write(folder, 'a.txt', 'one\nthree\n');
  git(folder, 'mv', 'old.txt', 'new.txt');
  rmSync(join(folder, 'gone.txt'));
  commit(folder);
  write(folder, 'bin.dat', Buffer.from([0, 1, 2]));
  write(folder, 'plain.sh', 'true\n', 0o755);
  commit(folder);
  expect(await committedIn(folder, start)).toEqual({
    since: start.head,
    files: [
      { path: 'a.txt', status: 'modified', type: 'file' },
      { path: 'bin.dat', status: 'added', type: 'file', binary: true },
      { path: 'gone.txt', status: 'deleted', type: 'absent' },
      { path: 'new.txt', status: 'renamed', from: 'old.txt', type: 'file' },
      { path: 'plain.sh', status: 'modified', type: 'file', executable: true },
    ],
    left: 0,
    added: 1,
    removed: 2,
  });
});

test('everything is new where the work began before the first commit', async () => {
  const folder = init();
  const start = await startOf(folder);
  write(folder, 'a.txt');
  commit(folder);
  expect(await committedIn(folder, start)).toMatchObject({
    since: null,
    files: [{ path: 'a.txt', status: 'added' }],
  });
});

test('amending the commit that the work began on hides nothing', async () => {
  const folder = repository();
  const start = await startOf(folder);
  write(folder, 'src/b.ts', 'secretly\n');
  git(folder, 'commit', '-q', '-a', '--amend', '-m', 'as before');
  expect(await pathsIn(folder, start)).toEqual(['modified src/b.ts']);
});

test('a change that was committed and taken back is none', async () => {
  const folder = repository();
  const start = await startOf(folder);
  write(folder, 'a.txt', 'other\n');
  commit(folder);
  git(folder, 'revert', '--no-edit', 'HEAD');
  expect(await pathsIn(folder, start)).toEqual([]);
});

/** A feature branch, and somebody else's commit on main. */
function twoBranches(): { folder: string; foreign: () => void } {
  const folder = repository({ 'a.txt': 'one\n', 'theirs.txt': 'x\n', 'mine.txt': 'y\n' });
  git(folder, 'checkout', '-q', '-b', 'feature');
  return {
    folder,
    foreign: () => {
      git(folder, 'checkout', '-q', 'main');
      write(folder, 'theirs.txt', 'changed by others\n');
      commit(folder);
      git(folder, 'checkout', '-q', 'feature');
    },
  };
}

test('what a merge of main brought in is not the work of the branch', async () => {
  const { folder, foreign } = twoBranches();
  const start = await startOf(folder);
  write(folder, 'mine.txt', 'changed\n');
  commit(folder);
  foreign();
  git(folder, 'merge', '-q', '--no-edit', 'main');
  expect(await pathsIn(folder, start)).toEqual(['modified mine.txt']);
});

test('a file that is changed in the merge itself is', async () => {
  const { folder, foreign } = twoBranches();
  const start = await startOf(folder);
  write(folder, 'mine.txt', 'changed\n');
  commit(folder);
  foreign();
  git(folder, 'merge', '-q', '--no-commit', 'main');
  write(folder, 'a.txt', 'slipped in\n');
  write(folder, 'theirs.txt', 'changed by others, and again\n');
  commit(folder);
  expect(await pathsIn(folder, start)).toEqual([
    'modified a.txt',
    'modified mine.txt',
    'modified theirs.txt',
  ]);
});

test('a rebase onto main leaves the work what it is', async () => {
  const { folder, foreign } = twoBranches();
  const start = await startOf(folder);
  write(folder, 'mine.txt', 'changed\n');
  commit(folder);
  foreign();
  git(folder, 'rebase', '-q', 'main');
  expect(await pathsIn(folder, start)).toEqual(['modified mine.txt']);
});

test('what a merge takes back of the work of others is the work of the branch', async () => {
  const { folder, foreign } = twoBranches();
  const start = await startOf(folder);
  foreign();
  git(folder, 'merge', '-q', '--no-ff', '--no-commit', 'main');
  git(folder, 'checkout', '-q', start.head ?? '', '--', 'theirs.txt');
  commit(folder);
  expect(await pathsIn(folder, start)).toEqual(['modified theirs.txt']);
});

test('what comes from the branch that the work is agreed to go onto is not its own', async () => {
  const { folder, foreign } = twoBranches();
  git(folder, 'checkout', '-q', '-b', 'task');
  const start = await startOf(folder);
  write(folder, 'mine.txt', 'changed\n');
  commit(folder);
  foreign();
  git(folder, 'branch', '-q', 'run', 'main');
  git(folder, 'branch', '-q', '-f', 'main', 'feature');
  git(folder, 'checkout', '-q', 'task');
  git(folder, 'merge', '-q', '--no-edit', 'run');
  const taken = await shownIn(folder, start, 'run');
  expect(taken.committed).toMatchObject({ files: [{ path: 'mine.txt' }], added: 1, removed: 1 });
  expect(taken.files).toEqual(['mine.txt']);
});

async function shownIn(
  folder: string,
  since: WorkStart | null,
  onto?: string,
): Promise<{ text: string; files: string[]; isWhole: boolean; committed: Committed | undefined }> {
  const blobs = new Blobs();
  const { diff, facts } = await (await open(folder)).capture(blobs.store, { since, onto });
  const text = String(await blobs.read(diff?.stored ?? 'sha256:'));
  const files = (diff?.files ?? []).map(({ path }) => path);
  return { text, files, isWhole: diff?.committed === true, committed: facts.committed };
}

test('the diff shows a file once, whatever of it is committed, with what git says of the same two trees', async () => {
  const folder = repository({
    'a.txt': 'one\ntwo\n',
    'old.txt': 'x\n'.repeat(20),
    'b.txt': 'b\n',
    'c.txt': 'c\n',
  });
  const start = await startOf(folder);
  write(folder, 'a.txt', 'one\nthree\n');
  write(folder, 'bin.dat', Buffer.from([0, 1, 2]));
  git(folder, 'mv', 'old.txt', 'new.txt');
  write(folder, 'b.txt', 'committed\n');
  commit(folder);
  write(folder, 'a.txt', 'one\nfour\n');
  write(folder, 'new.txt', `${'x\n'.repeat(20)}y\n`);
  write(folder, 'c.txt', 'not committed\n');
  const { text, files, isWhole } = await shownIn(folder, start);
  expect(isWhole).toBe(true);
  expect(files.toSorted()).toEqual(['a.txt', 'b.txt', 'bin.dat', 'c.txt', 'new.txt']);
  const whole = git(folder, 'diff', '--full-index', '--find-renames', start.head ?? '');
  expect(text.split(/^(?=diff --git)/m).toSorted()).toEqual(whole.split(/^(?=diff --git)/m).toSorted());
});

test('what git keeps encrypted is in no diff in the clear, staged or committed', async () => {
  const folder = repository({ '.gitattributes': '*.key filter=git-crypt\n' });
  const start = await startOf(folder);
  git(folder, 'config', 'filter.git-crypt.clean', "printf '\\0GITCRYPT'; cat > /dev/null");
  write(folder, 'one.key', 'plain\n');
  commit(folder);
  write(folder, 'two.key', 'plain\n');
  git(folder, 'add', 'two.key');
  const { text, files } = await shownIn(folder, start);
  expect(files).toEqual(['one.key']);
  expect(text).not.toContain('plain');
});

test('earlier work on the same branch is not counted again', async () => {
  const { folder } = twoBranches();
  write(folder, 'a.txt', 'before the task\n');
  commit(folder);
  const start = await startOf(folder);
  write(folder, 'mine.txt', 'changed\n');
  commit(folder);
  expect(await pathsIn(folder, start)).toEqual(['modified mine.txt']);
});

test('pushing the branch hides nothing', async () => {
  const folder = clone(repository({ 'a.txt': 'one\n' }));
  git(folder, 'checkout', '-q', '-b', 'feature');
  const start = await startOf(folder);
  write(folder, 'a.txt', 'changed\n');
  commit(folder);
  git(folder, 'push', '-q', '-u', 'origin', 'feature');
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
});

test('commits on main are the work where it began there, branched off later or pushed', async () => {
  const origin = repository({ 'a.txt': 'one\n' });
  git(origin, 'config', 'receive.denyCurrentBranch', 'ignore');
  const folder = clone(origin);
  const start = await startOf(folder);
  write(folder, 'a.txt', 'changed\n');
  commit(folder);
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
  git(folder, 'checkout', '-q', '-b', 'later');
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
  git(folder, 'checkout', '-q', 'main');
  git(folder, 'push', '-q');
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
});

test('a detached HEAD is followed', async () => {
  const folder = repository();
  git(folder, 'checkout', '-q', '--detach');
  const start = await startOf(folder);
  write(folder, 'a.txt', 'changed\n');
  commit(folder);
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
});

test('a shallow clone knows what was committed in it', async () => {
  const origin = repository();
  commit(origin, 'a second one');
  const folder = fresh('shallow');
  git(origin, 'clone', '-q', '--depth', '1', `file://${origin}`, folder);
  git(folder, 'checkout', '-q', '-b', 'feature');
  const start = await startOf(folder);
  write(folder, 'a.txt', 'changed\n');
  commit(folder);
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
});

test('a start that is gone is a loss, and told as gone', async () => {
  const folder = repository();
  const start = { head: 'a'.repeat(40), branch: 'main' };
  const taken = await (await open(folder)).capture(new Blobs().store, { since: start });
  expect(taken.facts.committed).toMatchObject({ since: start.head, gone: true, added: null });
  expect(taken.manifest.losses).toContainEqual({ path: '.', reason: 'start-gone' });
  const plain = await (await open(folder)).capture(new Blobs().store, { since: await startOf(folder) });
  expect(taken.facts.digest).toBe(plain.facts.digest);
});

test('an object that stands in for another deceives nobody', async () => {
  const folder = repository();
  const start = await startOf(folder);
  write(folder, 'a.txt', 'changed\n');
  const head = commit(folder);
  git(folder, 'replace', start.head ?? '', head);
  expect(await pathsIn(folder, start)).toEqual(['modified a.txt']);
});

test('where nobody knows the start, the work is held against the branch it will go back to', async () => {
  const { folder } = twoBranches();
  write(folder, 'mine.txt', 'changed\n');
  commit(folder);
  expect(await pathsIn(folder, null)).toEqual(['modified mine.txt']);
  git(folder, 'branch', '-m', 'main', 'trunk');
  expect(await committedIn(folder, null)).toBeUndefined();
});

test('a great many are counted and not all listed', async () => {
  const folder = repository();
  const start = await startOf(folder);
  for (let i = 0; i < limits.factItemsMax + 7; i++) write(folder, `many/${i}.txt`, `${i}\n`);
  commit(folder);
  const committed = await committedIn(folder, start);
  expect(committed?.files.length).toBe(limits.factItemsMax);
  expect(committed?.left).toBe(7);
});
