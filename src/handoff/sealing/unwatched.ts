/** What git ignores is in no digest. Where it was changed when it should not have been, that is at least on record. */
import { isStaffettaError } from '../../core/base/error.ts';
import { legBegan } from '../../core/task/lease.ts';
import type { Occasion } from '../../core/gate/subject.ts';
import type { TaskState } from '../../core/task/state.ts';
import { afterProof, duringReview, unwatchedLoss, unwatchedNames } from '../../core/tree/unwatched-words.ts';
import type { WorkspaceFacts } from '../../core/tree/workspace.ts';
import type { Context } from '../record/context.ts';

export interface Seen {
  readonly loss?: { readonly what: string; readonly why: string };
  /** Of an audit leg: files that were changed and newly hidden from git. */
  readonly hidden: readonly string[];
}

const nothing: Seen = { hidden: [] };

/** What a packet says of it, with a state whose runs are bound to the workspace of the packet. */
export async function unwatchedFor(
  context: Context,
  { state, occasion }: { readonly state: TaskState; readonly occasion: Occasion },
  facts: WorkspaceFacts | undefined,
): Promise<Seen> {
  if (facts === undefined || facts.kind !== 'git') return nothing;
  if (state.leg?.lane === 'audit') return await duringLeg(context, legBegan(state.leg));
  const proven = provenAt(state, facts);
  if (proven === null || occasion === 'checkpoint') return nothing;
  const names = await changedSince(context, proven);
  return names === '' ? nothing : { loss: { what: unwatchedLoss, why: afterProof(names) }, hidden: [] };
}

/** What an audit leg changed where git does not look. */
export async function duringLeg(context: Context, since: number): Promise<Seen> {
  try {
    const seen = await (await context.workspace?.())?.unwatched(since);
    if (seen === undefined) return nothing;
    const names = unwatchedNames(seen);
    const loss = names === '' ? {} : { loss: { what: unwatchedLoss, why: duringReview(names) } };
    return { ...loss, hidden: seen.hidden };
  } catch (error) {
    if (isStaffettaError(error)) return nothing;
    throw error;
  }
}

/** Outside of folders that are ignored as a whole: those are written by every build and every test. */
export async function changedSince(context: Context, since: number): Promise<string> {
  try {
    const seen = await (await context.workspace?.())?.unwatched(since, { folders: true });
    return seen === undefined
      ? ''
      : unwatchedNames({ ...seen, changed: seen.changed.filter((path) => !path.endsWith('/')) });
  } catch (error) {
    if (isStaffettaError(error)) return '';
    throw error;
  }
}

/** When the last of the runs passed that speak for the workspace; null where none does. */
export function provenAt(
  { runs }: Pick<TaskState, 'runs'>,
  { digest }: Pick<WorkspaceFacts, 'digest'>,
): number | null {
  const times = runs.flatMap(({ passed }) => (passed?.workspace === digest ? [passed.at] : []));
  return times.length === 0 ? null : Math.max(...times);
}
