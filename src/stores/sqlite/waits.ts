/**
 * The index of who waits for whom: a row for each need of a task, replaced with each append of it. `over` is kept with the row, and
 * not asked of the need's own, because whoever looks for work asks for those rows every time: there are few or none.
 */
import type { TaskId } from '../../core/journal/id.ts';
import type { Append } from '../../ports/journal.ts';
import type { Connection } from './connection.ts';

/** What a wait is by the status of its need: ?1 that status, or null for a task that is not here. */
const isOver = "CASE ?1 WHEN 'done' THEN watched WHEN 'failed' THEN 1 WHEN 'cancelled' THEN 1 ELSE 0 END";

const ends: ReadonlySet<string | undefined> = new Set(['done', 'failed', 'cancelled']);

/** After the row of the task is written; `before` is the status that it had. */
export function writeWaits(
  connection: Connection,
  { task, waits = [], card: { status } }: Pick<Append, 'task' | 'waits' | 'card'>,
  before: string | undefined,
): void {
  if (before !== undefined || waits.length > 0) replaceWaits(connection, task, waits);
  if (status !== before && (ends.has(status) || ends.has(before))) statusMoved(connection, task, status);
}

function replaceWaits(connection: Connection, task: TaskId, waits: NonNullable<Append['waits']>): void {
  const rows = connection.sql('SELECT need, watched FROM wait WHERE task = ?').all(task);
  if (rows.length === 0 && waits.length === 0) return;
  const wanted = new Map<string, boolean>(waits.map(({ need, watched }) => [need, watched]));
  for (const { need, watched } of rows) {
    // Most needs of a large join stay as they are.
    if (wanted.get(String(need)) === (watched === 1)) wanted.delete(String(need));
    else connection.sql('DELETE FROM wait WHERE need = ? AND task = ?').run(String(need), task);
  }
  for (const [need, watched] of wanted) {
    const row = connection.sql('SELECT status FROM task WHERE id = ?').get(need);
    connection
      .sql(
        `INSERT INTO wait(need, task, watched, over) SELECT ?2, ?3, watched, ${isOver} FROM (SELECT ?4 AS watched)`,
      )
      .run(row === undefined ? null : String(row['status']), need, task, watched ? 1 : 0);
  }
}

function statusMoved(connection: Connection, need: TaskId, status: string | null): void {
  connection.sql(`UPDATE wait SET over = ${isOver} WHERE need = ?2`).run(status, need);
}

/** Of a task that is removed. Whoever still waits for it goes on waiting: what is not here is not over. */
export function dropWaits(connection: Connection, task: TaskId): void {
  connection.sql('DELETE FROM wait WHERE task = ?').run(task);
  statusMoved(connection, task, null);
}
