/** What an agent left in its tree without committing it becomes a commit on its branch: only commits are integrated. */
import { StaffettaError } from '../../core/base/error.ts';
import type { TreeCommit } from '../../ports/trees.ts';
import { committerOf, makeCommit, titleOf } from '../integrate/commit.ts';
import { locateRepository, type Repository } from '../git/locate.ts';
import { readOperation } from '../git/operation.ts';
import { git } from '../git/spawn.ts';

export async function commitTree(
  repository: Repository,
  { path, by, title }: { readonly path: string; readonly by: string; readonly title: string },
): Promise<TreeCommit> {
  const tree = await locateRepository(path, { env: repository.given, msMax: repository.msMax });
  if (tree === undefined || tree.root !== path)
    throw new StaffettaError('git-failed', `There is no worktree at ${path}.`);
  const head = await lineOf(tree, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const operation = readOperation(tree.gitFolder);
  if (operation !== null)
    throw new StaffettaError('git-failed', `In ${path} a ${operation.kind} is under way.`, {
      details: { path, operation: operation.kind },
      hint: `Finish it, or end it: git -C ${path} status says how.`,
    });
  await git(tree, ['add', '--all']);
  const content = await lineOf(tree, ['write-tree']);
  if (content === (await lineOf(tree, ['rev-parse', `${head}^{tree}`]))) return { head, made: false };
  const made = await makeCommit(tree, {
    tree: content,
    parents: [head],
    message: `${titleOf(title)}\n\nLeft uncommitted by ${by}.\n`,
    env: await committerOf(tree),
  });
  await git(tree, ['update-ref', '-m', 'staffetta: what was left uncommitted', 'HEAD', made, head]);
  return { head: made, made: true };
}

async function lineOf(tree: Repository, args: readonly string[]): Promise<string> {
  return (await git(tree, args)).stdout.toString('latin1').trim();
}
