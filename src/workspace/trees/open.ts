/**
 * Trees of tasks as worktrees of git, below a folder of this machine's own: `REPOSITORY/RUN/TASK`. Not inside the repository: there Node and
 * others would find the packages of the user's checkout. A call for a task has its lock, and notes each step before it is done.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { Discarded, KeptTree, Removal, Tree, TreeName, TreeOrder, Trees } from '../../ports/trees.ts';
import { dropLock, takeLock } from '../../process/owned-lock.ts';
import { guardAgain, locateRepository, type Repository } from '../git/locate.ts';
import { askGit, git } from '../git/spawn.ts';
import { readStatus } from '../git/status.ts';
import { unusable } from '../git/unusable.ts';
import { filteredFiles, refuseMissingCommit } from '../restore/new-worktree.ts';
import { restoreTree } from '../restore/restore.ts';
import { dropHalfMade, forgetMissing, setBranchAside, setFolderAside } from './aside.ts';
import { commitTree } from './commit.ts';
import { furnish, type FurnishOptions } from './furnish.ts';
import { branchOf, checkNames, refOf, runFolder, slotOf } from './names.ts';
import type { TreeReached } from './reached.ts';
import { commitOf, discardTree, onlyIn, removeTree } from './remove.ts';
import { absentSubmodules, fillSubmodules } from './submodules.ts';
import { dropTreeRecord, newestRecord, recordsIn, writeTreeRecord, type TreeRecord } from './tree-record.ts';
import { realOf, worktreesOf } from './worktrees.ts';

export interface TreesOptions extends Pick<FurnishOptions, 'holdsSecret' | 'note'> {
  /** The folder below which trees are made. */
  readonly home: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Processes that work in a folder for a leg, whether that is over or not. */
  readonly living: (folder: string) => readonly number[];
  readonly gitMsMax?: number;
  /** For tests that kill a call half-way. */
  readonly reached?: TreeReached;
}

export async function openTrees(folder: string, options: TreesOptions): Promise<Trees> {
  const env = options.env ?? process.env;
  const found = await locateRepository(folder, { env, msMax: options.gitMsMax ?? limits.gitMsMax });
  if (found === undefined)
    throw unusable('no-repository', `${folder} is in no git repository: there is nothing to make trees of.`);
  refuseInside(found, options.home);
  const maker = new TreeMaker(found, { ...options, env });
  return {
    ground: async (base) => {
      const repository = await guardAgain(found);
      const { items } = await readStatus(repository);
      const commit = await baseCommit(repository, base);
      return {
        commit,
        isShallow: repository.shallow,
        uncommitted: [...items].map(({ path }) => path),
        absent: await absentSubmodules(repository, commit),
      };
    },
    make: async (order) => await maker.make(order),
    remove: async (name, into) => await maker.remove(name, into),
    discard: async (name, how) => await maker.discard(name, how?.dryRun === true),
    commit: async (left) => await commitTree(await guardAgain(found), left),
    list: async (run) => {
      checkNames(run);
      return recordsIn(runFolder(options.home, found, run)).map(kept);
    },
  };
}

/** Node and others look for packages in the folders around: they would find those of the user's checkout. */
function refuseInside({ root }: Repository, home: string): void {
  const way = relative(realOf(root), realOf(home));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  throw new StaffettaError('unsafe-path', `Trees cannot be made in ${home}: it is inside the repository.`, {
    details: { path: home },
    hint: 'Name a data folder outside of it.',
  });
}

async function baseCommit(repository: Repository, base: string): Promise<string> {
  const commit = await commitOf(repository, base);
  if (commit !== undefined) return commit;
  throw new StaffettaError('commit-missing', `${repository.root} has no commit ${JSON.stringify(base)}.`, {
    details: { commit: base },
    hint:
      base === 'HEAD'
        ? 'Commit something first: trees start from a commit.'
        : 'Name a branch or commit that is there; git log shows them.',
  });
}

function kept({ run, task, path, branch, base, step }: TreeRecord): KeptTree {
  return { run, task, path, branch, base, isReady: step === 'ready' };
}

const untold = { copied: [], notCopied: [], failed: null } as const;

interface Beginning {
  readonly order: TreeOrder;
  readonly base: string;
  readonly folder: string;
  readonly attempt: number;
  /** A try that is still worked on: what it committed is known to be whole. */
  readonly predecessor: TreeRecord | undefined;
}

class TreeMaker {
  readonly #found: Repository;
  readonly #options: TreesOptions & { readonly env: NodeJS.ProcessEnv };
  readonly #reached: TreeReached;

