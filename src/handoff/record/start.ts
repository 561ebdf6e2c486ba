import { isStaffettaError } from '../../core/base/error.ts';
import type { Command } from '../../core/task/command.ts';
import type { WorkStart } from '../../core/task/start.ts';
import type { WorkspaceFacts } from '../../core/tree/workspace.ts';
import type { Context } from './context.ts';

/**
 * Where the work begins, for the first leg to record: whatever is committed later is held against it. A workspace that cannot be
 * used now is no reason not to take the work; that nobody knows where it began will be told when a packet is sealed.
 */
export async function begun(
  context: Context,
  /** The workspace, if somebody looks at it anyway. */
  seen: Pick<WorkspaceFacts, 'git'> | null = null,
): Promise<{ readonly start?: WorkStart }> {
  if (seen !== null)
    return seen.git === null ? {} : { start: { head: seen.git.head, branch: seen.git.branch } };
  try {
    const start = (await (await context.workspace?.())?.start()) ?? null;
    return start === null ? {} : { start };
  } catch (error) {
    if (isStaffettaError(error)) return {};
    throw error;
  }
}

type First = Extract<Command, { type: 'open' }>['first'];

/** The first step of a new task: an opener that takes it at once begins the work. */
export async function withStart(context: Context, first: First): Promise<First> {
  return first !== null && 'take' in first ? { ...first, ...(await begun(context)) } : first;
}
