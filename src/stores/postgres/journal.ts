import { isStaffettaError } from '../../core/base/error.ts';
import { digestBytes, digestFromBytes, type Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Card } from '../../core/task/card.ts';
import type { Adoption, Append, Appended, Head, JournalStore, StoredEntry } from '../../ports/journal.ts';
import type { BlobStore } from '../../ports/blobs.ts';
import { refuseLargeBlob } from '../../core/journal/blob-faults.ts';
import { packBlobs, type PackedBlob } from '../packing/pack-blob.ts';
import type { PostgresBell } from './bell.ts';
import type { Connection, Row } from './connection.ts';

export interface JournalParts {
  readonly bell: PostgresBell;
  /** Where content lies, if not in the database. */
  readonly far: BlobStore | undefined;
}

export function postgresJournal(
  connection: Connection,
  s: string,
  { bell, far }: JournalParts,
): JournalStore {
  const head = async (task: TaskId): Promise<Head | undefined> => {
    const [row] = await connection.ask(
      `SELECT seq, digest, lease_generation, lease_until, snapshot FROM ${s}.task WHERE id = $1`,
      [task],
    );
    return row && headFrom(task, row);
  };
  const read: JournalStore['read'] = async (task, from, limit) => {
    const rows = await connection.ask(
      `SELECT e.seq, e.digest, e.body FROM ${s}.entry e
       WHERE e.task = (SELECT n FROM ${s}.task WHERE id = $1) AND e.seq >= $2 ORDER BY e.seq LIMIT $3`,
      [task, from, limit],
    );
    return rows.map((row) => entryFrom(task, row));
  };
  const find: JournalStore['find'] = async (task, key) => {
    const [row] = await connection.ask(
      `SELECT e.seq, e.digest, e.body FROM ${s}.task t JOIN ${s}.entry_key k ON k.task = t.n AND k.key = $2
       JOIN ${s}.entry e ON e.task = t.n AND e.seq = k.seq WHERE t.id = $1`,
      [task, key],
    );
    return row && entryFrom(task, row);
  };
  /** Looked for before anything is put into a bucket, so that an append that is refused leaves nothing there, unless it was overtaken. */
  const inTheWay = async ({ task, seq, ifLease, key }: Append): Promise<Appended | undefined> => {
    const there = await head(task);
    const fits =
      (there?.seq ?? -1) === seq - 1 &&
      (ifLease === undefined ||
        (there?.lease?.generation === ifLease.generation && there.lease.until === ifLease.until)) &&
      (key === undefined || (await find(task, key)) === undefined);
    return fits ? undefined : { stored: false, head: there };
  };
  return {
    head,
    read,
    find,
    async append(append) {
      const given = append.blobs ?? [];
      if (far !== undefined && given.length > 0) {
        const found = await inTheWay(append);
        if (found !== undefined) return found;
        given.forEach(refuseLargeBlob);
        await Promise.all(given.map(async (bytes) => await far.put(bytes, append.at)));
      }
      const blobs = far === undefined ? sorted(await packBlobs(given)) : [];
      const values = appendValues(append, blobs);
      const call = `SELECT * FROM ${s}.append_1(${marks(values)})`;
      const appended = await settleAppend(append, {
        attempt: async () => appendedFrom(append.task, await connection.tell(call, values)),
        look: async () => (await read(append.task, append.seq, 1))[0],
      });
      if (appended.stored && append.hint !== undefined && 'send' in append.hint)
        bell.ring(append.hint.send.to);
      return appended;
    },
    async keys(task) {
      const rows = await connection.ask(
        `SELECT k.key, k.seq FROM ${s}.entry_key k JOIN ${s}.task t ON t.n = k.task WHERE t.id = $1 ORDER BY k.seq`,
        [task],
      );
      return rows.map(([key, seq]) => ({ key: String(key), seq: Number(seq) }));
    },
    async renew(task, generation, until) {
      const [row] = await connection.ask(`SELECT ${s}.renew_1($1, $2, $3)`, [task, generation, until]);
      const kept = row?.[0] ?? null;
      return kept === null ? null : Number(kept);
    },
    async remove(task, seq, at, ifLease) {
      const [row] = await connection.tell(`SELECT ${s}.remove_1($1, $2, $3, $4, $5, $6)`, [
        task,
        seq,
        at,
        ifLease !== undefined,
        ifLease?.generation ?? null,
        ifLease?.until ?? null,
      ]);
      return row?.[0] === true;
    },
    async adopt(adoption) {
      const last = adoption.entries.at(-1) ?? adoption.after;
      if (last === null) return { stored: false, head: await head(adoption.task) };
      const values = adoptionValues(adoption, last);
      return appendedFrom(
        adoption.task,
        await connection.tell(`SELECT * FROM ${s}.adopt_1(${marks(values)})`, values),
      );
    },
  };
}

