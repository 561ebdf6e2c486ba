import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { sealManifest } from '../../src/core/tree/workspace.ts';
import {
  Blobs,
  captureOf,
  clone,
  commit,
  fresh,
  git,
  link,
  open,
  refusal,
  repository,
  restoreInto,
  write,
} from './sandbox.ts';
import { imprint, indexOf, statusOf, treeOf } from './tree.ts';
import { worked } from './worked.ts';

describe('WS6: into a clean tree', () => {
  test('what is already there is not stored twice', async () => {
    const { folder } = worked();
    const blobs = new Blobs();
    const first = await captureOf(folder, blobs);
    const count = blobs.byDigest.size;
    const second = await captureOf(folder, blobs);
    expect(blobs.byDigest.size).toBe(count);
    expect(sealManifest(second.manifest).digest).toBe(sealManifest(first.manifest).digest);
  });

  test('the report names what was done', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const report = await restoreInto(target, taken);
    expect(report).toEqual({
      root: target,
      written: ['a.txt', 'l', 'later.txt', 'new/f.txt'],
      deleted: ['b.txt', 'dir/c.txt', 'dir/d.txt'],
      staged: ['a.txt', 'dir/c.txt', 'dir/d.txt', 'later.txt'],
      held: [],
      refused: [],
      redacted: [],
      kept: [],
      losses: [],
      unfiltered: [],
      digest: taken.facts.digest,
    });
    expect([treeOf(target), indexOf(target), statusOf(target)]).toEqual([
      treeOf(folder),
      indexOf(folder),
      statusOf(folder),
    ]);
    expect(existsSync(join(target, 'dir'))).toBe(false);
    expect(existsSync(join(target, '.staffetta'))).toBe(false);
  });

  test('a dry run says the same and does nothing', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    const before = imprint(target);
    const dry = await restoreInto(target, taken, { dryRun: true });
    expect(imprint(target)).toEqual(before);
    expect(await restoreInto(target, taken)).toEqual({ ...dry, digest: taken.facts.digest });
  });

  test('what git would convert comes back as it was', async () => {
    const folder = repository({
      '.gitattributes': '*.win text eol=crlf\n* ident\n',
      'a.win': 'a\nb\n',
      'id.txt': '$Id$\n',
    });
    const target = clone(folder);
    write(folder, 'a.win', 'mixed\r\nline\nends\r\n');
    write(folder, 'b.win', 'new\r\n');
    git(folder, 'add', 'b.win');
    write(folder, 'id.txt', '$Id$\nmore\n');
    const taken = await captureOf(folder);
    const report = await restoreInto(target, taken);
    expect(readFileSync(join(target, 'a.win'), 'utf8')).toBe('mixed\r\nline\nends\r\n');
    expect(readFileSync(join(target, 'b.win'), 'utf8')).toBe('new\r\n');
    expect(indexOf(target)).toBe(indexOf(folder));
    expect(report.digest).toBe(taken.facts.digest);
  });

  test('a redacted copy is restored as stored, and named', async () => {
    const { folder, target } = worked();
    const blobs = new Blobs();
    const hide = async (bytes: Uint8Array): ReturnType<typeof blobs.store> =>
      await blobs.store(Buffer.from(Buffer.from(bytes).toString().replaceAll('3\n', '[hidden]\n')));
    const { manifest } = await (await open(folder)).capture(hide);
    const entry = manifest.entries.find(({ path }) => path === 'a.txt');
    expect(entry?.worktree).toMatchObject({
      content: { stored: digestOf('[hidden]\n'), redacted: true },
    });
    const report = await restoreInto(target, { manifest, blobs });
    expect(report.redacted).toEqual(['a.txt']);
    expect(readFileSync(join(target, 'a.txt'), 'utf8')).toBe('[hidden]\n');
  });

  test('a value that the target has is not replaced by a placeholder, in the tree or in the index', async () => {
    const folder = repository({ 'a.ini': 'host=a\npassword=hunt2\n', 'b.ini': 'password=hunt3\n' });
    const target = clone(folder);
    write(folder, 'a.ini', 'host=b\npassword=hunt2\ntoken=hunt4\n');
    git(folder, 'add', 'a.ini');
    write(folder, 'b.ini', 'password=hunt3\nport=1\n');
    const blobs = new Blobs();
    const hide = async (bytes: Uint8Array): ReturnType<typeof blobs.store> =>
      await blobs.store(
        Buffer.from(
          Buffer.from(bytes)
            .toString()
            .replaceAll(/hunt\d/g, '[redacted:password:0123456789ab]'),
        ),
      );
    const { manifest } = await (await open(folder)).capture(hide);
    expect(await restoreInto(target, { manifest, blobs }, { dryRun: true })).toMatchObject({
      redacted: ['a.ini'],
      kept: ['a.ini', 'b.ini'],
    });
    const report = await restoreInto(target, { manifest, blobs });
    expect(report).toMatchObject({ redacted: ['a.ini'], kept: ['a.ini', 'b.ini'] });
    const ini = 'host=b\npassword=hunt2\ntoken=[redacted:password:0123456789ab]\n';
    expect(readFileSync(join(target, 'a.ini'), 'utf8')).toBe(ini);
    expect(git(target, 'show', ':a.ini')).toBe(ini);
    expect(readFileSync(join(target, 'b.ini'), 'utf8')).toBe('password=hunt3\nport=1\n');
  });

  test('a file where a folder was, and a folder where a file was', async () => {
    const folder = repository({ 'x/deep/a.txt': '1\n', y: '1\n' });
    const target = clone(folder);
    rmSync(join(folder, 'x'), { recursive: true });
    write(folder, 'x', 'now a file\n');
    rmSync(join(folder, 'y'));
    write(folder, 'y/z.txt', 'now a folder\n');
    const taken = await captureOf(folder);
    await restoreInto(target, taken);
    expect(treeOf(target)).toEqual(treeOf(folder));
    git(folder, 'add', '-A');
    const again = clone(folder);
    await restoreInto(again, await captureOf(folder));
    expect(indexOf(again)).toBe(indexOf(folder));
  });
});

