/**
 * Commits do not travel in a packet: it holds what differs from HEAD, not HEAD itself. Where HEAD was not pushed when the packet
 * was sealed, an agent in another clone has to be told before it needs it.
 */
import type { WorkspaceFacts } from './workspace.ts';

export interface Unpushed {
  readonly commit: string;
  readonly reason: 'no-upstream' | 'upstream-gone' | 'ahead' | 'not-fetched';
  /** How many commits; null where nothing says. */
  readonly ahead: number | null;
  /** It is not in the repository here; false where nobody looked. */
  readonly missing: boolean;
  /** Where the packet was sealed. */
  readonly root: string;
}

/**
 * By what git knew when it was asked: nobody looked at the other side. `here` says whether the repository around us has the commit;
 * null where nobody looked.
 */
export function unpushedIn(facts: WorkspaceFacts | undefined, here: boolean | null = null): Unpushed | null {
  const { head = null, upstream = null } = facts?.git ?? {};
  if (facts === undefined || head === null || here === true) return null;
  const about = { commit: head, missing: here === false, root: facts.root };
  if (upstream === null) return { ...about, reason: 'no-upstream', ahead: null };
  if (upstream.ahead === null) return { ...about, reason: 'upstream-gone', ahead: null };
  if (upstream.ahead > 0) return { ...about, reason: 'ahead', ahead: upstream.ahead };
  return about.missing ? { ...about, reason: 'not-fetched', ahead: 0 } : null;
}

export function unpushedWords({ commit, reason, ahead, missing, root }: Unpushed): string {
  const why = {
    'no-upstream': 'its branch has no upstream',
    'upstream-gone': 'the upstream of its branch is gone',
    ahead: `it is ${ahead ?? 0} ahead of its upstream`,
    'not-fetched': 'it was pushed, and not fetched here',
  }[reason];
  return missing
    ? `Commit ${commit} is not in this clone. The packet was sealed on it in ${root}: ${why}. ${fetchWords(commit)} Or work in that clone, if you can reach it: staffetta take --worktree FOLDER, run there.`
    : `Commit ${commit} may be in that clone only: ${why}. ${fetchWords(commit)}`;
}

/** How a commit gets into another clone. Names of branches are left out: the author of a branch should not write our commands. */
export function fetchWords(commit: string): string {
  return [
    'If it was pushed: git fetch --all.',
    `If not, where it was made: git push origin ${commit}:refs/heads/handoff, then here: git fetch origin handoff.`,
    'Without a remote, there: git bundle create handoff.bundle HEAD; here: git fetch handoff.bundle HEAD.',
  ].join(' ');
}
