import type { TaskId } from '../core/id.ts';
import { systemActor } from '../core/actor.ts';
import type { ListedCard } from '../ports/journal.ts';
import type { Context } from './context.ts';
import { sendHint } from './hints.ts';
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

/** Tells a blocked task which of its needs are met now. Returns whether anything changed. */
export async function refreshNeeds(context: Context, task: TaskId): Promise<boolean> {
  const { state } = await load(context, task);
  const needs = await metNeeds(context, state.unmet);
  if (needs.length === 0) return false;
  const recorded = await record(context, {
    task,
    call: { by: systemActor },
    request: null,
    prepare: () => ({ command: { type: 'need-met', needs } }),
  });
  await sendHint(context, recorded.state);
  return recorded.entry !== null;
}

/** After a task is done: free those that waited for it. A crash in between is made good by `recover`. */
export async function freeDependents(context: Context): Promise<void> {
  for await (const card of cardsWith(context, ['blocked'])) {
    context.reached('done:needs-listed');
    await refreshNeeds(context, card.task);
  }
}

export async function* cardsWith(
  context: Context,
  statuses: ListedCard['status'][],
): AsyncGenerator<ListedCard> {
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      statuses,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.cards;
    cursor = page.next;
  } while (cursor !== undefined);
}
