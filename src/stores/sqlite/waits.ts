/**
 * The index of who waits for whom: a row for each need of a task, replaced with each append of it. Which needs have ended, and leave
 * somebody waiting in vain, stands in a table of its own, because every search for work asks for it. The table has few rows or none: one
 * for a need, and not for each that waits, so that what 10,000 wait for ends as fast as anything else.
 */
import type { TaskId } from '../../core/journal/id.ts';
import type { Append } from '../../ports/journal.ts';
import type { Connection } from './connection.ts';

const ends: ReadonlySet<string | undefined> = new Set(['done', 'failed', 'cancelled']);

/** After the row of the task is written; `before` is how it stood. */
export function writeWaits(
  connection: Connection,
  { task, waits = [], card: { status } }: Pick<Append, 'task' | 'waits' | 'card'>,
  before: { readonly status: string; readonly waits: number } | undefined,
): void {
  if ((before?.waits ?? 0) !== 0 || waits.length > 0) replaceWaits(connection, task, waits);
  if (status !== before?.status && (ends.has(status) || ends.has(before?.status))) settle(connection, task);
}

/** Of a task that is removed. A task that still waits for it goes on waiting: what is not here has not ended. */
export function dropWaits(connection: Connection, task: TaskId): void {
  replaceWaits(connection, task, []);
  settle(connection, task);
}

function replaceWaits(connection: Connection, task: TaskId, waits: NonNullable<Append['waits']>): void {
  const rows = connection.sql('SELECT need, watched FROM wait WHERE task = ?').all(task);
  const wanted = new Map<string, boolean>(waits.map(({ need, watched }) => [need, watched]));
  const changed = new Set<string>();
  for (const row of rows) {
    const need = String(row['need']);
    // Most needs of a large join stay as they are.
    if (wanted.get(need) === (row['watched'] === 1)) {
      wanted.delete(need);
      continue;
    }
    connection.sql('DELETE FROM wait WHERE need = ? AND task = ?').run(need, task);
    changed.add(need);
  }
  for (const [need, watched] of wanted) {
    connection.sql('INSERT INTO wait(need, task, watched) VALUES (?, ?, ?)').run(need, task, watched ? 1 : 0);
    changed.add(need);
  }
  for (const need of changed) settle(connection, need);
}

/** Says of one need whether it has ended and leaves anybody waiting in vain. */
function settle(connection: Connection, need: string): void {
  const status = connection.sql('SELECT status FROM task WHERE id = ?').get(need)?.['status'];
  const lost = status === 'done' ? 0 : 1;
  const isVain =
    ends.has(String(status)) &&
    connection.sql('SELECT 1 FROM wait WHERE need = ? AND watched >= ? LIMIT 1').get(need, 1 - lost) !==
      undefined;
  if (isVain)
    connection
      .sql(
        'INSERT INTO ended(need, lost) VALUES (?, ?) ON CONFLICT(need) DO UPDATE SET lost = excluded.lost WHERE lost <> excluded.lost',
      )
      .run(need, lost);
  else connection.sql('DELETE FROM ended WHERE need = ?').run(need);
}
