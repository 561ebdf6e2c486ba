/** WS5: what cannot be captured is listed, and nothing fails or hangs because of it. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  cpSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { limits } from '../../src/core/base/limits.ts';
import { exactNames } from '../../src/core/tree/paths.ts';
import type { Manifest, WorkspaceFacts } from '../../src/core/tree/workspace.ts';
import { readFile } from '../../src/workspace/read-file.ts';
import {
  captureOf,
  clone,
  env,
  fresh,
  git,
  init,
  link,
  open,
  repository,
  restoreInto,
  write,
} from './sandbox.ts';
import { treeOf } from './tree.ts';

/** A file of that size that takes no room and no time to make. */
function hollow(folder: string, path: string, bytes: number): void {
  const descriptor = openSync(join(folder, path), 'w');
  ftruncateSync(descriptor, bytes);
  closeSync(descriptor);
}

describe('too much', () => {
  test('a 2 GB untracked file is a loss and costs no time; the rest is captured', async () => {
    const folder = repository();
    hollow(folder, 'huge.bin', 2 * 1024 ** 3);
    // Nobody reads this one before the test's time is over.
    hollow(folder, 'vast.bin', 2000 * 1024 ** 3);
    write(folder, 'small.txt');
    const { manifest, facts } = await captureOf(folder);
    expect(manifest.losses).toEqual([
      { path: 'huge.bin', reason: 'too-large', bytes: 2 * 1024 ** 3 },
      { path: 'vast.bin', reason: 'too-large', bytes: 2000 * 1024 ** 3 },
    ]);
    expect(facts.losses).toEqual(manifest.losses);
    expect(manifest.entries).toMatchObject([
      { path: 'huge.bin' },
      { path: 'small.txt', worktree: { type: 'file' } },
      { path: 'vast.bin' },
    ]);
    expect(manifest.entries[0]).not.toHaveProperty('worktree');
  });

  test('a file too large to capture is still hashed, so that the digest knows it', async () => {
    const folder = repository();
    hollow(folder, 'large.bin', limits.captureFileBytesMax + 1);
    const first = await captureOf(folder);
    expect(first.manifest.losses).toMatchObject([{ path: 'large.bin', reason: 'too-large' }]);
    expect(first.facts.losses).toEqual([]);
    expect(first.facts.changes).toMatchObject([
      { type: 'file', digest: digestOf(Buffer.alloc(limits.captureFileBytesMax + 1)) },
    ]);
  });

  test('a staged content too large to capture', async () => {
    const folder = repository();
    hollow(folder, 'large.bin', limits.captureFileBytesMax + 1);
    git(folder, 'add', 'large.bin');
    write(folder, 'large.bin', 'small again\n');
    const taken = await captureOf(folder);
    expect(taken.manifest.losses).toMatchObject([{ path: 'large.bin', reason: 'too-large' }]);
    const target = clone(folder);
    const report = await restoreInto(target, taken);
    expect(report).toMatchObject({ written: ['large.bin'], staged: [] });
    expect(report.losses.map(({ reason }) => reason)).toEqual(['too-large', 'unreadable']);
  });

  test('more bytes in all than a capture may hold: tracked work comes first', async () => {
    const folder = repository({ 'z.txt': '1\n' });
    const whole = limits.captureBytesMax / limits.captureFileBytesMax;
    for (let i = 0; i <= whole; i++)
      hollow(folder, `f${String(i).padStart(3, '0')}`, limits.captureFileBytesMax);
    write(folder, 'z.txt', 'work\n');
    const { manifest } = await (
      await open(folder)
    ).capture(async (bytes) => digestOf(bytes), { noDiff: true });
    expect(manifest.losses).toEqual([
      {
        path: `f${String(whole - 1).padStart(3, '0')}`,
        reason: 'over-total',
        bytes: limits.captureFileBytesMax,
      },
      { path: `f${String(whole).padStart(3, '0')}`, reason: 'over-total', bytes: limits.captureFileBytesMax },
    ]);
    expect(manifest.entries.find(({ path }) => path === 'z.txt')?.worktree).toMatchObject({ type: 'file' });
  });

  test('more files than a capture may hold are counted by folder', async () => {
    const folder = repository({ 'work.txt': '1\n' });
    write(folder, 'work.txt', '2\n');
    mkdirSync(join(folder, 'heap'));
    for (let i = 0; i < limits.captureFilesMax + 49; i++) writeFileSync(join(folder, 'heap', String(i)), '');
    const { manifest, facts } = await captureOf(folder);
    expect(manifest.losses).toEqual([{ path: 'heap', reason: 'too-many', files: 50 }]);
    expect(manifest.entries.at(-1)?.path).toBe('work.txt');
    expect(facts.changes).toHaveLength(limits.factItemsMax);
    expect(facts.changesLeft).toBe(limits.captureFilesMax - limits.factItemsMax);
  });

  test('a diff over its limit ends early and says so; the counts are whole', async () => {
    const folder = repository({ 'a.txt': 'x\n' });
    write(folder, 'a.txt', 'line\n'.repeat(1_000_000));
    write(folder, 'b.txt', 'line\n'.repeat(1_000_000));
    const { diff, manifest } = await captureOf(folder);
    expect(diff).toMatchObject({ cut: true, bytes: limits.diffBytesMax, added: 2_000_000 });
    expect(manifest.losses).toEqual([]);
  });
});

