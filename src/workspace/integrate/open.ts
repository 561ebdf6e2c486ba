/**
 * The merge queue over git: `merge-tree`, `commit-tree`, validation, `update-ref NEW OLD`. No step but the last changes anything that has a
 * name, and git makes that one only if the head is still the one that was merged into. So a call that was killed is made again, and of two at
 * once one begins anew.
 */
import { StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { Integrate, IntegrateOrder, Integration } from '../../ports/integrate.ts';
import { guardAgain, locateRepository, type Repository } from '../git/locate.ts';
import { readRef } from '../git/ref-files.ts';
import { askGit, git } from '../git/spawn.ts';
import { unusable } from '../git/unusable.ts';
import type { FurnishOptions } from '../trees/furnish.ts';
import { checkNames, integratedBranch, refOf, runFolder } from '../trees/names.ts';
import { commitOf } from '../trees/remove.ts';
import { worktreesOf } from '../trees/worktrees.ts';
import { committerOf, makeCommit, ontoTrailer, submittedTrailer, titleOf, withTrailers } from './commit.ts';
import { isAncestor, landOn } from './land.ts';
import { Merger } from './merge.ts';
import { replay } from './replay.ts';
import { dropKilledChecks, validateCommit } from './validate.ts';

/** Places where a test wants a call to be killed, or somebody else to be faster. */
export const integrateSteps = ['merged', 'committed', 'validated', 'moved'] as const;
export type IntegrateReached = (step: (typeof integrateSteps)[number]) => void | Promise<void>;

export interface IntegrateOptions extends Pick<FurnishOptions, 'holdsSecret' | 'note'> {
  /** The folder below which trees are made. */
  readonly home: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly gitMsMax?: number;
  readonly reached?: IntegrateReached;
}

/** Each time somebody else was faster. */
const triesMax = 100;

export async function openIntegrate(folder: string, options: IntegrateOptions): Promise<Integrate> {
  const env = options.env ?? process.env;
  const found = await locateRepository(folder, { env, msMax: options.gitMsMax ?? limits.gitMsMax });
  if (found === undefined)
    throw unusable('no-repository', `${folder} is in no git repository: there is nothing to integrate into.`);
  let identity: Promise<NodeJS.ProcessEnv> | undefined;
  return {
    async integrate(order) {
      checkNames(order.run, order.task);
      identity ??= committerOf(found);
      const [repository, submitted] = await Promise.all([guardAgain(found), known(found, order.submitted)]);
      const about = { order, submitted, options: { ...options, env }, identity: await identity };
      for (let tries = 0; tries < triesMax; tries += 1) {
        const outcome = await integrateOnce(repository, about);
        if (outcome !== 'moved-meanwhile') return outcome;
      }
      throw new StaffettaError('conflict', `The head of ${order.run} moved each of ${triesMax} times.`);
    },
    async settle(run, submitted) {
      const head = await commitOf(found, refOf(integratedBranch(run)));
      const commit = head === undefined ? undefined : await integratedBy(found, head, submitted);
      return commit === undefined ? null : { commit };
    },
    clear: async (run) =>
      await dropKilledChecks(await guardAgain(found), runFolder(options.home, found, run)),
    head: async (run) => (await commitOf(found, refOf(integratedBranch(run)))) ?? null,
    hold: async (run, commit) => await hold(await guardAgain(found), integratedBranch(run), commit),
    land: async (run, branch) => await landOn(await guardAgain(found), refOf(integratedBranch(run)), branch),
  };
}

interface Attempt {
  readonly order: IntegrateOrder;
  readonly submitted: string;
  readonly options: IntegrateOptions & { readonly env: NodeJS.ProcessEnv };
  readonly identity: NodeJS.ProcessEnv;
}

async function integrateOnce(
  repository: Repository,
  { order, submitted, options, identity }: Attempt,
): Promise<Integration | 'moved-meanwhile'> {
  const branch = integratedBranch(order.run);
  await refuseInUse(repository, branch);
  const old = await headOf(repository, branch);
  const head = old ?? (await known(repository, order.base));
  const reached = options.reached ?? ((): void => {});
  const [shared, merger] = await Promise.all([
    sharedBase(repository, head, submitted),
    Merger.open(repository, head),
  ]);
  try {
    const before =
      shared === submitted || order.linear === true
        ? await integratedBy(repository, head, submitted)
        : undefined;
    if (before !== undefined)
      return { how: 'integrated', ...(await lookedUp(repository, before)), already: true };
    if (shared === submitted)
      return { how: 'empty', onto: head, tree: (await lookedUp(repository, head)).tree };
    const made =
      order.linear === true
        ? await replay(repository, { head, submitted, order, merger, identity })
        : await mergeCommit(repository, { head, submitted, order, merger, identity, reached });
    if (made === null) return { how: 'empty', onto: head, tree: (await lookedUp(repository, head)).tree };
    if ('files' in made) return { how: 'conflict', onto: head, files: made.files };
    const { commit, tree } = made;
    await reached('committed');
    const folder = runFolder(options.home, repository, order.run);
    const furnishing: FurnishOptions = { ...options, from: repository.root, reached: () => {} };
    const failed =
      (order.validation ?? []).length === 0
        ? null
        : await validateCommit(repository, commit, { order, folder, options: furnishing });
    if (failed !== null) return { how: 'red', onto: head, commit, failed };
    await reached('validated');
    await refuseInUse(repository, branch);
    if (!(await move(repository, branch, { to: commit, old }))) return 'moved-meanwhile';
    await reached('moved');
    return { how: 'integrated', commit, onto: head, tree, already: false };
  } finally {
    merger.close();
  }
}

async function mergeCommit(
  repository: Repository,
  about: {
    readonly head: string;
    readonly submitted: string;
    readonly order: IntegrateOrder;
    readonly merger: Merger;
    readonly identity: NodeJS.ProcessEnv;
    readonly reached: IntegrateReached;
  },
): Promise<{ readonly commit: string; readonly tree: string } | { readonly files: readonly string[] }> {
  const { head, submitted, order, merger, identity } = about;
  const merged = await merger.merge(head, submitted);
  if ('files' in merged) return merged;
  await about.reached('merged');
  const message = withTrailers(titleOf(order.title), order, submitted);
  const { tree } = merged;
  const commit = await makeCommit(repository, { tree, parents: [head, submitted], message, env: identity });
  return { commit, tree };
}

async function lookedUp(
  repository: Repository,
  commit: string,
): Promise<Pick<Extract<Integration, { how: 'integrated' }>, 'commit' | 'onto' | 'tree'>> {
  const format = `--format=%T %P%n%(trailers:key=${ontoTrailer},valueonly)`;
  const { stdout } = await git(repository, ['log', '-1', '--no-show-signature', format, commit]);
  const [ids = '', begun = ''] = stdout.toString('latin1').split('\n');
  const [tree = '', parent = ''] = ids.split(' ');
  return { commit, onto: begun === '' ? parent : begun, tree };
}

/** False: it is not where it was. */
async function move(
  repository: Repository,
  branch: string,
  { to, old }: { readonly to: string; readonly old: string | undefined },
): Promise<boolean> {
  const args = [
    'update-ref',
    '--create-reflog',
    '-m',
    'staffetta: integrated',
    refOf(branch),
    to,
    old ?? '0'.repeat(to.length),
  ];
  const answer = await askGit(repository, args);
  if (answer.code === 0) return true;
  if ((await headOf(repository, branch)) !== old) return false;
  throw new StaffettaError('git-failed', `Git could not move ${branch}.`, {
    details: { stderr: answer.stderr.slice(0, 2000) },
  });
}

async function hold(repository: Repository, branch: string, commit: string): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const head = await headOf(repository, branch);
    if (head === commit || (head !== undefined && (await isAncestor(repository, commit, head)))) return;
    if (head !== undefined && !(await isAncestor(repository, head, commit))) break;
    await refuseInUse(repository, branch);
    if (await move(repository, branch, { to: commit, old: head })) return;
  }
  throw new StaffettaError('conflict', `${branch} does not hold ${commit} any more, which was integrated.`, {
    details: { branch, commit },
    hint: `Somebody else moved that branch. What was integrated is still there as ${commit}: merge it into it.`,
  });
}