describe('WS8: a target that is not the tree that was captured', () => {
  test('one with changes is refused', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    write(target, 'e.txt', 'mine\n');
    const before = imprint(target);
    const refused = await refusal(restoreInto(target, taken));
    expect(refused).toMatchObject({ code: 'workspace-dirty', details: { changed: ['e.txt'] } });
    expect(imprint(target)).toEqual(before);
    git(target, 'checkout', '-q', '.');
    write(target, 'untracked.txt');
    expect((await refusal(restoreInto(target, taken))).code).toBe('workspace-dirty');
  });

  test('one with a link where the captured tree has a folder is refused, and nobody is accused', async () => {
    const folder = repository();
    const target = clone(folder);
    write(folder, 'node_modules/x/index.js');
    mkdirSync(join(target, '../shared'), { recursive: true });
    symlinkSync('../shared', join(target, 'node_modules'));
    write(target, '.git/info/exclude', 'node_modules\n');
    const refused = await refusal(restoreInto(target, await captureOf(folder)));
    expect(refused.code).toBe('unsafe-path');
    expect(refused.message).toContain('lies behind node_modules, which is a link');
    expect(refused.message + (refused.hint ?? '')).not.toContain('tampered');
    expect(refused.hint).toContain('Move the link away');
  });

  test('one at another commit is refused', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    commit(target);
    const refused = await refusal(restoreInto(target, taken));
    expect(refused.code).toBe('workspace-moved');
    expect(refused.details).toMatchObject({ captured: taken.manifest.head });
  });

  test('one in the middle of a merge is refused', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    writeFileSync(join(target, '.git/MERGE_HEAD'), `${taken.manifest.head ?? ''}\n`);
    expect((await refusal(restoreInto(target, taken))).message).toContain('merge');
  });

  test('an ignored file in the way is not overwritten', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    writeFileSync(join(target, '.git/info/exclude'), 'new/\n');
    write(target, 'new/f.txt', 'precious\n');
    const refused = await refusal(restoreInto(target, taken));
    expect(refused).toMatchObject({ code: 'workspace-dirty', details: { inTheWay: ['new/f.txt'] } });
    expect(readFileSync(join(target, 'new/f.txt'), 'utf8')).toBe('precious\n');
    write(target, 'new/f.txt', 'f\n');
    expect((await restoreInto(target, taken)).written).not.toContain('new/f.txt');
  });

  test('an index that is locked stops it, and nothing is changed', async () => {
    const { folder, target } = worked();
    const taken = await captureOf(folder);
    writeFileSync(join(target, '.git/index.lock'), '');
    const before = treeOf(target);
    expect((await refusal(restoreInto(target, taken))).code).toBe('workspace-busy');
    expect(treeOf(target)).toEqual(before);
    rmSync(join(target, '.git/index.lock'));
    expect(statusOf(target)).toBe('');
  });
});

