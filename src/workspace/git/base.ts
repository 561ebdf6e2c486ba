/** Where the work left the branch it will go back to: the merge base with the upstream, else with the default branch. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFacts } from '../../core/tree/workspace.ts';
import type { Repository } from './locate.ts';
import { looseObject } from './objects.ts';
import { defaultBranches, mayReplace, readRef } from './ref-files.ts';
import { askGit, type GitPlace } from './spawn.ts';

/** A walk through a long history may take its time; the base is not worth more. */
const baseMsMax = 5000;

type BasePlace = GitPlace & Pick<Repository, 'commonFolder' | 'hash'>;

export async function readBase(
  place: BasePlace,
  at: {
    readonly head: string | null;
    readonly branch: string | null;
    readonly upstream: GitFacts['upstream'];
  },
): Promise<GitFacts['base']> {
  const { head } = at;
  if (head === null) return null;
  const branch = upstreamOf(place, head, at.upstream) ?? (await defaultBranch(place, at.branch));
  if (branch === undefined) return null;
  const { ref, base, ...known } = branch;
  if (base !== undefined) return { ref, commit: base };
  const commit = await mergeBase(place, head, { ref, ...known });
  return commit === undefined ? null : { ref, commit };
}

/** Undefined where there is none, or it is not known in time. */
export async function mergeBase(
  place: BasePlace,
  head: string,
  { ref, tip, env = {} }: { readonly ref: string; readonly tip?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  if (tip !== undefined && isPartOf(place, tip, head)) return tip;
  try {
    const args = ['merge-base', '--end-of-options', head, ref];
    const { code, stdout } = await askGit(place, args, { msMax: baseMsMax, env });
    const commit = stdout.toString('latin1').trim();
    return code === 0 && commit !== '' ? commit : undefined;
  } catch {
    // Not known in time: the only failure that gets here.
    return undefined;
  }
}

/** Commits of a piece of work: more are git's to walk. */
const walkedMax = 64;
const commitBytesMax = 64 * 1024;

/** Whether a commit is in the history of another: told by the latest commits, which nobody has packed yet. False: git must be asked. */
export function isPartOf(place: BasePlace, tip: string, head: string): boolean {
  // Where parents are hidden, or others stand for them.
  const told = ['shallow', 'info/grafts'].map((name) => join(place.commonFolder, name));
  if (told.some((path) => existsSync(path)) || mayReplace(place.commonFolder)) return false;
  const seen = new Set([head]);
  for (const oid of seen) {
    if (oid === tip) return true;
    if (seen.size > walkedMax) return false;
    const commit = looseObject(place, oid, { type: 'commit', bytesMax: commitBytesMax })?.toString('latin1');
    if (commit === undefined) return false;
    const lines = commit.slice(0, commit.indexOf('\n\n'));
    for (const [, parent = ''] of lines.matchAll(/^parent ([0-9a-f]+)$/gm)) seen.add(parent);
  }
  return false;
}

interface Branch {
  readonly ref: string;
  /** The commit it is at, if that is known. */
  readonly tip?: string;
  /** Where that is known without a walk: one of the two is part of the other. */
  readonly base?: string;
}

function upstreamOf(place: BasePlace, head: string, upstream: GitFacts['upstream']): Branch | undefined {
  if (upstream === null || upstream.ahead === null) return undefined;
  const { name: ref, ahead, behind } = upstream;
  if (ahead === 0) return { ref, base: head };
  const tip = behind === 0 ? readRef(place.commonFolder, `refs/remotes/${ref}`) : undefined;
  return tip ? { ref, base: tip.commit } : { ref };
}

async function defaultBranch(place: BasePlace, branch: string | null): Promise<Branch | undefined> {
  const [found] = await defaultBranches(place);
  // Work on the default branch of a repository without a remote is nowhere to be compared with.
  if (found === undefined || found[0] === `refs/heads/${branch}`) return undefined;
  const [name, { commit }] = found;
  const ref = name.replace(/^refs\/(?:remotes|heads)\//, '');
  return { ref, tip: commit };
}
