/** Everything git can tell about a workspace, asked in as few and as parallel questions as possible. */
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isStaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { GitFacts } from '../../core/tree/workspace.ts';
import { readBase } from './base.ts';
import { settleFiltered } from './filters.ts';
import { listIndex, uncover, type IndexList } from './index-list.ts';
import { Items } from './item.ts';
import { isLinkedWorktree } from './linked-worktree.ts';
import { locateRepository, type Repository } from './locate.ts';
import { readOperation } from './operation.ts';
import { readStatus } from './status.ts';

export interface GitSurvey {
  readonly repository: Repository;
  readonly items: Items;
  readonly facts: Omit<GitFacts, 'submodules'>;
  readonly submodules: readonly FoundSubmodule[];
  /** Every path in the index; only if asked for. */
  readonly indexed: ReadonlySet<string>;
  /** The links among them. */
  readonly links: readonly string[];
  /** Mode and object of everything in the index, by the bytes of its path; only if asked for. */
  readonly sides: ReadonlyMap<string, string>;
}

export interface FoundSubmodule {
  readonly path: string;
  readonly commit: string;
  /** Undefined if nothing is checked out. */
  readonly repository: Repository | undefined;
}

export async function surveyGit(
  repository: Repository,
  options: { readonly indexed?: boolean; readonly sides?: boolean; readonly base?: boolean } = {},
): Promise<GitSurvey> {
  const aside = new Items();
  const [status, index] = await Promise.all([
    readStatus(repository),
    listIndex(repository, aside, { paths: options.indexed === true, sides: options.sides === true }),
  ]);
  const { items, head, branch, upstream } = status;
  items.losses.push(...aside.losses);
  dropLinkedWorktrees(repository, items);
  const [base, submodules] = await Promise.all([
    options.base === false ? null : readBase(repository, status),
    findSubmodules(repository, items, index.submodules),
    settle(repository, items, index),
  ]);
  return {
    repository,
    items,
    submodules,
    indexed: index.paths,
    links: index.links,
    sides: index.sides,
    facts: {
      worktree: repository.linked ? 'linked' : 'main',
      branch,
      head,
      base,
      upstream,
      operation: readOperation(repository.gitFolder),
      shallow: repository.shallow,
      sparse: index.sparse,
    },
  };
}

/** What git could not tell without running something, or was told not to tell. */
async function settle(repository: Repository, items: Items, index: IndexList): Promise<void> {
  await uncover(repository, items, index.hidden);
  await settleFiltered(repository, items);
}

/** Work in another worktree of the same repository is not this one's to carry. */
function dropLinkedWorktrees(repository: Repository, { losses }: Items): void {
  const kept = losses.filter(
    ({ path, reason }) => reason !== 'nested-repository' || !isLinkedWorktree(repository, path),
  );
  losses.splice(0, losses.length, ...kept);
}

async function findSubmodules(
  repository: Repository,
  items: Items,
  listed: readonly { readonly path: string; readonly commit: string }[],
): Promise<FoundSubmodule[]> {
  const found: FoundSubmodule[] = [];
  for (const { path, commit } of listed.slice(0, limits.submodulesMax)) {
    let inner: Repository | undefined;
    try {
      inner = await openSubmodule(repository, path);
    } catch (error) {
      if (!isStaffettaError(error, 'workspace-unusable')) throw error;
      items.losses.push({ path, reason: 'unreadable' });
    }
    found.push({ path, commit, repository: inner });
  }
  if (listed.length > limits.submodulesMax)
    items.losses.push({ path: '.', reason: 'too-many', files: listed.length - limits.submodulesMax });
  return found;
}

/** Only a real folder that is a repository of its own; without that, git would answer for another one. */
async function openSubmodule(repository: Repository, path: string): Promise<Repository | undefined> {
  const folder = join(repository.root, path);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) === undefined) return undefined;
  if (realpathSync(folder) !== folder) return undefined;
  const inner = await locateRepository(folder, { env: repository.given, msMax: repository.msMax });
  return inner?.root === folder ? inner : undefined;
}