describe('what is not a file', () => {
  test('a FIFO, a socket and an endless device do not hang', async () => {
    const folder = fresh('folder');
    write(folder, 'a.txt');
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const server = createServer().listen(join(folder, 'socket'));
    const { manifest } = await captureOf(folder);
    server.close();
    expect(manifest.losses).toEqual([
      { path: 'fifo', reason: 'special' },
      { path: 'socket', reason: 'special' },
    ]);
    expect(await readFile('/dev/zero', { hashBytesMax: 1000, keepBytesMax: 1000 })).toEqual({
      loss: 'special',
    });
  });

  test('a tracked file that became a FIFO', async () => {
    const folder = repository();
    rmSync(join(folder, 'a.txt'));
    execFileSync('mkfifo', [join(folder, 'a.txt')]);
    const { manifest } = await captureOf(folder);
    expect(manifest.losses).toEqual([{ path: 'a.txt', reason: 'special' }]);
  });

  test('a repository inside the repository', async () => {
    const folder = repository();
    mkdirSync(join(folder, 'vendor/inner'), { recursive: true });
    git(join(folder, 'vendor/inner'), 'init', '-q');
    write(folder, 'vendor/inner/x');
    expect((await captureOf(folder)).manifest.losses).toEqual([
      { path: 'vendor/inner', reason: 'nested-repository' },
    ]);
  });

  test('another worktree of the same repository inside it is none', async () => {
    const folder = repository();
    git(folder, 'worktree', 'add', '-q', '--detach', 'wt');
    write(folder, 'wt/x');
    expect((await captureOf(folder)).manifest.losses).toEqual([]);
  });

  test('a repository that only says to be a worktree of this one', async () => {
    const folder = repository();
    git(folder, 'worktree', 'add', '-q', '--detach', 'wt');
    write(folder, 'forged/x');
    cpSync(join(folder, 'wt/.git'), join(folder, 'forged/.git'));
    expect((await captureOf(folder)).manifest.losses).toEqual([
      { path: 'forged', reason: 'nested-repository' },
    ]);
  });

  test('a tracked folder that became a link: nothing behind it is read', async () => {
    const folder = repository({ 'dir/a.txt': '1\n' });
    const outside = fresh('outside');
    write(outside, 'a.txt', 'secret\n');
    rmSync(join(folder, 'dir'), { recursive: true });
    symlinkSync(outside, join(folder, 'dir'));
    const { manifest, blobs } = await captureOf(folder);
    expect(manifest.entries).toEqual([{ path: 'dir/a.txt', worktree: null }]);
    expect(manifest.losses).toEqual([{ path: 'dir', reason: 'unsafe-link' }]);
    expect([...blobs.byDigest.values()].map(String).join()).not.toContain('secret');
  });
});

