/** What killed commands left running. It must not change a workspace in which somebody else begins. */
import { isStaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Orphan } from '../../ports/orphans.ts';
import type { Context } from '../record/context.ts';
import { load } from '../record/load.ts';
import { isSilent } from '../record/silence.ts';

export interface FoundOrphan extends Orphan {
  /** Until when it holds its task; null where it holds nothing, or nothing any more. */
  readonly holdsUntil: number | null;
}

export async function orphans(context: Context): Promise<readonly FoundOrphan[]> {
  const found: FoundOrphan[] = [];
  for (const orphan of context.orphans?.find() ?? [])
    found.push({ ...orphan, holdsUntil: await heldUntil(context, orphan) });
  return found;
}

/**
 * Before a leg starts: a program that works here for a leg that is over is ended. The leg before of the same task is over by what is being
 * recorded.
 */
export async function clearTheWay(context: Context, starting: TaskId): Promise<void> {
  for (const orphan of await orphans(context)) {
    if (context.orphans?.isHere(orphan) !== true) continue;
    if (orphan.holdsUntil === null || orphan.leg?.task === starting) await context.orphans.end(orphan);
  }
}

/** Before a command of a contract runs: one that nobody waits for any more would change what it runs on. */
export async function clearCommands({ orphans: left }: Context): Promise<void> {
  for (const orphan of left?.find() ?? [])
    if (orphan.leg === null && left?.isHere(orphan) === true) await left.end(orphan);
}

async function heldUntil(context: Context, { leg }: Orphan): Promise<number | null> {
  if (leg === null) return null;
  try {
    const { state, lease } = await load(context, leg.task);
    if (state.leg?.generation !== leg.generation || lease === null) return null;
    return isSilent(context, { ...state, leaseUntil: lease.until }) ? null : lease.until;
  } catch (error) {
    // A task that is gone or cannot be read is held by nobody.
    if (isStaffettaError(error, 'unknown-task') || isStaffettaError(error, 'corrupt')) return null;
    throw error;
  }
}
