import { digestBytes, digestFromBytes } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type {
  Adoption,
  Append,
  Appended,
  Head,
  JournalStore,
  Lease,
  StoredEntry,
} from '../../ports/journal.ts';
import { packBlobs, type PackedBlob } from '../packing/pack-blob.ts';
import { packText, unpackText } from '../packing/packed.ts';
import { insertBlob } from './blobs.ts';
import type { Connection } from './connection.ts';
import { decoding, inOrder } from './errors.ts';
import { deleteHints, insertHintAt } from './mailbox.ts';
import { dropWaits, writeWaits } from './waits.ts';

/** What an append must know of the task. The snapshot is half a page; it is read only where somebody will look at it. */
interface TaskRow {
  readonly n: number;
  readonly seq: number;
  readonly lease_generation: number | null;
  readonly lease_until: number | null;
  readonly status: string;
  /** Whether it stands in the index of who waits, and whether hints of it are waiting: 0 or 1. */
  readonly waits: number;
  readonly hinted: number;
}

type HeadRow = readonly [
  seq: number,
  digest: Uint8Array,
  lease_generation: number | null,
  lease_until: number | null,
  snapshot: string,
];

type EntryRow = readonly [seq: number, digest: Uint8Array, body: string | Uint8Array];

export function sqliteJournal(connection: Connection): JournalStore {
  return {
    async head(task) {
      return await connection.read(() => headOf(connection, task));
    },
    async append(append) {
      const blobs = await packBlobs(append.blobs ?? []);
      const body = packText(append.body) ?? append.body;
      return await connection.write(() => appendRow(connection, append, { blobs, body }));
    },
    async read(task, from, limit) {
      const rows = await connection.read(
        () =>
          connection
            .list(
              `SELECT seq, digest, body FROM entry
               WHERE task = (SELECT n FROM task WHERE id = ?) AND seq >= ? ORDER BY seq LIMIT ?`,
            )
            .all(task, from, limit) as unknown as EntryRow[],
      );
      return inOrder(rows, ([seq], before) => seq > (before?.[0] ?? from - 1)).map((row) =>
        entryFrom(task, row),
      );
    },
    async find(task, key) {
      const row = await connection.read(
        () =>
          connection
            .list(
              `SELECT e.seq, e.digest, e.body FROM task t
               JOIN entry_key k ON k.task = t.n AND k.key = ?
               JOIN entry e ON e.task = t.n AND e.seq = k.seq WHERE t.id = ?`,
            )
            .get(key, task) as unknown as EntryRow | undefined,
      );
      return row === undefined ? undefined : entryFrom(task, row);
    },
    async keys(task) {
      const rows = await connection.read(() =>
        connection
          .sql(
            'SELECT k.key, k.seq FROM entry_key k JOIN task t ON t.n = k.task WHERE t.id = ? ORDER BY k.seq',
          )
          .all(task),
      );
      return rows.map(({ key, seq }) => ({ key: String(key), seq: Number(seq) }));
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
    async remove(task, seq, at, ifLease) {
      return await connection.write(() => removeRows(connection, { task, seq, at, ifLease }));
    },
    async adopt(adoption) {
      const bodies = adoption.entries.map(({ body }) => packText(body) ?? body);
      return await connection.write(() => adoptRows(connection, adoption, bodies));
    },
  };
}

/** The last position ever given. */
const topPosition =
  'max((SELECT coalesce(max(position), 0) FROM entry), (SELECT coalesce(max(top), 0) FROM removed))';

function taskRow(connection: Connection, task: TaskId): TaskRow | undefined {
  return connection
    .sql(
      `SELECT n, seq, lease_generation, lease_until, status,
         EXISTS (SELECT 1 FROM wait WHERE wait.task = id) AS waits,
         EXISTS (SELECT 1 FROM hint WHERE hint.task = id) AS hinted
       FROM task WHERE id = ?`,
    )
    .get(task) as TaskRow | undefined;
}

function headOf(connection: Connection, task: TaskId): Head | undefined {
  const row = connection
    .list('SELECT seq, digest, lease_generation, lease_until, snapshot FROM task WHERE id = ?')
    .get(task) as unknown as HeadRow | undefined;
  if (row === undefined) return undefined;
  const [seq, digest, generation, until, snapshot] = row;
  return decoding(() => ({
    task,
    seq,
    digest: digestFromBytes(digest),
    // A snapshot that is no text is one that cannot be used: the journal is folded instead.
    snapshot: typeof snapshot === 'string' ? snapshot : '',
    lease: generation === null || until === null ? null : { generation, until },
  }));
}

function appendRow(
  connection: Connection,
  append: Append,
  packed: { readonly blobs: readonly PackedBlob[]; readonly body: string | Uint8Array },
): Appended {
  const row = taskRow(connection, append.task);
  if (!fits(connection, append, row)) return { stored: false, head: headOf(connection, append.task) };
  for (const blob of packed.blobs) insertBlob(connection, blob, append.at);
  const n = row === undefined ? insertTask(connection, append) : updateTask(connection, append, row);
  writeWaits(connection, append, row);
  const position = insertEntry(connection, n, append, packed.body);
  if (append.key !== undefined) insertKey(connection, n, append.key, append.seq);
  if (append.hint !== undefined && row?.hinted !== 0) deleteHints(connection, append.task);
  if (append.hint !== undefined && 'send' in append.hint)
    insertHintAt(connection, append.hint.send, position);
  return { stored: true };
}

/** Compare, before the swap. */
function fits(connection: Connection, { seq, ifLease, key }: Append, row: TaskRow | undefined): boolean {
  if ((row?.seq ?? -1) !== seq - 1) return false;
  if (ifLease !== undefined && !sameLease(row === undefined ? null : leaseOf(row), ifLease)) return false;
  if (key === undefined || row === undefined) return true;
  return connection.sql('SELECT 1 FROM entry_key WHERE task = ? AND key = ?').get(row.n, key) === undefined;
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

const set = `seq = ?1, digest = ?2, lease_generation = ?3, lease_until = ?4,
  lane = ?6, holder = ?7, dead = ?8, card = ?9, snapshot = ?10 WHERE n = ?11`;
/** A status that is set is also written to its index, changed or not; many entries leave it as it is. */
const update = `UPDATE task SET ${set}`;
const updateWithStatus = `UPDATE task SET status = ?5, ${set}`;

function updateTask(connection: Connection, append: Append, row: TaskRow): number {
  const { card } = append;
  const lease = nextLease(append, row);
  connection
    .sql(card.status === row.status ? update : updateWithStatus)
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
  const kept = leaseOf(row);
  if ('clear' in lease || kept === null) return null;
  return { generation: kept.generation, until: Math.max(kept.until, lease.keepUntil) };
}

/** One transaction, however long the journal is: a reader sees all of it or nothing. */
function adoptRows(
  connection: Connection,
  adoption: Adoption,
  bodies: readonly (string | Uint8Array)[],
): Appended {
  const { task, after, entries, snapshot, card, lease } = adoption;
  const head = headOf(connection, task);
  const row = taskRow(connection, task);
  const fits = head?.seq === after?.seq && head?.digest === after?.digest;
  const known = connection.sql('SELECT 1 FROM entry_key WHERE task = ? AND key = ?');
  const taken = entries.some(
    ({ key }) => key !== undefined && row !== undefined && known.get(row.n, key) !== undefined,
  );
  const last = entries.at(-1) ?? head;
  if (!fits || taken || last === undefined) return { stored: false, head };
  const { seq, digest } = last;
  const rest = { task, seq, digest, body: '', at: 0, snapshot, card };
  const append: Append = { ...rest, lease: lease === null ? { clear: true } : { set: lease } };
  const n = row === undefined ? insertTask(connection, append) : updateTask(connection, append, row);
  writeWaits(connection, append, row);
  for (const [i, entry] of entries.entries()) {
    insertEntry(connection, n, entry, bodies[i] ?? entry.body);
    if (entry.key !== undefined) insertKey(connection, n, entry.key, entry.seq);
  }
  deleteHints(connection, task);
  return { stored: true };
}

const insertion = `INSERT INTO entry(position, task, seq, digest, body) VALUES (1 + ${topPosition}, ?, ?, ?, ?)`;

function insertEntry(
  connection: Connection,
  n: number,
  entry: Pick<StoredEntry, 'seq' | 'digest'>,
  body: string | Uint8Array,
): number {
  const { lastInsertRowid } = connection.sql(insertion).run(n, entry.seq, digestBytes(entry.digest), body);
  return Number(lastInsertRowid);
}

function insertKey(connection: Connection, n: number, key: string, seq: number): void {
  connection.sql('INSERT INTO entry_key(task, key, seq) VALUES (?, ?, ?)').run(n, key, seq);
}

interface Removal {
  readonly task: TaskId;
  readonly seq: number;
  readonly at: number;
  readonly ifLease: Lease | null | undefined;
}

function removeRows(connection: Connection, { task, seq, at, ifLease }: Removal): boolean {
  const row = taskRow(connection, task);
  if (row === undefined || row.seq !== seq) return false;
  if (ifLease !== undefined && !sameLease(leaseOf(row), ifLease)) return false;
  const { top } = connection.sql(`SELECT ${topPosition} AS top`).get() as { top: number };
  const { changes } = connection.sql('DELETE FROM entry WHERE task = ?').run(row.n);
  connection.sql('DELETE FROM entry_key WHERE task = ?').run(row.n);
  connection.sql('DELETE FROM task WHERE n = ?').run(row.n);
  dropWaits(connection, task);
  deleteHints(connection, task);
  connection
    .sql('INSERT INTO removed(task, entries, top, at) VALUES (?, ?, ?, ?)')
    .run(task, changes, top, at);
  return true;
}

function leaseOf(row: Pick<TaskRow, 'lease_generation' | 'lease_until'>): Lease | null {
  if (row.lease_generation === null || row.lease_until === null) return null;
  return { generation: row.lease_generation, until: row.lease_until };
}

function sameLease(one: Lease | null, other: Lease | null): boolean {
  return one?.generation === other?.generation && one?.until === other?.until;
}

function entryFrom(task: TaskId, [seq, digest, body]: EntryRow): StoredEntry {
  return decoding(() => ({ task, seq, digest: digestFromBytes(digest), body: entryBody(body) }));
}

export function entryBody(stored: string | Uint8Array): string {
  return typeof stored === 'string' ? stored : unpackText(stored);
}