  constructor(found: Repository, options: TreesOptions & { readonly env: NodeJS.ProcessEnv }) {
    this.#found = found;
    this.#options = options;
    this.#reached = options.reached ?? ((): void => {});
  }

  async make(order: TreeOrder): Promise<Tree> {
    return await this.#locked(order, async (folder) => {
      const repository = await guardAgain(this.#found);
      const base = await baseCommit(repository, order.base);
      const before =
        newestRecord(folder, order) ?? (await this.#recognised(repository, { order, base, folder }));
      const pids = before === undefined ? [] : this.#options.living(before.path);
      const insteadOf = before === undefined || pids.length === 0 ? null : { path: before.path, pids };
      const isThere = before !== undefined && insteadOf === null && (await isTree(repository, before.path));
      if (isThere && before.step === 'ready')
        return { ...kept(before), ...untold, ...told(before), began: 'tree', aside: [], insteadOf };
      const isBegun =
        before !== undefined && insteadOf === null && before.step !== 'ready' && before.step !== 'removing';
      const record = isBegun
        ? before
        : await this.#begin(repository, {
            order,
            base,
            folder,
            attempt: insteadOf === null ? (before?.attempt ?? 1) : (before?.attempt ?? 0) + 1,
            predecessor: insteadOf === null ? undefined : before,
          });
      return { ...(await this.#finish(repository, { record, order, folder })), insteadOf };
    });
  }

