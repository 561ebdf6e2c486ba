/** Which row of the queue the keys speak of. There is always one, and it is shown. */

export interface QueueCursor {
  /** Undefined until somebody has moved. */
  readonly task: string | undefined;
  readonly row: number;
}

/** Where its row is gone, the one that took its place. */
export function hereIn(tasks: readonly string[], { task, row }: QueueCursor): string | undefined {
  return task !== undefined && tasks.includes(task) ? task : tasks[Math.min(row, tasks.length - 1)];
}

export function stepped(tasks: readonly string[], here: string | undefined, by: 1 | -1): string | undefined {
  const at = here === undefined ? -1 : tasks.indexOf(here);
  return tasks[Math.min(Math.max(at + by, 0), tasks.length - 1)];
}
