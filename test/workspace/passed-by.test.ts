/** What counts as a repository is asked of git itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mainWorktree } from '../../src/home/locate.ts';
import { gitMarker } from '../../src/workspace/git/marker.ts';
import { env, fresh, git, init, open, refusal, repository, write } from './sandbox.ts';

function folder(name: string): string {
  const made = fresh(name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** The root that git finds; undefined where it finds none. */
function asGit(from: string): string | undefined {
  try {
    const words = ['rev-parse', '--show-toplevel'];
    return execFileSync('git', words, { cwd: from, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

function asWe(from: string): string | undefined {
  const marker = gitMarker(from, env);
  return marker === undefined ? undefined : realpathSync(dirname(marker));
}

const spoiled: readonly (readonly [what: string, spoil: (gitFolder: string) => void])[] = [
  ['whole', () => {}],
  ['empty', (at) => emptied(at)],
  ['with hooks alone', (at) => (emptied(at), mkdirSync(join(at, 'hooks')))],
  ['with a configuration alone', (at) => (emptied(at), write(at, 'config', '[core]\n'))],
  ['without HEAD', (at) => rmSync(join(at, 'HEAD'))],
  ['with an empty HEAD', (at) => writeFileSync(join(at, 'HEAD'), '')],
  ['with a HEAD of nonsense', (at) => writeFileSync(join(at, 'HEAD'), 'nonsense\n')],
  ['with a HEAD that is a commit', (at) => writeFileSync(join(at, 'HEAD'), `${'a'.repeat(40)}\n`)],
  [
    'with a HEAD that is a link',
    (at) => (rmSync(join(at, 'HEAD')), symlinkSync('refs/heads/main', join(at, 'HEAD'))),
  ],
  ['with a HEAD that is a link to a file', (at) => elsewhere(at)],
  ['with a commit in capitals as HEAD', (at) => writeFileSync(join(at, 'HEAD'), `${'A'.repeat(40)}\n`)],
  ['with half a commit as HEAD', (at) => writeFileSync(join(at, 'HEAD'), `${'a'.repeat(39)}\n`)],
  ['with a HEAD that names no ref', (at) => writeFileSync(join(at, 'HEAD'), 'ref: main\n')],
  ['with blanks before HEAD', (at) => writeFileSync(join(at, 'HEAD'), '  ref: refs/heads/main\n')],
  ['with no blank in HEAD', (at) => writeFileSync(join(at, 'HEAD'), 'ref:refs/heads/main')],
  ['with a folder as HEAD', (at) => (rmSync(join(at, 'HEAD')), mkdirSync(join(at, 'HEAD')))],
  ['with a file as refs', (at) => (rmSync(join(at, 'refs'), { recursive: true }), write(at, 'refs', ''))],
  ['without objects', (at) => rmSync(join(at, 'objects'), { recursive: true })],
  ['without refs', (at) => rmSync(join(at, 'refs'), { recursive: true })],
  ['without a configuration', (at) => rmSync(join(at, 'config'))],
  ['that is a link', (at) => moved(at)],
];

function emptied(at: string): void {
  rmSync(at, { recursive: true });
  mkdirSync(at);
}

function elsewhere(at: string): void {
  const head = join(at, 'HEAD');
  execFileSync('mv', [head, join(at, 'other')]);
  symlinkSync('other', head);
}

function moved(at: string): void {
  const away = fresh('away');
  execFileSync('mv', [at, away]);
  symlinkSync(away, at);
}

describe('a .git folder', () => {
  test.each(spoiled)('%s counts as it does for git, with a repository around it', (_what, spoil) => {
    const outer = repository();
    const inner = join(outer, 'inner');
    mkdirSync(inner);
    git(inner, 'init', '-q', '-b', 'main');
    spoil(join(inner, '.git'));
    expect(asWe(inner)).toBe(asGit(inner));
  });

  test.each(spoiled)('%s counts as it does for git, with nothing around it', (_what, spoil) => {
    const place = init();
    spoil(join(place, '.git'));
    expect(asWe(place)).toBe(asGit(place));
    expect(mainWorktree(place, env)).toBe(asGit(place));
  });

  test('that git passes by leaves the folder what it is: no repository', async () => {
    const place = folder('left');
    mkdirSync(join(place, '.git'));
    write(place, 'a.txt', 'work\n');
    mkdirSync(join(place, 'deep'));
    expect([asGit(place), asWe(place)]).toEqual([undefined, undefined]);
    const { kind } = await (await open(join(place, 'deep'))).probe();
    expect(kind).toBe('folder');
  });

  test('that was one once is damaged, and not passed by in silence', async () => {
    const place = init();
    rmSync(join(place, '.git', 'HEAD'));
    expect((await refusal(open(place))).details['reason']).toBe('broken');
  });
});
