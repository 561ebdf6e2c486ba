/**
 * Commits do not travel in a packet: it holds what differs from HEAD, not HEAD itself. Where HEAD was not pushed when the packet
 * was sealed, whoever works in another clone has to be told before they need it.
 */
import type { WorkspaceFacts } from './workspace.ts';

export interface Unpushed {
  readonly commit: string;
  readonly reason: 'no-upstream' | 'upstream-gone' | 'ahead';
  /** How many commits; null where nothing says. */
  readonly ahead: number | null;
}

/** By what git knew when it was asked: nobody looked at the other side. */
export function unpushedIn(facts: WorkspaceFacts | undefined): Unpushed | null {
  const { head = null, upstream = null } = facts?.git ?? {};
  if (head === null) return null;
  if (upstream === null) return { commit: head, reason: 'no-upstream', ahead: null };
  if (upstream.ahead === null) return { commit: head, reason: 'upstream-gone', ahead: null };
  return upstream.ahead === 0 ? null : { commit: head, reason: 'ahead', ahead: upstream.ahead };
}

export function unpushedWords({ commit, reason, ahead }: Unpushed): string {
  const why = {
    'no-upstream': 'its branch has no upstream',
    'upstream-gone': 'the upstream of its branch is gone',
    ahead: `it is ${ahead ?? 0} ahead of its upstream`,
  }[reason];
  return `Commit ${commit} may be in that clone only: ${why}. ${fetchWords(commit)}`;
}

/** How a commit gets into another clone. Names of branches are left out: whoever chose them should not write our commands. */
export function fetchWords(commit: string): string {
  return [
    'If it was pushed: git fetch --all.',
    `If not, where it was made: git push origin ${commit}:refs/heads/handoff, then here: git fetch origin handoff.`,
    'Without a remote, there: git bundle create handoff.bundle HEAD; here: git fetch handoff.bundle HEAD.',
  ].join(' ');
}
