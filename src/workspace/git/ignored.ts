/**
 * What git ignores at some globs: no status and no diff tells of it. Git walks, and is given the globs so that it need not walk
 * everywhere; which paths match is decided by our own reading of them. No file is opened: when it last changed in any way is kept
 * by the file system, and no program can set that time as it likes.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { globMatcher } from '../../core/base/glob.ts';
import { byPath } from '../../core/tree/workspace.ts';
import type { Ignored } from '../../ports/workspace.ts';
import { parentOf } from '../look.ts';
import { Items } from './item.ts';
import type { Repository } from './locate.ts';
import { git, records } from './spawn.ts';
import { readPath } from './status.ts';

/** Longer lists of globs may not fit a command line. */
const argumentCharsMax = 64 * 1024;

export async function listIgnored(repository: Repository, globs: readonly string[]): Promise<Ignored[]> {
  if (globs.length === 0) return [];
  const wanted = [...new Set(globs.flatMap(pathspecs))];
  const fits = wanted.join(' ').length <= argumentCharsMax;
  const { stdout } = await git(
    repository,
    ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', ...(fits ? ['--', ...wanted] : [])],
    { env: { GIT_LITERAL_PATHSPECS: '0' }, cut: true },
  );
  const matchers = globs.map((glob) => globMatcher(glob));
  const isWatched = (path: string): boolean => matchers.some((matches) => matches(path));
  const aside = new Items();
  const found = new Set<string>();
  for (const bytes of records(stdout)) {
    // A folder is only named when it is a repository of its own.
    const path = readPath(aside, bytes.at(-1) === 0x2f ? bytes.subarray(0, -1) : bytes);
    if (path === undefined || !isWatched(path)) continue;
    found.add(path);
    // A watched folder changes when something is taken out of it.
    for (let folder = parentOf(path); folder !== '' && isWatched(folder); folder = parentOf(folder))
      found.add(folder);
  }
  return [...found]
    .flatMap((path) => {
      const stats = lstatSync(join(repository.root, path), { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, changedAt: stats.ctimeMs }];
    })
    .sort(byPath);
}

/** A glob in git's own spelling, and what is in a folder of that name. */
function pathspecs(glob: string): string[] {
  const rooted = glob
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '');
  if (rooted === '') return [];
  const anywhere = rooted.includes('/') ? '' : '**/';
  const spelled = `${anywhere}${rooted.replace(/^\//, '')}`.replaceAll(/[[\\]/g, String.raw`\$&`);
  return [`:(glob)${spelled}`, `:(glob)${spelled}/**`];
}
