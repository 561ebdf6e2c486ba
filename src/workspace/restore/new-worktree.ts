/** A fresh worktree at the captured commit, checked out without hooks and filters. */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { fetchWords } from '../../core/tree/unpushed.ts';
import type { Manifest } from '../../core/tree/workspace.ts';
import { locateRepository, type Repository } from '../git/locate.ts';
import { holdsCommit } from '../git/objects.ts';
import { askGit, git, records } from '../git/spawn.ts';
import type { ProbePlace } from '../probe.ts';

export interface NewWorktree {
  readonly place: ProbePlace & { readonly repository: Repository };
  /** Files that a filter would have filled. */
  readonly unfiltered: readonly string[];
  remove(): Promise<void>;
}

/** What must hold before one is made; also asked for a dry run. */
export async function checkNewWorktree(
  place: ProbePlace,
  manifest: Manifest,
  path: string,
): Promise<Repository> {
  if (manifest.kind !== 'git' || place.repository === undefined) {
    throw new StaffettaError(
      'workspace-moved',
      place.repository === undefined
        ? 'This folder is in no git repository, so no worktree can be made.'
        : 'Only a capture of a git repository can be restored into a worktree.',
      { hint: 'Run this inside a clone of the repository, or work in this folder without --worktree.' },
    );
  }
  if (manifest.head === null) {
    throw new StaffettaError(
      'commit-missing',
      'The repository had no commit yet, so no worktree can be made at one.',
      { hint: 'Commit something first, or work without a worktree.' },
    );
  }
  if (isTaken(path)) {
    throw new StaffettaError('workspace-dirty', `${path} is there already.`, {
      details: { path },
      hint: 'Name a folder that does not exist.',
    });
  }
  await refuseMissingCommit(place.repository, manifest.head);
  return place.repository;
}

function isTaken(path: string): boolean {
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    return there !== undefined && (!there.isDirectory() || readdirSync(path).length > 0);
  } catch (cause) {
    throw new StaffettaError(
      'restore-failed',
      `No worktree can be made there: ${(cause as Error).message}.`,
      {
        cause,
        details: { path, undone: true },
        hint: 'Name a folder that does not exist, in one that you may write into.',
      },
    );
  }
}

/** Commits do not travel in a packet. */
export async function refuseMissingCommit(repository: Repository, commit: string): Promise<void> {
  if (await holdsCommit(repository, commit)) return;
  throw new StaffettaError('commit-missing', `This repository does not have the captured commit ${commit}.`, {
    details: { commit },
    hint: `${fetchWords(commit)} Then try again.`,
  });
}

export async function addWorktree(
  repository: Repository,
  manifest: Manifest,
  path: string,
): Promise<NewWorktree> {
  const folder = resolve(path);
  const existed = existsSync(folder);
  const remove = async (): Promise<void> => {
    await askGit(repository, ['worktree', 'remove', '--force', '--', folder]);
    rmSync(folder, { recursive: true, force: true });
    if (existed) mkdirSync(folder);
    await askGit(repository, ['worktree', 'prune']);
  };
  await git(repository, [
    'worktree',
    'add',
    '--quiet',
    '--detach',
    '--no-checkout',
    '--',
    folder,
    manifest.head ?? '',
  ]);
  try {
    // Other settings may apply in the new place: they are looked up there before anything is checked out.
    const inner = await locateRepository(folder, { env: repository.given, msMax: repository.msMax });
    if (inner === undefined) throw new StaffettaError('git-failed', `Git made no worktree at ${folder}.`);
    await git(inner, ['read-tree', '--reset', '-u', 'HEAD']);
    return {
      place: { root: inner.root, repository: inner },
      unfiltered: await filteredFiles(inner),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The same, of a commit that is not checked out. Only a temporary index is written. */
export async function unfilteredAt(repository: Repository, commit: string): Promise<string[]> {
  if (repository.filters.length === 0) return [];
  const aside = mkdtempSync(join(tmpdir(), 'staffetta-'));
  try {
    const env = { GIT_INDEX_FILE: join(aside, 'index') };
    await git(repository, ['read-tree', commit], { env });
    return await filteredFiles({ ...repository, env: { ...repository.env, ...env } }, ['--cached']);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

export async function filteredFiles(repository: Repository, how: readonly string[] = []): Promise<string[]> {
  if (repository.filters.length === 0) return [];
  const { stdout: paths } = await git(repository, ['ls-files', '-z']);
  const { stdout } = await git(repository, ['check-attr', ...how, '-z', '--stdin', 'filter'], {
    input: paths,
  });
  const words = [...records(stdout)].map((word) => word.toString('utf8'));
  const found: string[] = [];
  for (let i = 0; i + 2 < words.length; i += 3)
    if (repository.filters.includes(words[i + 2] ?? '')) found.push(words[i] ?? '');
  return found.sort();
}
