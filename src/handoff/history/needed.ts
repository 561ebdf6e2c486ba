/** The graph behind a task: what it needed, what that needed, and so on to the first. */
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import { findState } from '../record/load.ts';
import { lineage } from './lineage.ts';

export interface Needed {
  /** Each once, after all that it needed itself; the task itself is last. */
  readonly order: readonly TaskId[];
  /** Named as needs, and not in this store: a task that was imported comes without them. */
  readonly missing: readonly TaskId[];
}

/** By a list of what is left to do and not by recursion: a plan may be one chain of thousands. */
export async function neededBy(context: Context, task: TaskId): Promise<Needed> {
  const order: TaskId[] = [];
  const missing: TaskId[] = [];
  const seen = new Set<TaskId>([task]);
  const left: { readonly task: TaskId; readonly needs: TaskId[] }[] = [
    { task, needs: await needsOf(context, task) },
  ];
  for (let at = left.at(-1); at !== undefined; at = left.at(-1)) {
    const need = at.needs.shift();
    if (need === undefined) {
      order.push(at.task);
      left.pop();
    } else if (!seen.has(need)) {
      seen.add(need);
      if ((await findState(context, need)) === undefined) missing.push(need);
      else left.push({ task: need, needs: await needsOf(context, need) });
    }
  }
  return { order, missing };
}

/** What a fork goes on from had needs too. */
async function needsOf(context: Context, task: TaskId): Promise<TaskId[]> {
  const needs: TaskId[] = [];
  for (const stretch of await lineage(context, task))
    needs.push(...((await findState(context, stretch.task))?.terms.needs ?? []));
  return needs;
}
