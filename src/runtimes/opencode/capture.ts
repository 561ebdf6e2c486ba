/**
 * Native records of one session. The program keeps rows that it changes in place, and no file that grows; so the stored native
 * form is our own. Each record is one line of JSON:
 *
 *   {"type":"session","id":"ses_…","data":{…}}                      columns of `session` that say what it is (see `factColumns`)
 *   {"type":"message","id":"msg_…","created":1794…,"data":{…}}      a row of `message`
 *   {"type":"part","id":"prt_…","message":"msg_…","data":{…}}       a row of `part`
 *
 * `data` of a message or part is the text of that column, byte for byte. Where that text is no JSON, or holds a line end, it
 * stands as a string under `raw` instead.
 *
 * Order: the session; then every message by time and id, which is the program's own order, each followed by its parts by id.
 *
 * A row that changed since it was captured (a call that was running and is now completed, an answer that ended, a title)
 * is captured again, after what was there: records are an operation log, a later record of an id replaces an earlier one. Reading
 * all of them gives the same transcript as capturing at once, and steps keep their numbers, because the place of a step is
 * that of the first record that made it (read.ts). Where rows vanished (undo followed by a new prompt, a deleted message),
 * or were numbered anew, the session did not only grow: all of it is captured, and `fromStart` says so.
 *
 * The cursor holds, for each of both tables,
 *   rowid   the last row: rows are numbered in the order in which they were inserted, so those above it are new
 *   ids     a digest of the ids up to there: that nothing vanished or was replaced
 *   recent  the rows that changed last, each with time, size and digest: a row that is not among them and has a later
 *           time than the earliest of them has changed. A time alone would not do: two changes fall into one millisecond,
 *           and a change may become visible after one that is a little later.
 * and a digest of the session record.
 */
import { StaffettaError } from '../../core/base/error.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { Omission } from '../../core/transcript/step.ts';
import type { Captured, CapturedEnd, Cursor, SessionPlace } from '../../ports/runtime.ts';
import {
  cursorText,
  lookAtTable,
  parseSessionCursor,
  type CursorState,
  type TableLook,
  type TableState,
} from './cursor.ts';
import { openDatabase, type Database, type NativeQuery, type NativeRow } from './database.ts';
import { parseJson } from './read/schema.ts';

/** A row above this is left out and counted: larger ones have been seen only as broken or hostile data. */
export const recordBytesMax = 32 * 1024 * 1024;

/** Left out of `data`: running totals, permissions, and the address under which a session was published. */
const factColumns = [
  'project_id',
  'parent_id',
  'slug',
  'directory',
  'path',
  'title',
  'version',
  'agent',
  'model',
  'revert',
  'time_created',
] as const;
const jsonColumns: ReadonlySet<string> = new Set(['model', 'revert']);

const messagesPerPage = 32;
const encoder = new TextEncoder();

/** What has to be read: rows above `after`, and rows that changed. */
interface Plan {
  readonly state: CursorState;
  readonly session: Uint8Array | null;
  readonly fromStart: boolean;
  readonly messages: Wanted;
  readonly parts: Wanted;
  /** The first message that has any of them; null where there is none. */
  readonly begin: MessageKey | null;
}
interface Wanted {
  readonly after: number;
  readonly upTo: number;
  readonly changed: ReadonlySet<number>;
}
interface MessageKey {
  readonly created: number;
  readonly id: string;
}

export function captureSession(place: SessionPlace, from?: Cursor): Captured {
  let end: CapturedEnd | null = null;
  async function* records(): AsyncGenerator<Uint8Array> {
    const database = openDatabase(place.path);
    try {
      const plan = database.read((question) => planOf(question, place, from));
      if (plan.session !== null) yield plan.session;
      let oversized = 0;
      for (const record of rowsOf(database, place.id, plan)) {
        if (record === 'oversized') oversized += 1;
        else yield record;
      }
      end = {
        cursor: cursorText(plan.state),
        fromStart: plan.fromStart,
        omissions: omissionsOf(oversized),
      };
    } finally {
      database.close();
    }
  }
  return {
    records: records(),
    end: () => {
      if (end !== null) return end;
      throw new StaffettaError('invalid-input', 'The records of this capture were not read to their end.', {
        hint: 'Read all records first; the cursor is known then.',
      });
    },
  };
}

function omissionsOf(oversized: number): Omission[] {
  if (oversized === 0) return [];
  const why = `Larger than ${recordBytesMax / 1024 / 1024} MB.`;
  return [{ kind: 'oversized-record', count: oversized, why }];
}

function planOf(question: NativeQuery, place: SessionPlace, from: Cursor | undefined): Plan {
  const before = parseSessionCursor(from, place.id);
  const session = sessionRecord(question, place);
  const facts = sha256Hex(session);
  const message = lookAtTable(question, 'message', place.id, before?.message ?? null);
  const part = lookAtTable(question, 'part', place.id, before?.part ?? null);
  const base = before !== null && message.grown && part.grown ? before : null;
  const messages = wantedOf(message, base?.message ?? null);
  const parts = wantedOf(part, base?.part ?? null);
  return {
    state: { session: place.id, facts, message: message.state, part: part.state },
    session: base?.facts === facts ? null : session,
    fromStart: from !== undefined && base === null,
    messages,
    parts,
    begin: base === null ? beforeAll : firstWanted(question, place.id, { messages, parts }),
  };
}

