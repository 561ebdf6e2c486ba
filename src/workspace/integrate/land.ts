/** What was integrated, brought onto a branch of the user's: only when they ask for it, only forward, and never over their own changes. */
import type { LandOutcome } from '../../ports/integrate.ts';
import { locateRepository, type Repository } from '../git/locate.ts';
import { askGit, git } from '../git/spawn.ts';
import { readOperation } from '../git/operation.ts';
import { readStatus } from '../git/status.ts';
import { filteredFiles } from '../restore/new-worktree.ts';
import { refOf } from '../trees/names.ts';
import { commitOf } from '../trees/remove.ts';
import { worktreesOf } from '../trees/worktrees.ts';

export async function landOn(repository: Repository, from: string, branch: string): Promise<LandOutcome> {
  const [to, at] = await Promise.all([commitOf(repository, from), commitOf(repository, refOf(branch))]);
  if (to === undefined) return kept('nothing', [from]);
  if (at === undefined) return kept('unknown-branch', [branch]);
  if (await isAncestor(repository, to, at)) return kept('nothing', [at]);
  if (!(await isAncestor(repository, at, to))) {
    const { stdout } = await git(repository, ['rev-list', '--max-count=100', `${to}..${at}`]);
    return kept('not-forward', stdout.toString('latin1').split('\n').filter(Boolean));
  }
  const checkout = (await worktreesOf(repository)).find((one) => one.branch === branch);
  if (checkout === undefined) {
    await git(repository, ['update-ref', '-m', 'staffetta: landed', refOf(branch), to, at]);
    return { landed: true, from: at, to };
  }
  const tree = await locateRepository(checkout.path, { env: repository.given, msMax: repository.msMax });
  if (tree === undefined) return kept('not-clean', [checkout.path]);
  const { items } = await readStatus(tree);
  const changed = [...items].filter(({ untracked }) => untracked !== true).map(({ path }) => path);
  if (changed.length > 0 || readOperation(tree.gitFolder) !== null) return kept('not-clean', changed);
  // They would be written as they are stored, not as the user's own git writes them.
  const filtered = await filteredFiles(tree);
  if (filtered.length > 0) return kept('filters', filtered.slice(0, 100));
  const answer = await askGit(tree, ['merge', '--ff-only', '--no-stat', '--quiet', to]);
  if (answer.code === 0) return { landed: true, from: at, to };
  // A file that is not tracked lies where the new commit has one.
  return kept(
    'not-clean',
    answer.stderr
      .split('\n')
      .filter((line) => line.startsWith('\t'))
      .map((line) => line.trim()),
  );
}

function kept(why: Extract<LandOutcome, { landed: false }>['why'], details: readonly string[]): LandOutcome {
  return { landed: false, why, details };
}

export async function isAncestor(repository: Repository, one: string, of: string): Promise<boolean> {
  return (await askGit(repository, ['merge-base', '--is-ancestor', one, of])).code === 0;
}
