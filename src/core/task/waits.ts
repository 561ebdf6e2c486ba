import type { TaskId } from '../journal/id.ts';
import type { TaskState } from './state.ts';

/** A need of a blocked task. Whether it is lost matters at once; whether it is done only where it is watched. */
export interface Wait {
  readonly need: TaskId;
  readonly watched: boolean;
}

/** Up to so many needs, each is told when it is done. */
const watchedMax = 16;

/**
 * What stores index of a task that waits. Told of each of its needs, a join of n would write n entries with a state of n needs beside
 * each. So a large one watches a single need, by chance of its head: whatever the order in which they are done, half of the
 * rest is done by then, and it is written to about log n times.
 */
export function waitsOf({
  status,
  unmet,
  head,
}: Pick<TaskState, 'status' | 'unmet' | 'head'>): readonly Wait[] {
  if (status !== 'blocked') return [];
  const chosen = unmet.length > watchedMax ? Number.parseInt(head.slice(-8), 16) % unmet.length : undefined;
  return unmet.map((need, n) => ({ need, watched: chosen === undefined || chosen === n }));
}
