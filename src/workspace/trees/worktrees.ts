/** Which worktrees a repository has and which branches are in use there, read from git's own files. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readOperation } from '../git/operation.ts';
import type { Repository } from '../git/locate.ts';
import { git } from '../git/spawn.ts';

export interface Worktree {
  /** Its folder, whether it is there or not. */
  readonly path: string;
  /** The branch that git does not let anybody else have: checked out, or to be gone back to after a rebase. */
  readonly branch: string | null;
}

export async function worktreesOf(repository: Repository): Promise<Worktree[]> {
  const { commonFolder } = repository;
  if (existsSync(join(commonFolder, 'reftable'))) return await askedWorktrees(repository);
  const linked = entriesOf(join(commonFolder, 'worktrees')).flatMap((name) => {
    const folder = join(commonFolder, 'worktrees', name);
    const gitdir = textOf(join(folder, 'gitdir')).trim();
    return gitdir === ''
      ? []
      : [{ path: realOf(dirname(resolve(folder, gitdir))), branch: branchIn(folder) }];
  });
  return [{ path: realOf(dirname(commonFolder)), branch: branchIn(commonFolder) }, ...linked];
}

function branchIn(gitFolder: string): string | null {
  const head = /^ref: refs\/heads\/(.+)$/m.exec(textOf(join(gitFolder, 'HEAD')))?.[1];
  return head ?? readOperation(gitFolder)?.branch ?? null;
}

async function askedWorktrees(repository: Repository): Promise<Worktree[]> {
  const { stdout } = await git(repository, ['worktree', 'list', '--porcelain']);
  return stdout
    .toString('utf8')
    .split('\n\n')
    .flatMap((block) => {
      const path = /^worktree (.+)$/m.exec(block)?.[1];
      const branch = /^branch refs\/heads\/(.+)$/m.exec(block)?.[1] ?? null;
      return path === undefined ? [] : [{ path: realOf(path), branch }];
    });
}

/** Also of a folder that is gone. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length));
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
