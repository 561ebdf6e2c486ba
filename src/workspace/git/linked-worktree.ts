import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Repository } from './locate.ts';

/** Longer than any path that a `.git` file names. */
const bytesMax = 8192;

/**
 * Whether a folder of the workspace is a worktree of the same repository, as `git worktree add` makes one. Both must say so: the
 * folder's `.git` file names a folder in the repository, and that one names the file.
 */
export function isLinkedWorktree({ root, commonFolder }: Repository, path: string): boolean {
  const marker = join(root, path, '.git');
  try {
    const own = /^gitdir: (.+)$/m.exec(smallFile(marker))?.[1];
    if (own === undefined) return false;
    const gitFolder = realpathSync(resolve(dirname(marker), own));
    if (dirname(gitFolder) !== join(realpathSync(commonFolder), 'worktrees')) return false;
    const back = resolve(gitFolder, smallFile(join(gitFolder, 'gitdir')).trim());
    return realpathSync(back) === realpathSync(marker);
  } catch {
    // Whatever cannot be read is a repository of its own, which is the stricter answer.
    return false;
  }
}

function smallFile(path: string): string {
  const found = lstatSync(path);
  return found.isFile() && found.size <= bytesMax ? readFileSync(path, 'utf8') : '';
}
