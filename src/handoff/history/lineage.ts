import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { load } from '../record/load.ts';

/** A journal up to one of its entries. */
export type Stretch = Pick<TaskState, 'task' | 'seq' | 'head'>;

/**
 * The journals that make up the history of a task, in order: those it was forked from, each up to the entry it was forked at,
 * and its own. Memory holds one stretch a fork, however long they are.
 */
export async function lineage(context: Context, task: TaskId): Promise<readonly Stretch[]> {
  return await lineageOf(context, (await load(context, task)).state);
}

type Forked = Stretch & Pick<TaskState, 'fork'>;

/** The same of a task that was read. */
export async function lineageOf(context: Context, state: Forked): Promise<readonly Stretch[]> {
  const { task, seq, head } = state;
  const stretches: Stretch[] = [{ task, seq, head }];
  const seen = new Set([task]);
  let at = state;
  while (at.fork !== undefined) {
    const { task: origin, digest } = at.fork;
    stretches.push({ task: origin, seq: at.fork.seq, head: digest });
    if (seen.has(origin)) throw lost(at.task, origin, 'goes on from itself');
    seen.add(origin);
    at = await origins(context, at.task, origin);
  }
  return stretches.toReversed();
}

async function origins(context: Context, task: TaskId, origin: TaskId): Promise<TaskState> {
  try {
    return (await load(context, origin)).state;
  } catch (error) {
    if (!isStaffettaError(error, 'unknown-task')) throw error;
    throw lost(task, origin, 'was forked from a task that the store has lost');
  }
}

function lost(task: TaskId, origin: TaskId, fault: string): StaffettaError {
  return new StaffettaError('corrupt', `Task ${task} ${fault}: ${origin}.`, {
    details: { task, origin },
    hint: 'Run: staffetta verify. Then import the task it was forked from, or restore a backup.',
  });
}
