import { digestBytes, digestFromBytes } from '../../core/digest.ts';
import type { TaskId } from '../../core/id.ts';
import type { Append, Appended, Head, JournalStore, Lease, StoredEntry } from '../../ports/journal.ts';
import { insertBlob, packBlob, type PackedBlob } from './blobs.ts';
import type { Connection } from './connection.ts';

interface TaskRow {
  readonly n: number;
  readonly seq: number;
  readonly digest: Uint8Array;
  readonly lease_generation: number | null;
  readonly lease_until: number | null;
  readonly snapshot: string;
}

interface EntryRow {
  readonly seq: number;
  readonly digest: Uint8Array;
  readonly body: string;
}

export function sqliteJournal(connection: Connection): JournalStore {
  const taskRow = (task: TaskId): TaskRow | undefined =>
    connection
      .sql('SELECT n, seq, digest, lease_generation, lease_until, snapshot FROM task WHERE id = ?')
      .get(task) as TaskRow | undefined;

  return {
    async head(task) {
      const row = await connection.read(() => taskRow(task));
      return row === undefined ? undefined : headFrom(task, row);
    },
    async append(append) {
      const blobs = (append.blobs ?? []).map(packBlob);
      return await connection.write(() => appendRow(connection, append, blobs, taskRow(append.task)));
    },
    async read(task, from, limit) {
      const rows = await connection.read(
        () =>
          connection
            .sql(
              `SELECT seq, digest, body FROM entry
               WHERE task = (SELECT n FROM task WHERE id = ?) AND seq >= ? ORDER BY seq LIMIT ?`,
            )
            .all(task, from, limit) as unknown as EntryRow[],
      );
      return rows.map((row) => entryFrom(task, row));
    },
    async find(task, key) {
      const row = await connection.read(
        () =>
          connection
            .sql(
              `SELECT e.seq, e.digest, e.body FROM task t
               JOIN entry_key k ON k.task = t.n AND k.key = ?
               JOIN entry e ON e.task = t.n AND e.seq = k.seq WHERE t.id = ?`,
            )
            .get(key, task) as unknown as EntryRow | undefined,
      );
      return row === undefined ? undefined : entryFrom(task, row);
    },
    async renew(task, generation, until) {
      const row = await connection.write(
        () =>
          connection
            .sql(
              `UPDATE task SET lease_until = max(lease_until, ?) WHERE id = ? AND lease_generation = ?
               RETURNING lease_until`,
            )
            .get(until, task, generation) as { lease_until: number } | undefined,
      );
      return row?.lease_until ?? null;
    },
    async remove(task, seq) {
      return await connection.write(() => removeRows(connection, task, seq, taskRow(task)));
    },
  };
}

function appendRow(
  connection: Connection,
  append: Append,
  blobs: readonly PackedBlob[],
  row: TaskRow | undefined,
): Appended {
  const head = row === undefined ? undefined : headFrom(append.task, row);
  if ((head?.seq ?? -1) !== append.seq - 1 || !leaseFits(append.ifLease, head))
    return { stored: false, head };
  if (append.key !== undefined && row !== undefined) {
    const taken = connection.sql('SELECT 1 FROM entry_key WHERE task = ? AND key = ?').get(row.n, append.key);
    if (taken !== undefined) return { stored: false, head };
  }
  for (const blob of blobs) insertBlob(connection, blob, append.at);
  const n = row === undefined ? insertTask(connection, append) : updateTask(connection, append, row);
  connection
    .sql('INSERT INTO entry(task, seq, digest, body) VALUES (?, ?, ?, ?)')
    .run(n, append.seq, digestBytes(append.digest), append.body);
  if (append.key !== undefined) {
    connection.sql('INSERT INTO entry_key(task, key, seq) VALUES (?, ?, ?)').run(n, append.key, append.seq);
  }
  return { stored: true };
}

function leaseFits(wanted: Lease | undefined, head: Head | undefined): boolean {
  if (wanted === undefined) return true;
  return head?.lease?.generation === wanted.generation && head.lease.until === wanted.until;
}

function insertTask(connection: Connection, append: Append): number {
  const lease = 'set' in append.lease ? append.lease.set : null;
  const { card } = append;
  const { lastInsertRowid } = connection
    .sql(
      `INSERT INTO task(id, seq, digest, lease_generation, lease_until, status, lane, holder, dead, opened_at, card, snapshot)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      append.task,
      append.seq,
      digestBytes(append.digest),
      lease?.generation ?? null,
      lease?.until ?? null,
      card.status,
      card.lane,
      card.holder,
      card.dead ? 1 : 0,
      card.openedAt,
      JSON.stringify(card),
      append.snapshot,
    );
  return Number(lastInsertRowid);
}

function updateTask(connection: Connection, append: Append, row: TaskRow): number {
  const { card } = append;
  const lease = nextLease(append, row);
  connection
    .sql(
      `UPDATE task SET seq = ?, digest = ?, lease_generation = ?, lease_until = ?,
         status = ?, lane = ?, holder = ?, dead = ?, card = ?, snapshot = ? WHERE n = ?`,
    )
    .run(
      append.seq,
      digestBytes(append.digest),
      lease?.generation ?? null,
      lease?.until ?? null,
      card.status,
      card.lane,
      card.holder,
      card.dead ? 1 : 0,
      JSON.stringify(card),
      append.snapshot,
      row.n,
    );
  return row.n;
}

function nextLease({ lease }: Append, row: TaskRow): Lease | null {
  if ('set' in lease) return lease.set;
  if ('clear' in lease || row.lease_generation === null || row.lease_until === null) return null;
  return { generation: row.lease_generation, until: Math.max(row.lease_until, lease.keepUntil) };
}

function removeRows(connection: Connection, task: TaskId, seq: number, row: TaskRow | undefined): boolean {
  if (row === undefined || row.seq !== seq) return false;
  const { changes } = connection.sql('DELETE FROM entry WHERE task = ?').run(row.n);
  connection.sql('DELETE FROM entry_key WHERE task = ?').run(row.n);
  connection.sql('DELETE FROM task WHERE n = ?').run(row.n);
  connection.sql('DELETE FROM hint WHERE task = ?').run(task);
  connection.sql('INSERT INTO removed(task, entries, at) VALUES (?, ?, ?)').run(task, changes, Date.now());
  return true;
}

function headFrom(task: TaskId, row: TaskRow): Head {
  const lease =
    row.lease_generation === null || row.lease_until === null
      ? null
      : { generation: row.lease_generation, until: row.lease_until };
  return { task, seq: row.seq, digest: digestFromBytes(row.digest), snapshot: row.snapshot, lease };
}

function entryFrom(task: TaskId, row: EntryRow): StoredEntry {
  return { task, seq: row.seq, digest: digestFromBytes(row.digest), body: row.body };
}
