/** Whatever lies where a tree is to be, or has its branch, gets another name. Nothing of it is lost. */
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../git/locate.ts';
import { askGit, git } from '../git/spawn.ts';
import { refOf } from './names.ts';
import { realOf, worktreesOf } from './worktrees.ts';

const asideMax = 1000;

/** The name under which a folder lies now; undefined where there was none, or an empty one. */
export async function setFolderAside(repository: Repository, path: string): Promise<string | undefined> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return undefined;
  if (there.isDirectory() && readdirSync(path).length === 0) {
    rmdirSync(path);
    return undefined;
  }
  const other = freeName(path, (name) => existsSync(name));
  renameSync(path, other);
  // A worktree knows its place, and its repository knows where it is.
  if (existsSync(join(other, '.git'))) await askGit(repository, ['worktree', 'repair', '--', other]);
  return other;
}

/** The name of the branch that has its commits now. */
export async function setBranchAside(repository: Repository, branch: string, tip: string): Promise<string> {
  const taken = new Set(await branchesLike(repository, `${branch}+left`));
  const other = freeName(branch, (name) => taken.has(name));
  // Both or none: at no time do the commits have no name.
  const change = `start\ncreate ${refOf(other)} ${tip}\ndelete ${refOf(branch)} ${tip}\nprepare\ncommit\n`;
  await git(repository, ['update-ref', '--stdin'], { input: change });
  return other;
}

async function branchesLike(repository: Repository, start: string): Promise<string[]> {
  const { stdout } = await git(repository, ['for-each-ref', '--format=%(refname)', `${refOf(start)}*`]);
  return stdout
    .toString('utf8')
    .split('\n')
    .map((ref) => ref.replace(/^refs\/heads\//, ''));
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; n <= asideMax; n += 1) if (!isTaken(`${name}+left-${n}`)) return `${name}+left-${n}`;
  return `${name}+left-${asideMax + 1}`;
}

/** What `worktree add` left when it was killed: an entry, and a folder with nothing in it but the pointer to that. */
export async function dropHalfMade(repository: Repository, path: string): Promise<void> {
  const inner = existsSync(path) ? readdirSync(path) : [];
  if (inner.every((name) => name === '.git')) rmSync(path, { recursive: true, force: true });
  await forgetMissing(repository, path);
}

/** An entry whose folder is gone would keep its path and its branch for ever. Only this one: others may be on a disk that is not there. */
export async function forgetMissing(repository: Repository, path: string): Promise<void> {
  if (existsSync(path)) return;
  const real = realOf(path);
  if (!(await worktreesOf(repository)).some((one) => one.path === real)) return;
  await git(repository, ['worktree', 'remove', '--force', '--force', '--', path]);
}
