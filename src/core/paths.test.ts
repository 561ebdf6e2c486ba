import { describe, expect, test } from 'vitest';
import {
  collisions,
  foldPath,
  forgedReasons,
  isForged,
  linkFault,
  linkSteps,
  pathFault,
  pathFaultWords,
  unsafeReasons,
} from './paths.ts';

describe('a path of a captured tree', () => {
  test('is taken if it is an ordinary name, however odd', () => {
    for (const path of [
      'a',
      'src/core/paths.ts',
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

describe('a link', () => {
  test.each([
    ['l', 'a'],
    ['l', 'dir/a'],
    ['dir/l', '../a'],
    ['dir/sub/l', '../../a/b'],
    ['dir/l', '..'],
    ['l', 'dir/'],
    ['l', 'not there at all'],
  ])('%s may point to %s', (path, target) => {
    expect(linkFault(path, target)).toBeUndefined();
  });

  test.each([
    ['l', '', 'link-target'],
    ['l', '/etc/passwd', 'link-target'],
    ['l', '..', 'link-outside'],
    ['l', '../x', 'link-outside'],
    ['dir/l', '../../x', 'link-outside'],
    ['dir/l', 'sub/../../../x', 'link-target'],
    ['l', 'a/../b', 'link-target'],
    ['l', './a', 'link-target'],
    ['l', String.raw`..\x`, 'link-target'],
    ['l', 'C:/x', 'link-target'],
    ['l', 'a\u001b[0m', 'link-target'],
    ['l', 'a\u202e', 'link-target'],
    ['l', '.git/hooks', 'link-into-git'],
    ['dir/l', '../.GIT/config', 'link-into-git'],
    ['l', 'sub/.git', 'link-into-git'],
    ['l', '.staffetta/store.db', 'link-outside'],
  ])('%s may not point to %j: %s', (path, target, reason) => {
    expect(linkFault(path, target)).toBe(reason);
  });

  test('is looked at step by step on its way', () => {
    expect(linkSteps('a/b/l', '../c/d')).toEqual(['a/c', 'a/c/d']);
    expect(linkSteps('l', 'x')).toEqual(['x']);
    expect(linkSteps('a/l', '..')).toEqual([]);
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

  test('are folded the same way twice', () => {
    for (const path of ['.VSCODE/Tasks.JSON', '.vscode::$INDEX_ALLOCATION/x', '.ENVRC. ']) {
      const once = foldPath(path);
      expect(foldPath(once)).toBe(once);
    }
  });
});