describe('into a new worktree', () => {
  test('from a tree that is dirty and elsewhere', async () => {
    const { folder } = worked();
    const taken = await captureOf(folder);
    const here = clone(folder);
    commit(here);
    write(here, 'mine.txt');
    const before = treeOf(here);
    const worktree = fresh('worktree');
    const dry = await restoreInto(here, taken, { worktree, dryRun: true });
    expect(existsSync(worktree)).toBe(false);
    const report = await restoreInto(here, taken, { worktree });
    expect(report).toMatchObject({ root: worktree, digest: taken.facts.digest });
    expect([report.written, report.deleted, report.staged]).toEqual([dry.written, dry.deleted, dry.staged]);
    expect(treeOf(here)).toEqual(before);
    expect([treeOf(worktree), indexOf(worktree)]).toEqual([treeOf(folder), indexOf(folder)]);
    expect(git(worktree, 'rev-parse', 'HEAD').trim()).toBe(taken.manifest.head);
  });

  test('not where something is, and not at a commit that is not here', async () => {
    const { folder } = worked();
    const taken = await captureOf(folder);
    const stranger = repository();
    expect((await refusal(restoreInto(stranger, taken, { worktree: fresh() }))).code).toBe('commit-missing');
    expect((await refusal(restoreInto(folder, taken, { worktree: stranger }))).code).toBe('workspace-dirty');
    const { manifest, blobs } = await captureOf(repository());
    const nothing = { ...manifest, head: null };
    expect(
      (await refusal(restoreInto(folder, { manifest: nothing, blobs }, { worktree: fresh() }))).code,
    ).toBe('commit-missing');
  });

  test('a failure leaves no worktree behind', async () => {
    const { folder } = worked();
    const taken = await captureOf(folder);
    taken.blobs.byDigest.delete(digestOf('f\n'));
    const worktree = fresh('worktree');
    expect((await refusal(restoreInto(folder, taken, { worktree }))).code).toBe('blob-missing');
    expect(existsSync(worktree)).toBe(false);
    expect(git(folder, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  test('files that a filter would fill are named', async () => {
    const folder = repository({
      '.gitattributes': '*.dat filter=lfs\n',
      'a.dat': 'pointer\n',
      'b.txt': '1\n',
    });
    git(folder, 'config', 'filter.lfs.smudge', 'cat');
    write(folder, 'b.txt', '2\n');
    const [taken, worktree] = [await captureOf(folder), fresh('worktree')];
    const before = imprint(folder);
    const dry = await restoreInto(folder, taken, { worktree, dryRun: true });
    expect(imprint(folder)).toEqual(before);
    expect(dry.unfiltered).toEqual(['a.dat']);
    expect((await restoreInto(folder, taken, { worktree })).unfiltered).toEqual(['a.dat']);
  });

  test('a dry run holds back and refuses what the restore would', async () => {
    const folder = repository({
      'package.json': '{}',
      'docs/guide.md': '1\n',
      'folder/a.txt': '1\n',
      'secret.txt': 'token: known\n',
    });
    link(folder, 'CLAUDE.md', 'docs/guide.md');
    link(folder, 'out', '../elsewhere');
    commit(folder);
    const here = clone(folder);
    git(here, 'config', 'core.hooksPath', 'tools/hooks');
    write(folder, 'package.json', '{"scripts":{"postinstall":"node evil.js"}}');
    write(folder, 'docs/guide.md', '2\n');
    write(folder, 'tools/hooks/pre-commit');
    write(folder, '.vscode/tasks.json', '{}');
    write(folder, 'fine.txt');
    link(folder, 'one', './fine.txt');
    link(folder, 'two', 'one');
    rmSync(join(folder, 'folder'), { recursive: true });
    write(folder, 'folder', 'a file now\n');
    const taken = await captureOf(folder);
    // Old packets have links in them that are a loss today.
    const evil = { path: 'z', worktree: { type: 'link' as const, target: 'out/x' } };
    const forged = { ...taken, manifest: { ...taken.manifest, entries: [...taken.manifest.entries, evil] } };
    const worktree = fresh('worktree');
    const before = imprint(here);
    const dry = await restoreInto(here, forged, { worktree, dryRun: true });
    expect(imprint(here)).toEqual(before);
    const done = await restoreInto(here, forged, { worktree });
    expect({ ...done, digest: null }).toEqual(dry);
    expect(dry).toMatchObject({
      written: ['fine.txt', 'folder', 'one', 'two'],
      deleted: ['folder/a.txt'],
      refused: [{ path: 'z', reason: 'link-outside' }],
    });
    expect(dry.held.map(({ path }) => path)).toEqual([
      '.vscode/tasks.json',
      'docs/guide.md',
      'package.json',
      'tools/hooks/pre-commit',
    ]);
  });

  test('a dry run tells which values would be kept and which placeholders written', async () => {
    const folder = repository({ 'known.txt': 'token: abc\nlast\n', 'b.txt': '1\n' });
    write(folder, 'known.txt', 'token: abc\nnew\n');
    write(folder, 'new.txt', 'token: abc\n');
    const blobs = new Blobs();
    const taken = await (
      await open(folder)
    ).capture(async (bytes) => {
      const text = Buffer.from(bytes).toString('utf8');
      return await blobs.store(Buffer.from(text.replaceAll('abc', '[redacted:a-token:1]')));
    });
    const worktree = fresh('worktree');
    const dry = await restoreInto(folder, { ...taken, blobs }, { worktree, dryRun: true });
    const done = await restoreInto(folder, { ...taken, blobs }, { worktree });
    expect({ ...done, digest: null }).toEqual(dry);
    expect([...dry.redacted, ...dry.kept].sort()).toEqual(['known.txt', 'new.txt']);
  });
});