/**
 * An append may be tried again however it ended: it is stored at its place once or not at all. Where an answer was missing, the entry at that
 * place tells whose it is, also where a later answer says that the place was taken.
 */
async function settleAppend(
  { digest }: Append,
  {
    attempt,
    look,
  }: { readonly attempt: () => Promise<Appended>; readonly look: () => Promise<StoredEntry | undefined> },
): Promise<Appended> {
  try {
    return await attempt();
  } catch (error) {
    if (!isStaffettaError(error, 'outcome-unknown')) throw error;
    try {
      if ((await look())?.digest === digest) return { stored: true };
      const second = await attempt();
      return !second.stored && (await look())?.digest === digest ? { stored: true } : second;
    } catch {
      throw error;
    }
  }
}

function marks(values: readonly unknown[]): string {
  return values.map((_, i) => `$${i + 1}`).join(', ');
}

/** Two appends with the same blobs take them in the same order, and each once. */
function sorted(blobs: readonly PackedBlob[]): readonly PackedBlob[] {
  return [...new Map(blobs.map((blob) => [blob.digest, blob])).values()].toSorted((a, b) =>
    a.digest < b.digest ? -1 : 1,
  );
}

function cardValues(card: Card): readonly unknown[] {
  return [card.status, card.lane, card.holder, card.to, card.dead, card.openedAt];
}

function appendValues(append: Append, blobs: readonly PackedBlob[]): readonly unknown[] {
  const { card, lease, ifLease, hint } = append;
  const send = hint !== undefined && 'send' in hint ? hint.send : undefined;
  const kind = 'set' in lease ? 'set' : 'clear' in lease ? 'clear' : 'keep';
  const until = 'set' in lease ? lease.set.until : 'clear' in lease ? null : lease.keepUntil;
  const waits = new Map((append.waits ?? []).map(({ need, watched }) => [need, watched]));
  return [
    append.task,
    append.seq,
    digestBytes(append.digest),
    Buffer.from(append.body),
    append.at,
    Buffer.from(append.snapshot),
    Buffer.from(JSON.stringify(card)),
    ...cardValues(card),
    kind,
    'set' in lease ? lease.set.generation : null,
    until,
    ifLease?.generation ?? null,
    ifLease?.until ?? null,
    append.key ?? null,
    hint === undefined ? null : send === undefined ? 'clear' : 'send',
    send?.to ?? null,
    send?.offer ?? null,
    send?.due ?? null,
    [...waits.keys()],
    [...waits.values()],
    Buffer.concat(blobs.map(({ digest }) => digestBytes(digest))),
    blobs.map(({ codec }) => codec),
    blobs.map(({ bytes }) => bytes),
    blobs.map(({ data }) => data.length),
    Buffer.concat(blobs.map(({ data }) => data)),
  ];
}

function adoptionValues(
  { task, after, entries, snapshot, card, lease }: Adoption,
  last: { readonly seq: number; readonly digest: Digest },
): readonly unknown[] {
  const bodies = entries.map(({ body }) => Buffer.from(body));
  return [
    task,
    after?.seq ?? null,
    after === null ? null : digestBytes(after.digest),
    last.seq,
    digestBytes(last.digest),
    Buffer.from(snapshot),
    Buffer.from(JSON.stringify(card)),
    ...cardValues(card),
    lease?.generation ?? null,
    lease?.until ?? null,
    entries.map(({ seq }) => seq),
    Buffer.concat(entries.map(({ digest }) => digestBytes(digest))),
    entries.map(({ key }) => key ?? null),
    bodies.map(({ length }) => length),
    Buffer.concat(bodies),
  ];
}

function appendedFrom(task: TaskId, rows: readonly Row[]): Appended {
  const [stored, ...head] = rows[0] ?? [];
  if (stored === true) return { stored: true };
  return { stored: false, head: head[0] === null ? undefined : headFrom(task, head) };
}

function headFrom(task: TaskId, [seq, digest, generation, until, snapshot]: Row): Head {
  return {
    task,
    seq: Number(seq),
    digest: digestFromBytes(digest as Uint8Array),
    snapshot: (snapshot as Buffer).toString(),
    lease:
      generation === null || until === null ? null : { generation: Number(generation), until: Number(until) },
  };
}

function entryFrom(task: TaskId, [seq, digest, body]: Row): StoredEntry {
  return {
    task,
    seq: Number(seq),
    digest: digestFromBytes(digest as Uint8Array),
    body: (body as Buffer).toString(),
  };
}