describe('what cannot be read', () => {
  const nobody = 65_534;
  function captureAsNobody(folder: string): { facts: WorkspaceFacts; manifest: Manifest } {
    const root = process.getuid?.() === 0;
    if (root) execFileSync('chown', ['-R', `${nobody}:${nobody}`, folder]);
    const child = spawnSync(process.execPath, [join(import.meta.dirname, 'capture-child.ts'), folder], {
      env: { ...env, HOME: folder },
      encoding: 'utf8',
      ...(root ? { uid: nobody, gid: nobody } : {}),
    });
    expect(child.stderr).toBe('');
    return JSON.parse(child.stdout) as { facts: WorkspaceFacts; manifest: Manifest };
  }

  test('a file and a folder without permission, in a repository', () => {
    const folder = repository({ 'a.txt': '1\n', 'closed/b.txt': '1\n' });
    write(folder, 'a.txt', '22\n');
    write(folder, 'new.txt');
    write(folder, 'locked/c.txt');
    chmodSync(join(folder, 'a.txt'), 0);
    chmodSync(join(folder, 'new.txt'), 0);
    chmodSync(join(folder, 'locked'), 0);
    chmodSync(join(folder, 'closed'), 0);
    const { manifest } = captureAsNobody(folder);
    expect(manifest.losses.filter(({ reason }) => reason !== 'no-diff')).toEqual([
      { path: 'a.txt', reason: 'unreadable' },
      { path: 'closed', reason: 'unreadable' },
      { path: 'closed/b.txt', reason: 'unreadable' },
      { path: 'locked', reason: 'unreadable' },
      { path: 'new.txt', reason: 'unreadable' },
    ]);
    expect(manifest.entries.filter(({ worktree }) => worktree === null)).toEqual([]);
    chmodSync(join(folder, 'locked'), 0o755);
    chmodSync(join(folder, 'closed'), 0o755);
  });

  test('the same in a plain folder', () => {
    const folder = fresh('folder');
    write(folder, 'a.txt');
    write(folder, 'b.txt', 'x', 0);
    write(folder, 'locked/c.txt');
    chmodSync(join(folder, 'locked'), 0);
    const { manifest } = captureAsNobody(folder);
    expect(manifest.losses).toEqual([
      { path: 'b.txt', reason: 'unreadable' },
      { path: 'locked', reason: 'unreadable' },
    ]);
    chmodSync(join(folder, 'locked'), 0o755);
  });
});

