import type { Entry } from '../../core/journal/entry.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { Context } from './context.ts';

/**
 * What was recorded under an idempotency key. The entry says itself which key it was written with: where the store leads to another one,
 * a request would be answered with the outcome of something else, and never be done.
 */
export async function keyedEntry(
  { store }: Pick<Context, 'store'>,
  task: TaskId,
  key: string,
): Promise<Entry | undefined> {
  const found = await store.journal.find(task, key);
  if (found === undefined) return undefined;
  const entry = openEntry(found);
  if (entry.key === key) return entry;
  throw new StaffettaError(
    'corrupt',
    `The idempotency key ${JSON.stringify(key)} leads to entry ${entry.seq} of task ${task}, which was not written with it.`,
    { details: { task, seq: entry.seq }, hint: 'Run: staffetta verify. Then restore a backup.' },
  );
}
