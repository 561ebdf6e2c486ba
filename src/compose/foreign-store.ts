/**
 * A store that came with a repository, or that belongs to another user, says what somebody else wants said. Who works there by hand may
 * use it; what runs by itself passes it over.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const gitMsMax = 1000;

/** Why a store is not this user's own, in words; null for one that is. Git is asked, so it is not for every call of a tool. */
export function whyForeign(path: string): string | null {
  const folder = dirname(path);
  const user = process.getuid?.();
  for (const each of [folder, path]) {
    const owner = statSync(each, { throwIfNoEntry: false })?.uid;
    if (user !== undefined && owner !== undefined && owner !== user)
      return `${each} belongs to another user (${owner})`;
  }
  return isTracked(folder, basename(path))
    ? `git tracks ${path}: it came with the repository, and its words are those of whoever committed it`
    : null;
}

function isTracked(folder: string, file: string): boolean {
  if (!existsSync(join(folder, '..', '.git'))) return false;
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--', file, `${file}-wal`, 'hooks'];
  const { stdout, status } = spawnSync('git', args, {
    cwd: folder,
    env,
    timeout: gitMsMax,
    windowsHide: true,
  });
  return status === 0 && stdout.length > 0;
}

/** Which file lies there, as far as the system tells them apart. */
export function fileMark(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
