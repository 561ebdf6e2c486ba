import { describe, expect, test } from 'vitest';
import { landingOf, Names } from './links.ts';
import { looseNames } from './paths.ts';

function landing(path: string, target: string, links: Readonly<Record<string, string>> = {}): string {
  const lands = landingOf({ path, target }, { linkAt: (at) => links[at] });
  return 'fault' in lands ? `! ${lands.fault}` : `/${lands.path}`;
}

describe('a link', () => {
  test.each([
    ['l', 'a', '/a'],
    ['l', './a', '/a'],
    ['l', 'dir/a', '/dir/a'],
    ['l', 'dir/../a', '/a'],
    ['l', 'dir//sub/./a/', '/dir/sub/a'],
    ['dir/l', '../a', '/a'],
    ['dir/sub/l', '../../a/b', '/a/b'],
    ['dir/l', '..', '/'],
    ['l', '.', '/'],
    ['l', 'not there at all', '/not there at all'],
  ])('%s → %s leads to %s', (path, target, lands) => {
    expect(landing(path, target)).toBe(lands);
  });

  test.each([
    ['l', '', '! link-target'],
    ['l', '/etc/passwd', '! link-target'],
    ['l', '..', '! link-outside'],
    ['l', '../x', '! link-outside'],
    ['l', '../here/x', '! link-outside'],
    ['dir/l', '../../x', '! link-outside'],
    ['dir/l', 'sub/../../../x', '! link-outside'],
    ['l', '.git/hooks', '! link-into-git'],
    ['dir/l', '../.GIT/config', '! link-into-git'],
    ['l', 'sub/.git', '! link-into-git'],
    ['l', '.staffetta/store.db', '! link-outside'],
  ])('%s → %j is refused: %s', (path, target, fault) => {
    expect(landing(path, target)).toBe(fault);
  });

  test('is followed through other links', () => {
    const links = { 'lib.so.1': 'lib.so.1.2', cur: 'releases/2', 'releases/2': './two', up: 'deep/down' };
    expect(landing('lib.so', 'lib.so.1', links)).toBe('/lib.so.1.2');
    expect(landing('l', 'cur/file', links)).toBe('/releases/two/file');
    expect(landing('l', 'up/..', links)).toBe('/deep');
  });

  test('is refused for where another one on its way leads', () => {
    const links = { out: '../outside', abs: '/etc', git: '.git', up: 'deep/down', two: 'out/x' };
    expect(landing('l', 'out/x', links)).toBe('! link-outside');
    expect(landing('l', 'two', links)).toBe('! link-outside');
    expect(landing('l', 'abs/passwd', links)).toBe('! link-outside');
    expect(landing('l', 'git/config', links)).toBe('! link-into-git');
    expect(landing('l', 'up/../../..', links)).toBe('! link-outside');
  });

  test('tells each step of its way', () => {
    const links: Readonly<Record<string, string>> = { cur: 'releases/2', 'releases/2': './two' };
    expect(landingOf({ path: 'l', target: 'cur/file' }, { linkAt: (at) => links[at] })).toEqual({
      path: 'releases/two/file',
      steps: ['cur', 'releases', 'releases/2', 'releases/two', 'releases/two/file'],
    });
  });

  test('that leads in circles is refused', () => {
    expect(landing('a', 'b', { a: 'b', b: 'a' })).toBe('! link-loop');
    expect(landing('a', 'a/x', { a: 'a/x' })).toBe('! link-loop');
  });

  test('through one with a drive in it leads out on Windows', () => {
    const tree = { linkAt: (at: string) => (at === 'c' ? 'C:evil' : undefined) };
    expect(landingOf({ path: 'l', target: 'c' }, tree)).toMatchObject({ path: 'C:evil' });
    expect(landingOf({ path: 'l', target: 'c' }, tree, looseNames)).toEqual({ fault: 'link-outside' });
  });
});

function namesOf(path: string, links: Readonly<Record<string, string>>): string[] | undefined {
  return new Names(Object.entries(links).map(([link, lands]) => ({ path: link, lands, steps: [] }))).of(path);
}

describe('the names of a path', () => {
  test('are its own, and those that links give it or a folder above it', () => {
    expect(namesOf('docs/guide.md', {})).toEqual(['docs/guide.md']);
    expect(namesOf('docs/guide.md', { 'CLAUDE.md': 'docs/guide.md', other: 'src' })).toEqual([
      'docs/guide.md',
      'CLAUDE.md',
    ]);
    expect(namesOf('config/vscode/tasks.json', { '.vscode': 'config/vscode' })).toEqual([
      'config/vscode/tasks.json',
      '.vscode/tasks.json',
    ]);
    expect(namesOf('config/vscode2/tasks.json', { '.vscode': 'config/vscode' })).toHaveLength(1);
  });

  test('go through several links', () => {
    expect(namesOf('tools/mise/x', { '.config': 'cfg', 'cfg/mise': 'tools/mise' })).toContain(
      '.config/mise/x',
    );
  });

  test('go through a link to the root, and not round and round', () => {
    expect(namesOf('a.txt', { 'sub/self': '' })).toEqual(['a.txt', 'sub/self/a.txt']);
    expect(namesOf('a/x', { 'a/self': 'a' })).toEqual(['a/x', 'a/self/x']);
  });

  test('are those of links that pass it, for something else there would lead elsewhere', () => {
    const names = new Names([{ path: '.vscode', lands: 'a/b', steps: ['cfg', 'a', 'a/b'] }]);
    expect(names.of('cfg')).toEqual(['cfg', '.vscode']);
    expect(names.of('a')).toEqual(['a', '.vscode']);
    expect(names.of('a/c')).toEqual(['a/c']);
  });

  test('are not counted without end', () => {
    const links = Array.from({ length: 300 }, (_, n) => ({ path: `l${n}`, lands: '', steps: [] }));
    expect(new Names(links).of('a')).toBeUndefined();
  });
});
