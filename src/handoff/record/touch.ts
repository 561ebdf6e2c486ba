import type { TaskId } from '../../core/journal/id.ts';
import { cardOf } from '../../core/task/card.ts';
import { nobodysGeneration, standingHere, touchedAt } from '../../core/task/standing.ts';
import { isFinal } from '../../core/task/state.ts';
import type { Context } from './context.ts';
import { foldedAt, unknownTask } from './load.ts';

/**
 * Says that somebody is about to rely on a task that a sweep might remove. The journal stays as it is; the time goes beside its
 * head, where a sweep looks before it removes and compares while it does. A task that is not over is not swept, and not touched.
 */
export async function touch(context: Context, task: TaskId): Promise<void> {
  for (;;) {
    const head = await context.store.journal.head(task);
    if (head === undefined) throw unknownTask(task);
    const state = await foldedAt(context, head);
    const until = Math.max(context.clock.now(), touchedAt(head.lease) ?? 0);
    const here = standingHere(state, head.lease);
    if (!isFinal(here)) return;
    const { seq, digest, snapshot } = head;
    const { stored } = await context.store.journal.adopt({
      task,
      after: { seq, digest },
      entries: [],
      snapshot,
      card: cardOf(here),
      lease: { generation: nobodysGeneration, until },
    });
    if (stored) return;
  }
}