describe('what does not hold still', () => {
  test('a file that vanishes while others are captured', async () => {
    const folder = repository({ 'a.txt': '1\n' });
    write(folder, 'a.txt', '2\n');
    write(folder, 'b.txt');
    write(folder, 'c.txt');
    const workspace = await open(folder);
    const { manifest } = await workspace.capture(async (bytes, piece) => {
      if (piece.kind === 'file' && piece.path === 'a.txt') rmSync(join(folder, 'b.txt'));
      return digestOf(bytes);
    });
    expect(manifest.losses).toEqual([{ path: 'b.txt', reason: 'vanished' }]);
    expect(manifest.entries.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  test('a file that becomes a link or a folder meanwhile is never followed', async () => {
    const folder = repository({ 'a.txt': '1\n' });
    const outside = fresh('outside');
    write(outside, 'secret.txt', 'secret\n');
    write(folder, 'a.txt', '2\n');
    write(folder, 'b/c.txt', 'c\n');
    const workspace = await open(folder);
    const seen: string[] = [];
    const { manifest } = await workspace.capture(async (bytes, piece) => {
      seen.push(Buffer.from(bytes).toString());
      if (piece.kind === 'file' && piece.path === 'a.txt') {
        rmSync(join(folder, 'b'), { recursive: true });
        write(outside, 'c.txt', 'secret\n');
        symlinkSync(outside, join(folder, 'b'));
      }
      return digestOf(bytes);
    });
    expect(manifest.losses).toEqual([{ path: 'b/c.txt', reason: 'vanished' }]);
    expect(seen.join()).not.toContain('secret');
  });

  test('a link that is slipped in on the way to a file is noticed', async () => {
    const folder = fresh('folder');
    write(folder, 'real/a.txt', 'a');
    symlinkSync('real', join(folder, 'way'));
    const limits = { hashBytesMax: 100, keepBytesMax: 100, exact: true };
    expect(await readFile(join(folder, 'real/a.txt'), limits)).toMatchObject({ bytes: 1 });
    expect(await readFile(join(folder, 'way/a.txt'), limits)).toEqual({ loss: 'changing' });
  });

  test('a file whose size is not what it says is given up after some attempts', async () => {
    expect(await readFile('/proc/self/stat', { hashBytesMax: 1e9, keepBytesMax: 1e6 })).toMatchObject({
      loss: 'changing',
    });
    expect(await readFile('/proc/self/stat', { hashBytesMax: 1e9, keepBytesMax: -1 })).toMatchObject({
      loss: 'changing',
    });
  });
});

describe('names', () => {
  test('one that is not UTF-8, or that no restore would write, is a loss', async () => {
    const folder = repository({ 'tracked\n.txt': '1\n' });
    write(folder, 'tracked\n.txt', '2\n');
    write(folder, 'tab\t"quote".txt');
    write(folder, 'plain.txt');
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff, 0xfe])]), 'x');
    const taken = await captureOf(folder);
    expect(taken.manifest.losses).toEqual([
      { path: 'bad\ufffd\ufffd', reason: 'name-not-utf8' },
      { path: 'tab\t"quote".txt', reason: 'unsafe-name' },
      { path: 'tracked\n.txt', reason: 'unsafe-name' },
    ]);
    expect(taken.manifest.entries.map(({ path }) => path)).toEqual(['plain.txt']);
    expect(taken.facts.changes.map(({ path, digest }) => [path, typeof digest])).toEqual([
      ['plain.txt', 'string'],
      ['tab\t"quote".txt', 'undefined'],
      ['tracked\n.txt', 'undefined'],
    ]);
    expect((await restoreInto(clone(folder), taken)).refused).toEqual([]);
  });

  test('an edit of a file that cannot be restored still changes the digest', async () => {
    const folder = repository();
    write(folder, 'two\nlines', '1\n');
    const before = (await captureOf(folder)).facts.digest;
    write(folder, 'two\nlines', '2\n');
    expect((await captureOf(folder)).facts.digest).not.toBe(before);
  });

  test('a folder that only looks like git’s is not captured', async () => {
    const folder = repository();
    write(folder, '.GIT/config');
    write(folder, 'sub/git~1/config');
    expect((await captureOf(folder)).manifest).toMatchObject({
      entries: [],
      losses: [
        { path: '.GIT/config', reason: 'unsafe-name' },
        { path: 'sub/git~1/config', reason: 'unsafe-name' },
      ],
    });
  });

  test('composed and decomposed letters are two names, and neither is restored where they are one', async () => {
    const folder = init();
    write(folder, 'caf\u00e9');
    write(folder, 'cafe\u0301');
    write(folder, 'plain');
    const taken = await captureOf(folder);
    expect(taken.manifest.entries).toHaveLength(3);
    const target = init();
    const names = { ...exactNames, normalizing: true };
    const report = await restoreInto(target, taken, { names });
    expect(report.refused.map(({ reason }) => reason)).toEqual(['collision', 'collision']);
    expect(Object.keys(treeOf(target))).toEqual(['plain']);
  });
});

describe('links', () => {
  test('that no restore would make are losses, in the tree and in the index', async () => {
    const folder = repository();
    link(folder, 'absolute', '/etc/passwd');
    link(folder, 'dir/out', '../../elsewhere');
    link(folder, 'through', 'dir/out/x');
    link(folder, 'circle', 'circle');
    link(folder, 'a.txt', '/etc/hosts');
    link(folder, 'staged', '/etc/group');
    git(folder, 'add', 'staged');
    write(folder, 'staged', 'now a file\n');
    link(folder, 'fine', './src/..//src/b.ts');
    const { manifest } = await captureOf(folder);
    expect(manifest.losses).toEqual(
      ['a.txt', 'absolute', 'circle', 'dir/out', 'staged', 'through'].map((path) => ({
        path,
        reason: 'unsafe-link',
      })),
    );
    expect(manifest.entries.map(({ path }) => path)).toEqual(['fine']);
  });
});