  async remove(name: Parameters<Trees['remove']>[0], into: string): Promise<Removal> {
    return await this.#leftTree(name, async ({ repository, record, folder }) => {
      const removal = await removeTree(repository, record, {
        into: await baseCommit(repository, into),
        reached: this.#reached,
        decided: () => void writeTreeRecord(folder, { ...record, step: 'removing' }),
      });
      if (removal.removed) dropTreeRecord(folder, record);
      return removal;
    });
  }

  async discard(name: Parameters<Trees['discard']>[0], dryRun: boolean): Promise<Discarded> {
    return await this.#leftTree(name, async ({ repository, record, folder }) => {
      const lost = await onlyIn(repository, record);
      if (dryRun) return { removed: true, lost };
      await discardTree(repository, record);
      dropTreeRecord(folder, record);
      return { removed: true, lost };
    });
  }

  /** One that is known, and that nobody works in. */
  async #leftTree<R>(
    name: TreeName & { readonly path?: string },
    act: (left: {
      readonly repository: Repository;
      readonly record: TreeRecord;
      readonly folder: string;
    }) => Promise<R>,
  ): Promise<R | Extract<Removal, { readonly removed: false }>> {
    return await this.#locked(name, async (folder) => {
      const record = newestRecord(folder, name);
      if (record === undefined) return { removed: false, why: 'unknown', details: [] };
      const pids = this.#options.living(record.path);
      if (pids.length > 0) return { removed: false, why: 'alive', details: pids.map(String) };
      return await act({ repository: await guardAgain(this.#found), record, folder });
    });
  }

  /** A tree in the place and on the branch of this task whose record was lost. */
  async #recognised(
    repository: Repository,
    { order, base, folder }: { readonly order: TreeOrder; readonly base: string; readonly folder: string },
  ): Promise<TreeRecord | undefined> {
    const path = join(realOf(folder), order.task);
    const branch = branchOf(order, order.task);
    const known = (await worktreesOf(repository)).some((one) => one.path === path && one.branch === branch);
    if (!known || !existsSync(join(path, '.git'))) return undefined;
    const { run, task } = order;
    const about = { v: 1, run, task, attempt: 1, path, branch, base, start: base } as const;
    return { ...about, step: 'furnishing', began: 'tree', aside: [], submodules: [], unfiltered: [] };
  }

  /** Which branch and folder, once they are free. Nothing of the tree is there yet. */
  async #begin(repository: Repository, beginning: Beginning): Promise<TreeRecord> {
    const { order, base, folder, predecessor } = beginning;
    const packetHead = order.packet?.manifest.head ?? undefined;
    if (packetHead !== undefined) await refuseMissingCommit(repository, packetHead);
    const aside: string[] = [];
    for (let { attempt } = beginning; ; attempt += 1) {
      const slot = slotOf(order, attempt);
      const branch = branchOf(order, slot);
      const path = join(realOf(folder), slot);
      const folderAside = await setFolderAside(repository, path);
      if (folderAside !== undefined) aside.push(folderAside);
      await forgetMissing(repository, path);
      // Somebody has it checked out elsewhere: it is theirs.
      if ((await worktreesOf(repository)).some((one) => one.branch === branch)) continue;
      const tip = await commitOf(repository, refOf(branch));
      const left =
        tip ??
        (predecessor === undefined ? undefined : await commitOf(repository, refOf(predecessor.branch)));
      const goesOn =
        left !== undefined &&
        (packetHead === undefined ? await holds(repository, left, base) : left === packetHead);
      if (tip !== undefined && !goesOn) aside.push(await setBranchAside(repository, branch, tip));
      const record = writeTreeRecord(folder, {
        v: 1,
        run: order.run,
        task: order.task,
        attempt,
        path,
        branch,
        base,
        step: 'adding',
        start: packetHead ?? (goesOn ? left : base),
        began: packetHead !== undefined ? 'packet' : goesOn ? 'branch' : 'new',
        aside,
        submodules: [],
        unfiltered: [],
      });
      this.#reached('recorded');
      return record;
    }
  }

  /** From wherever it stands. */
  async #finish(
    repository: Repository,
    {
      record: begun,
      order,
      folder,
    }: { readonly record: TreeRecord; readonly order: TreeOrder; readonly folder: string },
  ): Promise<Omit<Tree, 'insteadOf'>> {
    let record = begun;
    const go = (change: Partial<TreeRecord>): void => {
      record = writeTreeRecord(folder, { ...record, ...change });
    };
    if (record.step === 'adding' || !(await isTree(repository, record.path))) {
      await this.#add(repository, record);
      go({ step: 'checking-out' });
    }
    const tree = await locateRepository(record.path, { env: repository.given, msMax: repository.msMax });
    if (tree === undefined || tree.root !== record.path)
      throw new StaffettaError('git-failed', `Git made no worktree at ${record.path}.`);
    if (record.step === 'checking-out') {
      // Its last user was killed in it: nobody but us has been here.
      rmSync(join(tree.gitFolder, 'index.lock'), { force: true });
      await git(tree, ['read-tree', '--reset', '-u', 'HEAD']);
      this.#reached('checked-out');
      const submodules = await fillSubmodules(repository, tree);
      this.#reached('filled');
      if (record.began === 'packet' && order.packet !== undefined)
        await restoreTree({ root: tree.root, repository: tree }, order.packet.manifest, {
          read: order.packet.read,
        });
      this.#reached('restored');
      go({ step: 'furnishing', submodules, unfiltered: await filteredFiles(tree) });
    }
    const furnished = await furnish(record.path, order, {
      ...this.#options,
      from: repository.root,
      reached: this.#reached,
    });
    this.#reached('set-up');
    if (furnished.failed === null) go({ step: 'ready' });
    this.#reached('ready');
    return { ...kept(record), ...furnished, ...told(record) };
  }

  async #add(repository: Repository, { path, branch, start }: TreeRecord): Promise<void> {
    if (!(await isTree(repository, path))) {
      await dropHalfMade(repository, path);
      if ((await commitOf(repository, refOf(branch))) === undefined)
        await git(repository, [
          'update-ref',
          '--create-reflog',
          refOf(branch),
          start,
          '0'.repeat(start.length),
        ]);
      this.#reached('branched');
      await git(repository, ['worktree', 'add', '--quiet', '--no-checkout', '--', path, branch]);
    }
    this.#reached('added');
  }

  async #locked<Result>(name: TreeName, act: (folder: string) => Promise<Result>): Promise<Result> {
    checkNames(name.run, name.task);
    const folder = runFolder(this.#options.home, this.#found, name.run);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = join(folder, `${name.task}+lock`);
    const until = performance.now() + limits.runMsDefault;
    // Setting a tree up may take as long as it takes; who does it is known to live or not.
    for (
      let pause = 5;
      takeLock(lock, Number.POSITIVE_INFINITY) === 'busy';
      pause = Math.min(pause * 2, 200)
    ) {
      if (performance.now() >= until)
        throw new StaffettaError(
          'workspace-busy',
          `The tree of ${name.task} is being made or removed by another process.`,
        );
      await wait(pause);
    }
    try {
      return await act(folder);
    } finally {
      dropLock(lock);
    }
  }
}

function told({
  submodules,
  unfiltered,
  began,
  aside,
}: TreeRecord): Pick<Tree, 'submodules' | 'unfiltered' | 'began' | 'aside'> {
  return { submodules, unfiltered, began, aside };
}

async function holds(repository: Repository, tip: string, base: string): Promise<boolean> {
  return (await askGit(repository, ['merge-base', '--is-ancestor', base, tip])).code === 0;
}

async function isTree(repository: Repository, path: string): Promise<boolean> {
  if (!existsSync(join(path, '.git'))) return false;
  const real = realOf(path);
  return (await worktreesOf(repository)).some((one) => one.path === real);
}
