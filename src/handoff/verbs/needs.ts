import { defined } from '../../core/base/defined.ts';
import type { LostNeed } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { systemActor } from '../../core/task/actor.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { passingCards, passingOver, type PassedOver } from '../record/damage.ts';
import { load, pageSize, stateAt, unknownTask } from '../record/load.ts';
import { record } from '../record/record.ts';

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

/** What became of a task that waited: freed, or put before a person because what it waits for will not come. */
export type Refreshed = 'freed' | 'escalated';

/**
 * Tells a blocked task which of its needs are met now. Returns what changed, if anything did. A task that is over or gone by the
 * time it is looked at, or whose need is gone, is no reason to stop: others wait too.
 */
export async function refreshNeeds(
  context: Context,
  task: TaskId,
  dryRun = false,
): Promise<Refreshed | undefined> {
  try {
    const { state } = await load(context, task);
    const lost = await lostNeeds(context, state.unmet);
    if (lost.length > 0) return await askAbout(context, task, lost, dryRun);
    const needs = await metNeeds(context, state.unmet);
    if (needs.length === 0) return undefined;
    const recorded = await record(context, {
      task,
      call: { by: systemActor, dryRun },
      request: null,
      prepare: () => ({ command: { type: 'need-met', needs } }),
    });
    return recorded.entry === null ? undefined : 'freed';
  } catch (error) {
    if (isStaffettaError(error, 'unknown-task') || isStaffettaError(error, 'wrong-state')) return undefined;
    throw error;
  }
}

/** Needs that will never be met: they failed or were cancelled. */
export async function lostNeeds(context: Context, needs: readonly TaskId[] = []): Promise<LostNeed[]> {
  const lost: LostNeed[] = [];
  for (const need of needs) {
    const head = await context.store.journal.head(need);
    if (head === undefined) continue;
    const { status } = await stateAt(context, head);
    if (status === 'failed' || status === 'cancelled') lost.push({ need, status });
  }
  return lost;
}

/** Whoever names such a need now would make a task that nobody can ever take. */
export async function refuseLostNeeds(context: Context, needs: readonly TaskId[]): Promise<void> {
  const [lost] = await lostNeeds(context, needs);
  if (lost === undefined) return;
  throw new StaffettaError('needs-unmet', `No task can wait for ${lost.need}: it is ${lost.status}.`, {
    details: { unmet: [lost.need], lost: [lost] },
    hint: 'Leave it out of the needs, or name a task that can still be done.',
  });
}

/** Nothing will free the task by itself: a person has to decide. */
async function askAbout(
  context: Context,
  task: TaskId,
  lost: readonly LostNeed[],
  dryRun: boolean,
): Promise<Refreshed | undefined> {
  const recorded = await record(context, {
    task,
    call: { by: systemActor, dryRun },
    request: null,
    prepare: (state) => {
      // Amended meanwhile, or in somebody's hands: then it does not wait, or not for these.
      const waits = state?.status === 'blocked' ? lost.filter(({ need }) => state.unmet.includes(need)) : [];
      if (waits.length === 0) return { command: { type: 'need-met', needs: [] } };
      const text = `What it waits for will not come: ${waits.map(({ need, status }) => `${need} is ${status}`).join(', ')}.`;
      return { command: { type: 'escalate', reason: 'need-failed', text } };
    },
  });
  return recorded.entry === null ? undefined : 'escalated';
}

/**
 * After a task is over: free those that waited for it, or ask a person about them. A crash in between is made good by `recover`,
 * which also names those that are damaged.
 */
export async function freeDependents(context: Context): Promise<void> {
  for await (const { task } of cardsWith(context, ['blocked'])) {
    context.reached('done:needs-listed');
    await passingOver(new Map(), task, async () => await refreshNeeds(context, task));
  }
}

export async function* cardsWith(
  context: Context,
  statuses: ListedCard['status'][],
  { holder, passed }: { readonly holder?: string; readonly passed?: PassedOver | undefined } = {},
): AsyncGenerator<ListedCard> {
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      statuses,
      limit: pageSize,
      ...defined({ holder }),
      ...passingCards(passed),
      ...defined({ cursor }),
    });
    yield* page.cards;
    cursor = page.next;
  } while (cursor !== undefined);
}
