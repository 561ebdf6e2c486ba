/** WS7: a manifest somebody tampered with. Whatever it says, nothing is written outside. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { digestOf } from '../../src/core/journal/digest.ts';
import { exactNames, looseNames } from '../../src/core/tree/paths.ts';
import type { ManifestEntry } from '../../src/core/tree/workspace.ts';
import { blobId } from '../../src/workspace/patch-text.ts';
import { blobs, cleanUp, evil, file, manifest, outside, restored, target } from './forge.ts';
import { refusal, restoreInto } from './sandbox.ts';
import { imprint, treeOf } from './tree.ts';

afterEach(cleanUp);

function link(path: string, to: string): ManifestEntry {
  return { path, worktree: { type: 'link', target: to } };
}

describe('a path that no capture has', () => {
  test.each([
    '../outside/evil',
    'dir/../../outside/evil',
    '/tmp/staffetta-evil',
    '.git/hooks/post-checkout',
    '.GIT/config',
    'dir/.git/config',
    'git~1/config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    String.raw`..\outside\evil`,
    '.staffetta/store.db',
    'a\0b',
    'dir//x',
  ])('%j: the whole manifest is refused, and nothing is written', async (path) => {
    const before = imprint(target);
    const refused = await refusal(restored([await file('fine.txt'), await file(path)], { allow: ['**'] }));
    expect(refused.code).toBe('unsafe-path');
    expect(imprint(target)).toEqual(before);
    expect(existsSync('/tmp/staffetta-evil')).toBe(false);
  });

  test('the same path twice, and a file that is a folder too', async () => {
    expect((await refusal(restored([await file('x'), await file('x')]))).code).toBe('unsafe-path');
    expect((await refusal(restored([await file('x'), await file('x/y')]))).code).toBe('unsafe-path');
    expect((await refusal(restored([link('x', 'dir'), await file('x/y')]))).code).toBe('unsafe-path');
  });

  test('a path behind a link that is in the tree', async () => {
    const before = imprint(target);
    expect((await refusal(restored([await file('way-out/evil')]))).code).toBe('unsafe-path');
    expect((await refusal(restored([await file('to-dir/evil')]))).code).toBe('unsafe-path');
    expect((await refusal(restored([{ path: 'way-out/canary.txt', worktree: null }]))).code).toBe(
      'unsafe-path',
    );
    expect(imprint(target)).toEqual(before);
  });

  test('a link that is replaced by a folder in the same manifest is no way out', async () => {
    const report = await restored([
      { path: 'way-out', index: null, worktree: null },
      await file('way-out/fine'),
    ]);
    expect(report.written).toEqual(['way-out/fine']);
    expect(lstatSync(join(target, 'way-out')).isDirectory()).toBe(true);
  });

  test('an escape sequence in a path cannot reach a terminal through the error', async () => {
    const refused = await refusal(restored([await file('\u001b]0;owned\u0007/../../x')]));
    expect(refused.message).not.toContain('\u001b');
  });
});

describe('a path that some system would read as another', () => {
  test('is left out and listed; the rest is restored', async () => {
    const entries = await Promise.all(
      [
        'fine.txt',
        'CON',
        'dir/nul.txt',
        'esc\u001b[2J',
        'rtl\u202etxt',
        String.raw`back\slash`,
        'C:evil',
        'file::$DATA',
        'CLAUDE~1',
        'Case',
        'case',
        'caf\u00e9',
        'cafe\u0301',
      ].map(async (path) => await file(path)),
    );
    const report = await restored(entries, { allow: ['**'], names: looseNames });
    expect(report.written).toEqual(['fine.txt']);
    expect(report.refused.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'C:evil: drive',
      'CLAUDE~1: short-name',
      'CON: device',
      'Case: collision',
      String.raw`back\slash: backslash`,
      'cafe\u0301: collision',
      'caf\u00e9: collision',
      'case: collision',
      'dir/nul.txt: device',
      'esc\u001b[2J: control-character',
      'file::$DATA: stream',
      'rtl\u202etxt: hidden-character',
    ]);
  });

  test('is written where it is what it seems; what lies to a reader is not', async () => {
    const harmless = [
      'CON',
      String.raw`back\slash`,
      'C:evil',
      'file::$DATA',
      'foo~1',
      'Case',
      'case',
      'Dir/x',
    ];
    const lying = ['esc\u001b[2J', 'rtl\u202etxt', 'two\nlines'];
    const entries = await Promise.all([...harmless, ...lying].map(async (path) => await file(path)));
    const report = await restored(entries, { allow: ['**'], names: exactNames });
    expect(report.written).toEqual(harmless);
    expect(report.refused).toEqual([
      { path: 'esc\u001b[2J', reason: 'control-character' },
      { path: 'rtl\u202etxt', reason: 'hidden-character' },
      { path: 'two\nlines', reason: 'control-character' },
    ]);
  });

  test('is left out where it would be taken for a file that is there', async () => {
    const entries = [await file('A.TXT'), await file('DIR/new.txt'), await file('fine.txt')];
    const report = await restored(entries, { names: { ...exactNames, caseless: true } });
    expect(report.written).toEqual(['fine.txt']);
    expect(report.refused).toEqual([
      { path: 'A.TXT', reason: 'collision' },
      { path: 'DIR/new.txt', reason: 'collision' },
    ]);
  });

  test('a rename that only changes case is no collision', async () => {
    const entries = [await file('A.txt'), { path: 'a.txt', index: null, worktree: null }];
    const report = await restored(entries, { names: looseNames });
    expect(report).toMatchObject({ written: ['A.txt'], deleted: ['a.txt'], refused: [] });
  });
});

describe('a link', () => {
  test.each([
    ['l', '/etc/passwd'],
    ['l', '../outside/canary.txt'],
    ['dir/l', '../../outside'],
    ['l', 'dir/../../outside'],
    ['l', '.git/hooks'],
    ['l', 'way-out'],
    ['l', 'way-out/canary.txt'],
    ['l', 'to-dir/../../outside'],
    ['l', '.staffetta'],
    ['l', 'l'],
  ])('%s → %s is left out', async (path, to) => {
    const report = await restored([link(path, to)], { allow: ['**'] });
    expect(report.refused.map((each) => each.path)).toEqual([path]);
    expect(lstatSync(join(target, path), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('through another link is made if it stays inside, and left out if it does not', async () => {
    const report = await restored([
      link('a', 'b'),
      link('b', './dir/../a.txt'),
      link('c', 'to-dir/b.txt'),
      link('d', 'e/canary.txt'),
      link('e', 'way-out'),
    ]);
    expect(report).toMatchObject({
      written: ['a', 'b', 'c'],
      refused: [
        { path: 'd', reason: 'link-outside' },
        { path: 'e', reason: 'link-outside' },
      ],
    });
    expect(readFileSync(join(target, 'a'), 'utf8')).toBe('1\n');
  });

  test('that takes the place of one that leads out is what others lead through', async () => {
    const report = await restored([link('l', 'way-out/b.txt'), link('way-out', 'dir')]);
    expect(report).toMatchObject({ written: ['l', 'way-out'], refused: [] });
    expect(readFileSync(join(target, 'l'), 'utf8')).toBe('1\n');
  });

  test('that is only staged is judged by its content', async () => {
    const content = Buffer.from('/etc/passwd');
    const stored = await blobs.store(content);
    const entry = await file('l');
    const index = {
      mode: '120000' as const,
      oid: blobId(content, 'sha1'),
      content: { bytes: 11, stored },
    };
    const report = await restored([{ ...entry, index }]);
    expect(report).toMatchObject({
      written: [],
      staged: [],
      refused: [{ path: 'l', reason: 'link-target' }],
    });
  });
});

describe('contents', () => {
  test('a staged content under another name than it has is refused', async () => {
    const entry = await file('x.txt');
    const content = { bytes: evil.length, digest: digestOf(evil), stored: digestOf(evil) };
    const before = treeOf(target);
    const forged = { ...entry, index: { mode: '100644' as const, oid: '1'.repeat(40), content } };
    expect((await refusal(restored([forged]))).code).toBe('corrupt');
    expect(treeOf(target)).toEqual(before);
  });

  test('an index entry without content is not invented', async () => {
    const report = await restored([
      { path: 'x.txt', index: { mode: '100644', oid: '1'.repeat(40) }, worktree: null },
    ]);
    expect(report).toMatchObject({ staged: [], losses: [{ path: 'x.txt', reason: 'unreadable' }] });
  });

  test('a link swapped in for a folder at the last moment is not followed', async () => {
    const entries = [await file('dir/one.txt'), await file('dir/two.txt')];
    const act = restoreInto(
      target,
      { manifest: manifest(...entries), blobs },
      {
        reached: (step, n) => {
          if (step !== 'moved' || n !== 0) return;
          execFileSync('mv', [join(target, 'dir'), join(target, 'ignored')]);
          symlinkSync(outside, join(target, 'dir'));
        },
      },
    );
    expect((await refusal(act)).code).toBe('restore-failed');
    expect(readdirSync(outside)).toEqual(['canary.txt']);
    expect(readFileSync(join(outside, 'canary.txt'), 'utf8')).toBe('alive\n');
    rmSync(join(target, '.staffetta'), { recursive: true, force: true });
  });
});