const beforeAll: MessageKey = { created: Number.MIN_SAFE_INTEGER, id: '' };

function wantedOf(look: TableLook, base: TableState | null): Wanted {
  if (base === null) return { after: 0, upTo: look.state.rowid, changed: new Set() };
  return { after: base.rowid, upTo: look.state.rowid, changed: look.changed };
}

/** Null where there is nothing new. */
function firstWanted(
  question: NativeQuery,
  session: string,
  { messages, parts }: Pick<Plan, 'messages' | 'parts'>,
): MessageKey | null {
  const found = [
    ...question.all(
      `SELECT time_created AS created, id FROM message WHERE session_id = ? AND rowid > ?
        ORDER BY time_created, id LIMIT 1`,
      session,
      messages.after,
    ),
    ...question.all(
      `SELECT m.time_created AS created, m.id FROM part p JOIN message m ON m.id = p.message_id
        WHERE p.session_id = ? AND p.rowid > ? ORDER BY m.time_created, m.id LIMIT 1`,
      session,
      parts.after,
    ),
    ...[...messages.changed].flatMap((rowid) =>
      question.all('SELECT time_created AS created, id FROM message WHERE rowid = ?', rowid),
    ),
    ...[...parts.changed].flatMap((rowid) =>
      question.all(
        `SELECT m.time_created AS created, m.id FROM part p JOIN message m ON m.id = p.message_id
          WHERE p.rowid = ?`,
        rowid,
      ),
    ),
  ].map(keyOf);
  return found.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))[0] ?? null;
}

function keyOf(row: NativeRow): MessageKey {
  return { created: Number(row['created']), id: String(row['id']) };
}

function isWanted(wanted: Wanted, rowid: number): boolean {
  return (rowid > wanted.after && rowid <= wanted.upTo) || wanted.changed.has(rowid);
}

/** A page of messages at a time, then one row at a time: no more than one record is held. */
function* rowsOf(database: Database, session: string, plan: Plan): Generator<Uint8Array | 'oversized'> {
  let from = plan.begin;
  let reached: '>=' | '>' = '>=';
  while (from !== null) {
    const { created, id } = from;
    const page = database.read((question) =>
      question.all(
        `SELECT rowid AS at, id, time_created AS created, octet_length(data) AS bytes FROM message
          WHERE session_id = ? AND (time_created, id) ${reached} (?, ?)
          ORDER BY time_created, id LIMIT ${messagesPerPage}`,
        session,
        created,
        id,
      ),
    );
    for (const message of page) yield* messageRows(database, message, plan);
    const last = page.at(-1);
    from = last === undefined || page.length < messagesPerPage ? null : keyOf(last);
    reached = '>';
  }
}

function* messageRows(
  database: Database,
  message: NativeRow,
  plan: Plan,
): Generator<Uint8Array | 'oversized'> {
  const id = String(message['id']);
  if (isWanted(plan.messages, Number(message['at']))) {
    const head = `{"type":"message","id":${JSON.stringify(id)},"created":${Number(message['created'])},`;
    yield* rowRecord(database, 'message', message, head);
  }
  const parts = database.read((question) =>
    question.all(
      'SELECT rowid AS at, id, octet_length(data) AS bytes FROM part WHERE message_id = ? ORDER BY id',
      id,
    ),
  );
  for (const part of parts) {
    if (!isWanted(plan.parts, Number(part['at']))) continue;
    const head = `{"type":"part","id":${JSON.stringify(String(part['id']))},"message":${JSON.stringify(id)},`;
    yield* rowRecord(database, 'part', part, head);
  }
}

/** Nothing where the row is gone by now: the next capture will see that. */
function* rowRecord(
  database: Database,
  table: 'message' | 'part',
  key: NativeRow,
  head: string,
): Generator<Uint8Array | 'oversized'> {
  if (Number(key['bytes']) > recordBytesMax) {
    yield 'oversized';
    return;
  }
  const sql = `SELECT CAST(data AS TEXT) AS data FROM ${table} WHERE id = ? AND octet_length(data) <= ?`;
  const [row] = database.read((question) => question.all(sql, String(key['id']), recordBytesMax));
  const data = row?.['data'];
  if (typeof data === 'string') yield encoder.encode(`${head}${dataField(data)}}`);
}

function dataField(text: string): string {
  const whole = !/[\n\r]/.test(text) && parseJson(text) !== undefined;
  return whole ? `"data":${text}` : `"raw":${JSON.stringify(text)}`;
}

function sessionRecord(question: NativeQuery, place: SessionPlace): Uint8Array {
  const [row] = question.all('SELECT * FROM session WHERE id = ?', place.id);
  if (row === undefined) {
    throw new StaffettaError('unavailable', `opencode has no session ${place.id} in ${place.path}.`, {
      hint: 'List the sessions again: it may have been deleted.',
      details: { session: place.id, path: place.path },
    });
  }
  const data = Object.fromEntries(
    factColumns
      .filter((name) => row[name] !== undefined && row[name] !== null)
      .map((name) => [name, column(row, name)]),
  );
  return encoder.encode(JSON.stringify({ type: 'session', id: place.id, data }));
}

function column(row: NativeRow, name: string): unknown {
  const value = row[name];
  return jsonColumns.has(name) && typeof value === 'string' ? (parseJson(value) ?? value) : value;
}
