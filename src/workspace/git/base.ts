/** Where the work left the branch it will go back to: the merge base with the upstream, else with the default branch. */
import type { GitFacts } from '../../core/tree/workspace.ts';
import type { Repository } from './locate.ts';
import { mayHaveRef } from './ref-files.ts';
import { askGit, type GitPlace } from './spawn.ts';

/** A walk through a long history may take its time; the base is not worth more. */
const baseMsMax = 5000;
const defaults = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

export async function readBase(
  place: GitPlace & Pick<Repository, 'commonFolder'>,
  at: {
    readonly head: string | null;
    readonly branch: string | null;
    readonly upstream: GitFacts['upstream'];
  },
): Promise<GitFacts['base']> {
  if (at.head === null) return null;
  const ref =
    at.upstream !== null && at.upstream.ahead !== null
      ? at.upstream.name
      : await defaultBranch(place, at.branch);
  if (ref === undefined) return null;
  try {
    const answer = await askGit(place, ['merge-base', '--end-of-options', at.head, ref], {
      msMax: baseMsMax,
    });
    const commit = answer.stdout.toString('latin1').trim();
    return answer.code === 0 && commit !== '' ? { ref, commit } : null;
  } catch {
    // Not known in time: the only failure that gets here.
    return null;
  }
}

async function defaultBranch(
  place: GitPlace & Pick<Repository, 'commonFolder'>,
  branch: string | null,
): Promise<string | undefined> {
  // Work on the default branch of a repository without a remote is nowhere to be compared with.
  const others = defaults.filter((ref) => ref !== `refs/heads/${branch}`);
  if (!mayHaveRef(place.commonFolder, others)) return undefined;
  const answer = await askGit(place, ['for-each-ref', '--format=%(refname)', ...defaults]);
  const there = new Set(answer.stdout.toString('utf8').split('\n'));
  const found = defaults.find((ref) => there.has(ref));
  return found === `refs/heads/${branch}` ? undefined : found?.replace(/^refs\/(?:remotes|heads)\//, '');
}
