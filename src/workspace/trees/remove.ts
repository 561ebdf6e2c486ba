/** A tree is taken away only when everything in it is somewhere else: its commits in the head they were integrated into, and nothing beside them. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptReason, Removal } from '../../ports/trees.ts';
import { locateRepository, type Repository } from '../git/locate.ts';
import { readOperation } from '../git/operation.ts';
import { askGit, git, records } from '../git/spawn.ts';
import { forgetMissing } from './aside.ts';
import { refOf } from './names.ts';
import { dropSubmodules } from './submodules.ts';
import type { TreeReached } from './reached.ts';
import type { TreeRecord } from './tree-record.ts';

export interface RemoveOptions {
  /** The head that must hold its commits. */
  readonly into: string;
  readonly reached: TreeReached;
  /** Told before anything is taken away. */
  readonly decided: () => void;
}

export async function removeTree(
  repository: Repository,
  record: TreeRecord,
  { into, reached, decided }: RemoveOptions,
): Promise<Removal> {
  const tip = await commitOf(repository, refOf(record.branch));
  const look = existsSync(join(record.path, '.git')) ? await lookInto(repository, record) : nothingThere;
  if (look.why !== null) return { removed: false, why: look.why, details: look.details };
  for (const commit of [tip, ...look.heads]) {
    if (commit === undefined) continue;
    const missing = await missingIn(repository, commit, into);
    if (missing.length > 0) return { removed: false, why: 'not-contained', details: missing };
  }
  decided();
  reached('removing');
  for (const inner of look.submodules)
    await git(inner, ['worktree', 'remove', '--force', '--', inner.root], {
      env: { GIT_DIR: inner.commonFolder },
    });
  reached('emptied');
  // Git looks once more, and refuses what came in meanwhile; with submodules it refuses everything unless it is forced.
  if (existsSync(record.path)) {
    const force = record.submodules.some(({ isFilled }) => isFilled) ? ['--force'] : [];
    await git(repository, ['worktree', 'remove', ...force, '--', record.path]);
  }
  await forgetMissing(repository, record.path);
  reached('removed');
  // Only as it was looked at: a branch that moved since is kept.
  if (tip !== undefined) await askGit(repository, ['update-ref', '-d', refOf(record.branch), tip]);
  reached('branch-dropped');
  return { removed: true, ignored: look.ignored };
}

/** Whatever is in it. */
export async function discardTree(repository: Repository, { path, branch }: TreeRecord): Promise<void> {
  if (existsSync(path)) await dropSubmodules(repository, path);
  rmSync(path, { recursive: true, force: true });
  await forgetMissing(repository, path);
  await askGit(repository, ['update-ref', '-d', refOf(branch)]);
}

/** Paths that are not committed, and commits that are on no other branch. */
export async function onlyIn(repository: Repository, { path, branch }: TreeRecord): Promise<string[]> {
  const about = { env: repository.given, msMax: repository.msMax };
  const tree = existsSync(join(path, '.git')) ? await locateRepository(path, about) : undefined;
  const status = tree === undefined ? { changed: [], untracked: [] } : await statusOf(tree, []);
  const heads = tree === undefined ? [] : [await commitOf(tree, 'HEAD')];
  const own = [await commitOf(repository, refOf(branch)), ...heads].flatMap((commit) => commit ?? []);
  const asked = [
    'rev-list',
    '--single-worktree',
    '--max-count=100',
    ...new Set(own),
    '--not',
    `--exclude=${refOf(branch)}`,
    '--all',
  ];
  const commits =
    own.length === 0 ? [] : (await git(repository, asked)).stdout.toString('latin1').split('\n');
  return [...status.changed, ...status.untracked, ...commits.filter(Boolean)];
}

interface Look {
  readonly why: KeptReason | null;
  readonly details: readonly string[];
  readonly ignored: readonly string[];
  readonly heads: readonly string[];
  readonly submodules: readonly Repository[];
}

const nothingThere: Look = { why: null, details: [], ignored: [], heads: [], submodules: [] };

async function lookInto(repository: Repository, record: TreeRecord): Promise<Look> {
  const about = { env: repository.given, msMax: repository.msMax };
  const submodules: Repository[] = [];
  // The innermost first: an outer one cannot be taken away before.
  for (const { path, isFilled } of record.submodules.toReversed()) {
    const folder = join(record.path, path);
    if (!isFilled || !existsSync(join(folder, '.git'))) continue;
    const inner = await locateRepository(folder, about);
    if (inner !== undefined) submodules.push(inner);
  }
  const tree = await locateRepository(record.path, about);
  if (tree === undefined) return nothingThere;
  const emptied = record.step === 'removing' ? record.submodules.map(({ path }) => path) : [];
  const ignored: string[] = [];
  for (const place of [tree, ...submodules]) {
    const operation = readOperation(place.gitFolder);
    if (operation !== null) return { ...nothingThere, why: 'operation', details: [operation.kind] };
    const status = await statusOf(place, emptied);
    const [why, details] =
      status.changed.length > 0
        ? (['changed', status.changed] as const)
        : (['untracked', status.untracked] as const);
    if (details.length > 0) return { ...nothingThere, why, details };
    ignored.push(...status.ignored);
  }
  for (const inner of submodules) {
    const head = await commitOf(inner, 'HEAD');
    const { stdout } = await git(inner, ['for-each-ref', '--count=1', '--contains', head ?? 'HEAD']);
    if (stdout.length === 0) return { ...nothingThere, why: 'not-contained', details: [head ?? inner.root] };
  }
  const head = await commitOf(tree, 'HEAD');
  return { ...nothingThere, ignored, submodules, heads: head === undefined ? [] : [head] };
}

async function statusOf(
  place: Repository,
  passed: readonly string[],
): Promise<{ readonly changed: string[]; readonly untracked: string[]; readonly ignored: string[] }> {
  const asked = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
    '--ignored=traditional',
  ];
  // Looking into a submodule would start a git without our settings there; each is looked into by itself.
  const { stdout } = await git(place, [...asked, '--ignore-submodules=dirty']);
  const found = { changed: [] as string[], untracked: [] as string[], ignored: [] as string[] };
  for (const record of records(stdout)) {
    const [mark, path] = [record.toString('utf8', 0, 2), record.toString('utf8', 3)];
    if (passed.includes(path)) continue;
    (mark === '!!' ? found.ignored : mark === '??' ? found.untracked : found.changed).push(path);
  }
  return found;
}

export async function commitOf(repository: Repository, name: string): Promise<string | undefined> {
  const answer = await askGit(repository, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  return answer.code === 0 ? answer.stdout.toString('latin1').trim() : undefined;
}

/** Commits that a head has neither themselves nor as the same change: one that was rebased has another name there. */
async function missingIn(repository: Repository, commit: string, into: string): Promise<string[]> {
  if ((await askGit(repository, ['merge-base', '--is-ancestor', commit, into])).code === 0) return [];
  const asked = ['rev-list', '--cherry-pick', '--right-only', `${into}...${commit}`];
  const { stdout } = await git(repository, asked);
  return stdout.toString('latin1').split('\n').filter(Boolean).slice(0, 100);
}
