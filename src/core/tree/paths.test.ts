import { describe, expect, test } from 'vitest';
import {
  collisions,
  exactNames,
  foldPath,
  forgedReasons,
  isForged,
  looseNames,
  pathFault,
  pathFaultWords,
  targetFault,
  unsafeReasons,
} from './paths.ts';

describe('a path of a captured tree', () => {
  test('is taken if it is an ordinary name, however odd', () => {
    for (const path of [
      'a',
      'src/core/tree/paths.ts',
      'with space/and "quotes"',
      'ünïcode/日本語/🎈',
      '-dash',
      '.hidden',
      '.github/x',
      '.gitignore',
      '.gitmodules',
      'git',
      'a.git',
      '.git-credentials',
      '...',
      'trailing.',
      'ab:c',
      'console.log',
      'auxiliary.c',
      'comm1',
      'report~final',
      'x'.repeat(255),
    ])
      expect([path, pathFault(path)]).toEqual([path, undefined]);
  });

  test.each([
    ['', 'empty'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['/etc/passwd', 'absolute'],
    ['//server/share', 'absolute'],
    ['..', 'traversal'],
    ['../x', 'traversal'],
    ['a/../../x', 'traversal'],
    ['a/./b', 'traversal'],
    [String.raw`..\x`, 'traversal'],
    [String.raw`a\..\..\x`, 'traversal'],
    ['a\0b', 'nul'],
    ['.git', 'git-folder'],
    ['.git/config', 'git-folder'],
    ['sub/.git/hooks/x', 'git-folder'],
    ['.GIT/config', 'git-folder'],
    ['.Git', 'git-folder'],
    ['.g\u200cit/config', 'git-folder'],
    ['\u200e.git', 'git-folder'],
    ['.git\ufeff/x', 'git-folder'],
    ['.ｇｉｔ/x', 'git-folder'],
    ['.gıt/x', 'git-folder'],
    ['git~1/config', 'git-folder'],
    ['GIT~2', 'git-folder'],
    ['.git /x', 'git-folder'],
    ['.git.', 'git-folder'],
    ['.git. . /x', 'git-folder'],
    ['.git::$INDEX_ALLOCATION/x', 'git-folder'],
    ['.git:x', 'git-folder'],
    [String.raw`.git\config`, 'git-folder'],
    [String.raw`a\.git\config`, 'git-folder'],
    ['.staffetta/store.db', 'own-folder'],
    ['.STAFFETTA', 'own-folder'],
    [String.raw`a\b`, 'backslash'],
    ['C:/x', 'drive'],
    ['c:x', 'drive'],
    ['a\nb', 'control-character'],
    ['a\u001b[2Jb', 'control-character'],
    ['a\u009bb', 'control-character'],
    ['a\u007f', 'control-character'],
    ['a\u202eb', 'hidden-character'],
    ['a\u200bb', 'hidden-character'],
    ['a\u2066b', 'hidden-character'],
    ['a\u00adb', 'hidden-character'],
    ['a\u{e0041}', 'hidden-character'],
    ['a\ufe0f', 'hidden-character'],
    ['\ud800', 'hidden-character'],
    ['file::$DATA', 'stream'],
    ['file:$I30', 'stream'],
    ['CLAUDE~1', 'short-name'],
    ['x/PROGRA~1.TXT', 'short-name'],
    ['CON', 'device'],
    ['nul.txt', 'device'],
    ['a/AUX.c', 'device'],
    ['com1', 'device'],
    ['LPT9.log', 'device'],
    ['COM¹', 'device'],
    ['conin$', 'device'],
    ['prn .x', 'device'],
  ])('%j is refused: %s', (path, reason) => {
    expect(pathFault(path)).toBe(reason);
  });

  test('is refused if it or one of its names is too long for some file system', () => {
    for (const path of [
      'x'.repeat(256),
      'ü'.repeat(128),
      'abc/'.repeat(1100).slice(0, -1),
      'a/'.repeat(300) + 'b',
    ])
      expect(pathFault(path)).toBe('too-long');
  });

  test('every reason has words, and is either forged or unsafe', () => {
    for (const reason of [...forgedReasons, ...unsafeReasons]) expect(pathFaultWords[reason]).toMatch(/\w/);
    expect(forgedReasons.every((reason) => isForged(reason))).toBe(true);
    expect(unsafeReasons.some((reason) => isForged(reason))).toBe(false);
  });
});

describe('a name that only some systems misread', () => {
  test.each([String.raw`a\b`, 'C:x', 'file::$DATA', 'foo~1', 'aux.py', 'CON'])(
    '%j is taken where it is an ordinary name',
    (path) => {
      expect(pathFault(path)).not.toBeUndefined();
      expect(pathFault(path, exactNames)).toBeUndefined();
      expect(pathFault(path, { ...looseNames, windows: false })).toBeUndefined();
    },
  );

  test.each(['.GIT/config', 'git~1/x', String.raw`..\x`, '.g\u200cit', 'a\nb', 'a\u202eb', 'x'.repeat(256)])(
    '%j is refused everywhere',
    (path) => {
      expect(pathFault(path, exactNames)).toBe(pathFault(path));
    },
  );
});

test('joiners are part of a name only between what they join', () => {
  for (const name of ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '👨\u200d👩\u200d👧.png'])
    expect([name, pathFault(name)]).toEqual([name, undefined]);
  for (const name of ['a\u200db', '\u200dx', 'ö\u200d', 'ö\u200d\u200dö', '.g\u200dit'])
    expect([name, pathFault(name)]).toEqual([name, expect.any(String)]);
});

describe('the words of a link', () => {
  test.each(['', '/etc/passwd', 'a\u001b[0m', 'a\u202e', 'x'.repeat(5000)])('%j are odd', (target) => {
    expect(targetFault(target, exactNames)).toBe('link-target');
  });

  test.each([String.raw`..\x`, 'C:/x'])('%j are odd on Windows alone', (target) => {
    expect(targetFault(target, looseNames)).toBe('link-target');
    expect(targetFault(target, exactNames)).toBeUndefined();
  });
});

describe('names that a file system could confuse', () => {
  test('are found, in files and in folders', () => {
    expect([...collisions(['a', 'b', 'A'])]).toEqual(['a', 'A']);
    expect([...collisions(['caf\u00e9', 'cafe\u0301'])]).toHaveLength(2);
    expect([...collisions(['x/a', 'X/b', 'y/c'])]).toEqual(['x/a', 'X/b']);
    expect([...collisions(['f', 'f.'])]).toEqual(['f', 'f.']);
    expect([...collisions(['straße', 'STRASSE'])]).toHaveLength(2);
    expect([...collisions(['a/b', 'a/c', 'ab'])]).toEqual([]);
    expect([...collisions(['K', '\u212a'])]).toHaveLength(2);
  });

  test('are one only where the file system takes them for one', () => {
    const paths = ['README', 'Readme', 'caf\u00e9', 'cafe\u0301'];
    expect([...collisions(paths, exactNames)]).toEqual([]);
    expect([...collisions(paths, { ...exactNames, normalizing: true })]).toEqual(paths.slice(2));
    expect([...collisions(paths, { ...exactNames, caseless: true })]).toEqual(paths);
  });

  test('are folded the same way twice', () => {
    for (const path of ['.VSCODE/Tasks.JSON', '.vscode::$INDEX_ALLOCATION/x', '.ENVRC. ']) {
      const once = foldPath(path);
      expect(foldPath(once)).toBe(once);
    }
  });
});
