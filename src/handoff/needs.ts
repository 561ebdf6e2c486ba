import type { TaskId } from '../core/id.ts';
import { systemActor } from '../core/actor.ts';
import { isStaffettaError } from '../core/error.ts';
import type { ListedCard } from '../ports/journal.ts';
import type { Context } from './context.ts';
import { load, pageSize, stateAt, unknownTask } from './load.ts';
import { record } from './record.ts';

/** Which of these tasks are done. A need that does not exist is refused: it could never be met. */
export async function metNeeds(context: Context, needs: readonly TaskId[]): Promise<TaskId[]> {
  const met: TaskId[] = [];
  for (const need of needs) {
    const head = await context.store.journal.head(need);
    if (head === undefined) throw unknownTask(need);
    if ((await stateAt(context, head)).status === 'done') met.push(need);
  }
  return met;
}

/**
 * Tells a blocked task which of its needs are met now. Returns whether anything changed. A task that is over or gone by the
 * time it is looked at, or whose need is gone, is no reason to stop: others wait too.
 */
export async function refreshNeeds(context: Context, task: TaskId, dryRun = false): Promise<boolean> {
  try {
    const { state } = await load(context, task);
    const hopeless = await hopelessNeeds(context, state.unmet);
    if (hopeless.length > 0) return await askAbout(context, task, hopeless, dryRun);
    const needs = await metNeeds(context, state.unmet);
    if (needs.length === 0) return false;
    const recorded = await record(context, {
      task,
      call: { by: systemActor, dryRun },
      request: null,
      prepare: () => ({ command: { type: 'need-met', needs } }),
    });
    return recorded.entry !== null;
  } catch (error) {
    if (isStaffettaError(error, 'unknown-task') || isStaffettaError(error, 'wrong-state')) return false;
    throw error;
  }
}

/** Needs that will never be met: they failed or were cancelled. */
async function hopelessNeeds(context: Context, needs: readonly TaskId[]): Promise<string[]> {
  const hopeless: string[] = [];
  for (const need of needs) {
    const head = await context.store.journal.head(need);
    if (head === undefined) continue;
    const { status } = await stateAt(context, head);
    if (status === 'failed' || status === 'cancelled') hopeless.push(`${need} is ${status}`);
  }
  return hopeless;
}

/** Nothing will free the task by itself: a person has to decide. */
async function askAbout(
  context: Context,
  task: TaskId,
  hopeless: readonly string[],
  dryRun: boolean,
): Promise<boolean> {
  const text = `What it waits for will not come: ${hopeless.join(', ')}.`;
  const recorded = await record(context, {
    task,
    call: { by: systemActor, dryRun },
    request: null,
    prepare: () => ({ command: { type: 'escalate', reason: 'need-failed', text } }),
  });
  return recorded.entry !== null;
}

/** After a task is over: free those that waited for it, or ask a person about them. A crash in between is made good by `recover`. */
export async function freeDependents(context: Context): Promise<void> {
  for await (const card of cardsWith(context, ['blocked'])) {
    context.reached('done:needs-listed');
    await refreshNeeds(context, card.task);
  }
}

export async function* cardsWith(
  context: Context,
  statuses: ListedCard['status'][],
  holder?: string,
): AsyncGenerator<ListedCard> {
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      statuses,
      limit: pageSize,
      ...(holder === undefined ? {} : { holder }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.cards;
    cursor = page.next;
  } while (cursor !== undefined);
}