async function headOf(repository: Repository, branch: string): Promise<string | undefined> {
  const read = readRef(repository.commonFolder, refOf(branch));
  if (read === null) return undefined;
  return read?.commit ?? (await commitOf(repository, refOf(branch)));
}

/** On the line of the run's own commits, the one that names it. */
async function integratedBy(
  repository: Repository,
  head: string,
  submitted: string,
): Promise<string | undefined> {
  const trailer = `${submittedTrailer}: ${submitted}`;
  const args = [
    'log',
    '--first-parent',
    '--no-show-signature',
    '--fixed-strings',
    `--grep=${trailer}`,
    '--format=%H',
  ];
  const { stdout } = await git(repository, [...args, '--max-count=1', head, `^${submitted}`]);
  return stdout.toString('latin1').trim() || undefined;
}

async function sharedBase(repository: Repository, head: string, submitted: string): Promise<string> {
  const { code, stdout } = await askGit(repository, ['merge-base', head, submitted]);
  if (code === 0) return stdout.toString('latin1').trim();
  throw new StaffettaError('commit-missing', `${submitted} and ${head} share no commit.`, {
    details: { commit: submitted, shallow: repository.shallow },
    hint: repository.shallow
      ? 'The history of this clone is cut off: fetch the rest of it, then try again.'
      : 'Integrate what was begun from the same repository.',
  });
}

async function known(repository: Repository, name: string): Promise<string> {
  const commit = await commitOf(repository, name);
  if (commit !== undefined) return commit;
  throw new StaffettaError('commit-missing', `${repository.root} has no commit ${JSON.stringify(name)}.`, {
    details: { commit: name },
  });
}

/** Moved under a checkout it would show changes there that nobody made. */
async function refuseInUse(repository: Repository, branch: string): Promise<void> {
  const user = (await worktreesOf(repository)).find((one) => one.branch === branch);
  if (user === undefined) return;
  throw new StaffettaError('workspace-busy', `${branch} is checked out in ${user.path}.`, {
    details: { branch, path: user.path },
    hint: 'Check out another branch there, or detach it: git switch --detach.',
  });
}
