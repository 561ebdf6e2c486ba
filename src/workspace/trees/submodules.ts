/**
 * Submodules of a tree, filled from what this machine has of them: the repository that the user's checkout of the submodule has gets one
 * more worktree. Nobody is asked for anything, and what an agent commits there stays when the tree goes.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isStaffettaError } from '../../core/base/error.ts';
import { pathFault } from '../../core/tree/paths.ts';
import type { SubmoduleFilled } from '../../ports/trees.ts';
import { locateRepository, type Repository } from '../git/locate.ts';
import { askGit, git, records, type GitPlace } from '../git/spawn.ts';

const depthMax = 8;

/** `user` is the repository whose checkout has them; `tree` the worktree that is to. */
export async function fillSubmodules(
  user: Pick<Repository, 'root' | 'commonFolder'>,
  tree: Repository,
  depth = 0,
): Promise<SubmoduleFilled[]> {
  const links = await gitlinksIn(tree);
  if (links.length === 0 || depth >= depthMax) return [];
  const names = await namesByPath(tree);
  const filled: SubmoduleFilled[] = [];
  for (const { path, commit } of links) {
    const source = sourceOf(user, path, names.get(path));
    const inner = source === undefined ? undefined : await fill(source, { tree, path, commit });
    filled.push({ path, commit, isFilled: inner !== undefined });
    if (inner === undefined || source === undefined) continue;
    const nested = await fillSubmodules(
      { root: join(user.root, path), commonFolder: source },
      inner,
      depth + 1,
    );
    filled.push(...nested.map((one) => ({ ...one, path: `${path}/${one.path}` })));
  }
  return filled;
}

/** Those of a commit that a tree of it could not be filled with. */
export async function absentSubmodules(user: Repository, commit: string): Promise<string[]> {
  if (!existsSync(join(user.root, '.gitmodules'))) return [];
  const { stdout } = await git(user, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const names = await namesByPath(user);
  const absent: string[] = [];
  for (const { path, commit: wanted } of gitlinksOf(stdout)) {
    const source = sourceOf(user, path, names.get(path));
    if (source === undefined || !(await hasCommit(moduleGit(user, source), wanted))) absent.push(path);
  }
  return absent;
}

async function hasCommit(place: GitPlace, commit: string): Promise<boolean> {
  return (await askGit(place, ['cat-file', '-e', `${commit}^{commit}`])).code === 0;
}

async function fill(
  source: string,
  { tree, path, commit }: { readonly tree: Repository; readonly path: string; readonly commit: string },
): Promise<Repository | undefined> {
  const folder = join(tree.root, path);
  const place = moduleGit(tree, source);
  try {
    const isThere = existsSync(join(folder, '.git'));
    if (!isThere) {
      if (!(await hasCommit(place, commit))) return undefined;
      await git(place, ['worktree', 'add', '--quiet', '--detach', '--no-checkout', '--', folder, commit]);
    }
    const inner = await locateRepository(folder, { env: tree.given, msMax: tree.msMax });
    if (inner === undefined || inner.root === tree.root) return undefined;
    await git(inner, ['read-tree', '--reset', '-u', 'HEAD']);
    return inner;
  } catch (error) {
    // A tree without it can be worked in, and says so.
    if (isStaffettaError(error)) return undefined;
    throw error;
  }
}

/** Takes the submodules out of a tree that nobody has worked in. */
export async function dropSubmodules(repository: Repository, root: string): Promise<void> {
  const tree = await locateRepository(root, { env: repository.given, msMax: repository.msMax });
  if (tree === undefined || tree.root !== root) return;
  for (const { path } of await gitlinksIn(tree)) {
    const folder = join(root, path);
    if (!existsSync(join(folder, '.git'))) continue;
    await dropSubmodules(repository, folder);
    const inner = await locateRepository(folder, { env: repository.given, msMax: repository.msMax });
    if (inner !== undefined && inner.linked)
      await askGit(moduleGit(tree, inner.commonFolder), ['worktree', 'remove', '--force', '--', folder]);
  }
}

/** A git that works on the repository of a submodule, whatever checkout that thinks it has. */
function moduleGit(tree: GitPlace, source: string): GitPlace {
  return { ...tree, cwd: source, env: { ...tree.env, GIT_DIR: source } };
}

function sourceOf(
  user: Pick<Repository, 'root' | 'commonFolder'>,
  path: string,
  name: string | undefined,
): string | undefined {
  const absorbed =
    name === undefined || pathFault(name) !== undefined ? [] : [join(user.commonFolder, 'modules', name)];
  return [...absorbed, join(user.root, path, '.git')].find(
    (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
  );
}

interface Gitlink {
  readonly path: string;
  readonly commit: string;
}

async function gitlinksIn(tree: Repository): Promise<Gitlink[]> {
  // Most trees have none, and need not be listed for that.
  if (!existsSync(join(tree.root, '.gitmodules'))) return [];
  return gitlinksOf((await git(tree, ['ls-files', '--stage', '-z'])).stdout);
}

/** Of an index or of a commit, as git lists them. */
function gitlinksOf(listed: Buffer): Gitlink[] {
  return [...records(listed)].flatMap((record) => {
    const [, commit, path] =
      /^160000 (?:commit )?([0-9a-f]+)(?: 0)?\t([^]+)$/.exec(record.toString('utf8')) ?? [];
    return commit === undefined || path === undefined || pathFault(path) !== undefined
      ? []
      : [{ path, commit }];
  });
}

async function namesByPath(tree: Repository): Promise<Map<string, string>> {
  const asked = [
    'config',
    '-z',
    '--file',
    join(tree.root, '.gitmodules'),
    '--get-regexp',
    '^submodule\\..*\\.path$',
  ];
  const { stdout } = await git(tree, asked, { accept: [1] });
  return new Map(
    [...records(stdout)].flatMap((record) => {
      const [, name, path] = /^submodule\.([^]*)\.path\n([^]*)$/.exec(record.toString('utf8')) ?? [];
      return name === undefined || path === undefined ? [] : [[path, name] as const];
    }),
  );
}
