import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import type { Change, WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import {
  captureOf,
  clone,
  commit,
  fresh,
  git,
  init,
  link,
  open,
  repository,
  restoreInto,
  write,
} from './sandbox.ts';
import { indexOf, treeOf } from './tree.ts';

async function probe(folder: string): Promise<WorkspaceFacts> {
  return await (await open(folder)).probe();
}

async function changes(folder: string): Promise<readonly Change[]> {
  return (await probe(folder)).changes;
}

describe('where the work stands', () => {
  test('root, branch and HEAD, from any folder inside', async () => {
    const folder = repository();
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    const facts = await probe(join(folder, 'src'));
    expect(facts).toMatchObject({
      kind: 'git',
      root: folder,
      git: { worktree: 'main', branch: 'main', head, base: null, upstream: null, operation: null },
      changes: [],
      losses: [],
    });
  });

  test('a detached HEAD', async () => {
    const folder = repository();
    git(folder, 'checkout', '-q', '--detach');
    expect((await probe(folder)).git).toMatchObject({ branch: null, base: { ref: 'main' } });
  });

  test('a repository without a commit', async () => {
    const folder = init();
    write(folder, 'staged.txt');
    git(folder, 'add', '-A');
    write(folder, 'new.txt');
    const { facts, manifest, diff, blobs } = await captureOf(folder);
    expect(facts.git).toMatchObject({ branch: 'main', head: null });
    expect(facts.counts).toEqual({ staged: 1, unstaged: 0, untracked: 1, conflicted: 0 });
    expect(diff).toMatchObject({ added: 2, removed: 0 });
    const target = init();
    await restoreInto(target, { manifest, blobs });
    expect([treeOf(target), indexOf(target)]).toEqual([treeOf(folder), indexOf(folder)]);
  });

  test('ahead of and behind the upstream, and the base with it', async () => {
    const origin = repository();
    const base = git(origin, 'rev-parse', 'HEAD').trim();
    const folder = clone(origin);
    write(folder, 'mine.txt');
    commit(folder);
    commit(folder);
    write(origin, 'theirs.txt');
    commit(origin);
    git(folder, 'fetch', '-q');
    expect((await probe(folder)).git).toMatchObject({
      upstream: { name: 'origin/main', ahead: 2, behind: 1 },
      base: { ref: 'origin/main', commit: base },
    });
  });

  test('an upstream that is gone, and the base with the default branch', async () => {
    const origin = repository();
    const folder = clone(origin);
    git(folder, 'checkout', '-q', '-b', 'topic');
    git(folder, 'config', 'branch.topic.remote', 'origin');
    git(folder, 'config', 'branch.topic.merge', 'refs/heads/gone');
    commit(folder);
    expect((await probe(folder)).git).toMatchObject({
      branch: 'topic',
      upstream: { name: 'origin/gone', ahead: null, behind: null },
      base: { ref: 'origin/HEAD', commit: git(folder, 'rev-parse', 'origin/main').trim() },
    });
  });

  test('a linked worktree', async () => {
    const folder = repository();
    const linked = fresh('linked');
    git(folder, 'worktree', 'add', '-q', '-b', 'topic', linked);
    write(linked, 'new.txt');
    expect(await probe(linked)).toMatchObject({ root: linked, git: { worktree: 'linked', branch: 'topic' } });
  });

  test('a shallow clone', async () => {
    const origin = repository();
    commit(origin);
    const folder = fresh('shallow');
    git(origin, 'clone', '-q', '--depth=1', `file://${origin}`, folder);
    expect((await probe(folder)).git).toMatchObject({ shallow: true });
  });

  test('a repository with SHA-256 object names', async () => {
    const folder = init('--object-format=sha256');
    write(folder, 'a.txt');
    commit(folder);
    const target = clone(folder);
    write(folder, 'a.txt', 'changed\n');
    git(folder, 'add', '-A');
    write(folder, 'b.txt');
    const taken = await captureOf(folder);
    expect(taken.manifest.head).toHaveLength(64);
    await restoreInto(target, taken);
    expect(indexOf(target)).toBe(indexOf(folder));
  });
});

describe('what is changed', () => {
  test('staged, unstaged, untracked, deleted, renamed, another type, another mode', async () => {
    const folder = repository({
      'both.txt': '1\n',
      'deleted.txt': '1\n',
      'forgotten.txt': '1\n',
      'mode.sh': '1\n',
      'old.txt': 'a\nb\nc\nd\ne\n',
      'type.txt': '1\n',
    });
    write(folder, 'both.txt', '2\n');
    git(folder, 'add', 'both.txt');
    write(folder, 'both.txt', '3\n');
    rmSync(join(folder, 'deleted.txt'));
    git(folder, 'rm', '-q', '--cached', 'forgotten.txt');
    write(folder, 'mode.sh', '1\n', 0o755);
    git(folder, 'mv', 'old.txt', 'new.txt');
    appendFileSync(join(folder, 'new.txt'), 'f\n');
    link(folder, 'type.txt', 'both.txt');
    write(folder, 'bin.dat', Buffer.from([0, 1, 2]));
    write(folder, 'later.txt', 'later\n');
    git(folder, 'add', '-N', 'later.txt');
    expect(await changes(folder)).toEqual([
      {
        path: 'bin.dat',
        untracked: true,
        type: 'file',
        binary: true,
        bytes: 3,
        digest: digestOf(Buffer.from([0, 1, 2])),
      },
      {
        path: 'both.txt',
        staged: 'modified',
        unstaged: 'modified',
        type: 'file',
        bytes: 2,
        digest: digestOf('3\n'),
      },
      { path: 'deleted.txt', unstaged: 'deleted', type: 'absent' },
      {
        path: 'forgotten.txt',
        staged: 'deleted',
        untracked: true,
        type: 'file',
        bytes: 2,
        digest: digestOf('1\n'),
      },
      { path: 'later.txt', unstaged: 'added', type: 'file', bytes: 6, digest: digestOf('later\n') },
      {
        path: 'mode.sh',
        unstaged: 'modified',
        type: 'file',
        executable: true,
        bytes: 2,
        digest: digestOf('1\n'),
      },
      {
        path: 'new.txt',
        staged: 'renamed',
        unstaged: 'modified',
        from: 'old.txt',
        type: 'file',
        bytes: 12,
        digest: digestOf('a\nb\nc\nd\ne\nf\n'),
      },
      { path: 'old.txt', staged: 'deleted', type: 'absent' },
      { path: 'type.txt', unstaged: 'typechange', type: 'link', target: 'both.txt' },
    ]);
  });

  test('a touched file is not changed', async () => {
    const folder = repository();
    utimesSync(join(folder, 'a.txt'), 1, 1);
    expect(await changes(folder)).toEqual([]);
  });

  test('ignored files and our own folder are left alone', async () => {
    const folder = repository({ '.gitignore': 'out/\n*.log\n' });
    write(folder, 'out/x');
    write(folder, 'a.log');
    write(folder, '.staffetta/store.db');
    expect(await changes(folder)).toEqual([]);
  });

  test('work in a file that git was told to overlook is found; a sparse checkout deletes nothing', async () => {
    const folder = repository({
      'quiet.txt': '1\n',
      'skipped.txt': '1\n',
      'gone.txt': '1\n',
      'same.txt': '1\n',
      'far/away.txt': '1\n',
    });
    const target = clone(folder);
    git(folder, 'update-index', '--assume-unchanged', 'quiet.txt', 'gone.txt', 'same.txt');
    git(folder, 'update-index', '--skip-worktree', 'skipped.txt', 'far/away.txt');
    write(folder, 'quiet.txt', '2\n');
    write(folder, 'skipped.txt', '2\n');
    rmSync(join(folder, 'gone.txt'));
    rmSync(join(folder, 'far'), { recursive: true });
    const taken = await captureOf(folder);
    expect(taken.facts.git?.sparse).toBe(true);
    expect(taken.facts.changes).toMatchObject([
      { path: 'gone.txt', unstaged: 'deleted', hidden: 'assume-unchanged' },
      { path: 'quiet.txt', unstaged: 'modified', hidden: 'assume-unchanged' },
      { path: 'skipped.txt', unstaged: 'modified', hidden: 'skip-worktree' },
    ]);
    const report = await restoreInto(target, taken);
    expect(treeOf(target)).toEqual({ ...treeOf(folder), 'far/away.txt': 'file 1\n' });
    expect(report.digest).toBe(taken.facts.digest);
  });

  test('a real sparse checkout', async () => {
    const folder = repository({ 'in/a.txt': '1\n', 'out/b.txt': '1\n' });
    git(folder, 'sparse-checkout', 'set', 'in');
    write(folder, 'in/a.txt', '2\n');
    const facts = await probe(folder);
    expect(facts.git?.sparse).toBe(true);
    expect(facts.changes.map(({ path }) => path)).toEqual(['in/a.txt']);
  });

  test('submodules: what is asked for, what is checked out, and whether it is dirty', async () => {
    const inner = repository({ 'i.txt': '1\n' });
    const folder = repository();
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    commit(folder);
    const sub = join(folder, 'sub');
    const asked = git(sub, 'rev-parse', 'HEAD').trim();
    const clean = await probe(folder);
    expect(clean.git?.submodules).toEqual([{ path: 'sub', commit: asked, head: asked, dirty: false }]);
    write(sub, 'i.txt', '2\n');
    const dirty = await captureOf(folder);
    expect(dirty.facts.git?.submodules).toMatchObject([{ dirty: true }]);
    expect(dirty.manifest.losses).toEqual([{ path: 'sub', reason: 'submodule-dirty' }]);
    const moved = commit(sub);
    const after = await captureOf(folder);
    expect(after.facts.changes).toMatchObject([
      { path: 'sub', unstaged: 'modified', type: 'submodule', commit: moved },
    ]);
    expect(new Set([clean.digest, dirty.facts.digest, after.facts.digest]).size).toBe(3);
    git(folder, 'add', 'sub');
    const target = clone(folder);
    const report = await restoreInto(target, await captureOf(folder));
    expect(report).toMatchObject({ staged: ['sub'], losses: [] });
    expect(indexOf(target)).toBe(indexOf(folder));
  });

  test('Git LFS: a pointer is recognised, and a file that matches its pointer is not changed', async () => {
    const large = 'large content\n';
    const pointer = `version https://git-lfs.github.com/spec/v1\noid ${digestOf(large)}\nsize ${large.length}\n`;
    const folder = repository({ 'a.dat': pointer, 'b.dat': pointer, '.gitattributes': '*.dat filter=lfs\n' });
    git(folder, 'config', 'filter.lfs.clean', 'git-lfs clean -- %f');
    git(folder, 'config', 'filter.lfs.required', 'true');
    write(folder, 'a.dat', large);
    write(folder, 'b.dat', 'other content\n');
    write(folder, 'c.dat', pointer);
    expect(await changes(folder)).toMatchObject([
      { path: 'b.dat', unstaged: 'modified', filter: 'lfs', bytes: 14 },
      {
        path: 'c.dat',
        untracked: true,
        filter: 'lfs',
        lfs: { digest: digestOf(large), bytes: large.length },
      },
    ]);
  });

  test('a file behind another filter counts as changed once it is touched, and one kept encrypted is not stored', async () => {
    const folder = repository({
      'a.up': 'SAME\n',
      '.gitattributes': '*.up filter=upper\n*.key filter=git-crypt\n',
    });
    git(folder, 'config', 'filter.upper.clean', 'tr a-z A-Z');
    git(folder, 'config', 'filter.git-crypt.clean', 'git-crypt clean');
    write(folder, 'a.up', 'same\n');
    git(folder, 'add', 'a.up');
    expect(await changes(folder)).toEqual([]);
    write(folder, 'a.up', 'else\n');
    write(folder, 'secret.key', 'plain\n');
    const { facts, manifest, blobs, diff } = await captureOf(folder);
    expect(facts.changes).toMatchObject([
      { path: 'a.up', unstaged: 'modified', filter: 'upper' },
      { path: 'secret.key', untracked: true, filter: 'git-crypt' },
    ]);
    expect(manifest.losses).toEqual([{ path: 'secret.key', reason: 'encrypted', bytes: 6 }]);
    expect([...blobs.byDigest.values()].map(String).join()).not.toContain('plain');
    expect(diff?.files.map(({ path }) => path)).not.toContain('secret.key');
  });
});

describe('WS3: the digest', () => {
  test('changes with HEAD, index, content, mode, link and name, and with nothing else', async () => {
    const folder = repository({ 'a.txt': '1\n', 'b.txt': '1\n' });
    write(folder, 'a.txt', '2\n');
    link(folder, 'l', 'a.txt');
    write(folder, 'u.txt', 'u\n');
    const seen = new Map<string, string>();
    const note = async (what: string): Promise<void> => {
      seen.set(what, (await probe(folder)).digest);
    };
    await note('at first');
    write(folder, 'a.txt', '3\n');
    await note('content');
    git(folder, 'add', 'a.txt');
    await note('index');
    write(folder, 'a.txt', '3\n', 0o755);
    await note('mode');
    link(folder, 'l', 'b.txt');
    await note('link');
    write(folder, 'u.txt', 'v\n');
    await note('untracked content');
    git(folder, 'mv', 'b.txt', 'c.txt');
    await note('name');
    git(folder, 'add', '-N', 'u.txt');
    await note('intent');
    commit(folder);
    await note('HEAD');
    expect(new Set(seen.values()).size).toBe(seen.size);

    const before = await probe(folder);
    utimesSync(join(folder, 'a.txt'), 5, 5);
    git(folder, 'checkout', '-q', '-b', 'elsewhere');
    git(folder, 'config', 'user.nickname', 'x');
    git(folder, 'stash', 'list');
    expect((await probe(folder)).digest).toBe(before.digest);
    write(folder, 'u.txt', 'w\n');
    write(folder, 'u.txt', 'v\n');
    expect((await probe(folder)).digest).toBe(before.digest);
  });

  test('is the same in a copy of the tree at another place', async () => {
    const folder = repository();
    write(folder, 'a.txt', 'changed\n');
    write(folder, 'new.txt');
    const copy = fresh('copy');
    execFileSync('cp', ['-r', folder, copy]);
    expect((await probe(copy)).digest).toBe((await probe(folder)).digest);
  });
});
