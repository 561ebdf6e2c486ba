/**
 * What may have been changed where git does not look. Only times are compared, and nothing is opened: a file that git ignores is
 * often one of secrets. The time of the last change in any way is kept by the file system, and no program can set it as it likes.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../../core/tree/paths.ts';
import { limits } from '../../core/base/limits.ts';
import { byPath } from '../../core/tree/workspace.ts';
import type { Unwatched, UnwatchedOptions } from '../../ports/workspace.ts';
import { Items } from './item.ts';
import type { Repository } from './locate.ts';
import { git, records } from './spawn.ts';
import { readPath } from './status.ts';

export async function listUnwatched(
  repository: Repository,
  since: number,
  { folders = false }: UnwatchedOptions = {},
): Promise<Unwatched> {
  const [ignored, hidden] = await Promise.all([
    listFiles(repository, ['--exclude-standard', ...(folders ? ['--directory'] : [])]),
    hiddenSince(repository, since),
  ]);
  return { changed: changedOf(repository, ignored.paths, since), left: ignored.left, hidden };
}

/** By the list that is the repository's own and in no commit, if it was edited as well: files that it newly hides. */
async function hiddenSince(repository: Repository, since: number): Promise<string[]> {
  const list = join(repository.commonFolder, 'info', 'exclude');
  if ((changedAt(list) ?? 0) <= since) return [];
  const { paths } = await listFiles(repository, [`--exclude-from=${list}`]);
  return changedOf(repository, paths, since);
}

async function listFiles(
  repository: Repository,
  options: readonly string[],
): Promise<{ readonly paths: string[]; readonly left: number }> {
  const { stdout, cut } = await git(repository, ['ls-files', '--others', '--ignored', '-z', ...options], {
    cut: true,
  });
  const aside = new Items();
  const all = [...records(stdout)].flatMap((bytes) => {
    const isFolder = bytes.at(-1) === 0x2f;
    const path = readPath(aside, isFolder ? bytes.subarray(0, -1) : bytes);
    return path === undefined ? [] : [isFolder ? `${path}/` : path];
  });
  // Our own store is never work.
  const paths = all.filter((path) => foldName(path.split('/')[0] ?? '') !== '.staffetta');
  const left = Math.max(0, paths.length - limits.ignoredFilesMax) + (cut ? 1 : 0);
  return { paths: paths.slice(0, limits.ignoredFilesMax), left };
}

function changedOf({ root }: Repository, paths: readonly string[], since: number): string[] {
  return paths
    .filter((path) => (changedAt(join(root, path)) ?? 0) > since)
    .map((path) => ({ path }))
    .sort(byPath)
    .map(({ path }) => path);
}

function changedAt(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
}
