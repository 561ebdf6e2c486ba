/** Several tasks in one folder: which were taken here, and who else is at work. */
import { placeOfWork } from '../compose/workspace.ts';
import { isStaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Context } from '../handoff/record/context.ts';
import { load } from '../handoff/record/load.ts';
import { isSilent } from '../handoff/record/silence.ts';

export interface Beside {
  readonly task: TaskId;
  readonly title: string;
  readonly holder: string;
  readonly leaseUntil: number;
}

/** From now on the task is worked on in this folder, or in the worktree that was made for it. */
export function noteFolder(context: Context, task: TaskId, worktree?: string): void {
  if (worktree === undefined) return context.takenHere?.note(task);
  context.takenHere?.forget(task);
  placeOfWork(worktree, context.store).takenHere?.note(task);
}

/** Other tasks that are held, and were taken here. */
export async function besideIn(context: Context, task: TaskId): Promise<Beside[]> {
  const found: Beside[] = [];
  for (const other of context.takenHere?.others(task) ?? []) {
    try {
      const { state, lease } = await load(context, other);
      if (state.leg === null || lease === null || isSilent(context, { ...state, leaseUntil: lease.until }))
        continue;
      const { title } = state.terms;
      found.push({ task: other, title, holder: state.leg.holder.name, leaseUntil: lease.until });
    } catch (error) {
      // Gone, or damaged: it is not in work.
      if (!isStaffettaError(error)) throw error;
    }
  }
  return found;
}
