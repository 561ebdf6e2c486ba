/**
 * The submitted commits made anew on another head, one for each, with their authors. Each is a merge of two commits that share nothing but
 * its parent's tree: the older gits that merge without a checkout cannot be told a base.
 */
import { StaffettaError } from '../../core/base/error.ts';
import type { IntegrateOrder } from '../../ports/integrate.ts';
import type { Repository } from '../git/locate.ts';
import { git } from '../git/spawn.ts';
import { makeCommit, ontoTrailer, withTrailers } from './commit.ts';
import type { Merger } from './merge.ts';

export interface Replay {
  readonly head: string;
  readonly submitted: string;
  readonly order: IntegrateOrder;
  readonly merger: Merger;
  readonly identity: NodeJS.ProcessEnv;
}

/** Null: nothing is new in them. */
export async function replay(
  repository: Repository,
  { head, submitted, order, merger, identity }: Replay,
): Promise<
  { readonly commit: string; readonly tree: string } | { readonly files: readonly string[] } | null
> {
  const { stdout } = await git(repository, [
    'rev-list',
    '--reverse',
    '--topo-order',
    '--parents',
    `${head}..${submitted}`,
  ]);
  let at = head;
  let made = '';
  for (const line of stdout.toString('latin1').split('\n').filter(Boolean)) {
    const [commit = '', parent, ...others] = line.split(' ');
    if (parent === undefined || others.length > 0) {
      throw new StaffettaError(
        'invalid-input',
        `${commit} is a merge, which cannot be made anew in a line.`,
        {
          details: { commit },
          hint: 'Integrate it without linear.',
        },
      );
    }
    const env = identity;
    const root = await makeCommit(repository, {
      tree: `${parent}^{tree}`,
      parents: [],
      message: 'base',
      env,
    });
    const ours = await makeCommit(repository, {
      tree: `${at}^{tree}`,
      parents: [root],
      message: 'ours',
      env,
    });
    const theirs = await makeCommit(repository, {
      tree: `${commit}^{tree}`,
      parents: [root],
      message: 'theirs',
      env,
    });
    const merged = await merger.merge(ours, theirs);
    if ('files' in merged) return merged;
    const { author, message, tree } = await read(repository, commit, at);
    if (merged.tree === tree) continue;
    made = merged.tree;
    const said =
      commit === submitted ? `${withTrailers(message, order, submitted)}${ontoTrailer}: ${head}\n` : message;
    at = await makeCommit(repository, {
      tree: merged.tree,
      parents: [at],
      message: said,
      env: { ...env, ...author },
    });
  }
  return at === head ? null : { commit: at, tree: made };
}

async function read(
  repository: Repository,
  commit: string,
  at: string,
): Promise<{ readonly author: NodeJS.ProcessEnv; readonly message: string; readonly tree: string }> {
  const [said, tree] = await Promise.all([
    git(repository, [
      'log',
      '-1',
      '--no-show-signature',
      '--date=raw',
      '--format=%an%x00%ae%x00%ad%x00%B',
      commit,
    ]),
    git(repository, ['rev-parse', `${at}^{tree}`]),
  ]);
  const [name = '', email = '', date = '', message = ''] = said.stdout.toString('utf8').split('\0');
  return {
    author: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    message,
    tree: tree.stdout.toString('latin1').trim(),
  };
}
