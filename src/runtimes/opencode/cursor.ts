/** How far a session was captured, and what changed since; what it holds and why is told in capture.ts. */
import { createHash } from 'node:crypto';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type { Cursor } from '../../ports/runtime.ts';
import type { NativeQuery, NativeRow } from './database.ts';
import { field, listOf, numberOf, objectOf, parseJson, textOf } from './read/schema.ts';
import type { Json, JsonObject } from '../../core/transcript/step.ts';

export interface CursorState {
  readonly session: string;
  readonly facts: string;
  readonly message: TableState;
  readonly part: TableState;
}
export interface TableState {
  readonly rowid: number;
  readonly ids: string;
  readonly recent: readonly Touch[];
}
/** A row, when it changed last, and its size and the beginning of its digest then. */
type Touch = readonly [rowid: number, updated: number, bytes: number, digest: string];
type Bare = readonly [rowid: number, updated: number, bytes: number];

const recentMax = 32;
/** Larger ones go by their size. */
const digestBytesMax = 256 * 1024;

export interface TableLook {
  readonly state: TableState;
  /** All rows that were there are there. */
  readonly grown: boolean;
  /** Rows that were there and are no more as they were. */
  readonly changed: ReadonlySet<number>;
}

/** One pass over the keys of a session's rows; their text is not read. */
export function lookAtTable(
  question: NativeQuery,
  table: 'message' | 'part',
  session: string,
  known: TableState | null,
): TableLook {
  const hash = createHash('sha256');
  const changedSince = changesFrom(known);
  const changed = new Set<number>();
  const recent: Bare[] = [];
  let last = 0;
  let before: string | null = null;
  const rows = question.each(
    `SELECT rowid AS at, CAST(id AS TEXT) AS id, CAST(time_updated AS INTEGER) AS updated, octet_length(data) AS bytes
       FROM ${table} WHERE session_id = ? ORDER BY rowid`,
    session,
  );
  for (const row of rows) {
    const touch: Bare = [number(row, 'at'), number(row, 'updated'), number(row, 'bytes')];
    last = touch[0];
    if (known !== null && before === null && last > known.rowid) before = hash.copy().digest('hex');
    if (known !== null && last <= known.rowid && changedSince(touch)) changed.add(last);
    hash.update(`${String(row['id'])}\n`);
    keepRecent(recent, touch);
  }
  const ids = hash.digest('hex');
  const digest = (touch: Bare): string => digestOf(question, table, touch);
  for (const [rowid, updated, bytes, was] of known?.recent ?? []) {
    if (digest([rowid, updated, bytes]) !== was) changed.add(rowid);
  }
  const touched = recent.map((touch): Touch => [...touch, digest(touch)]);
  return {
    state: { rowid: last, ids, recent: touched.sort((a, b) => a[0] - b[0]) },
    grown: known !== null && (before ?? ids) === known.ids,
    changed,
  };
}

function number(row: NativeRow, name: string): number {
  const value = row[name];
  return typeof value === 'number' ? value : 0;
}

/** A row can change twice within a millisecond and keep its size. */
function digestOf(question: NativeQuery, table: string, [rowid, , bytes]: Bare): string {
  if (bytes > digestBytesMax) return '';
  const sql = `SELECT CAST(data AS TEXT) AS data FROM ${table} WHERE rowid = ? AND octet_length(data) <= ?`;
  const data = question.all(sql, rowid, digestBytesMax)[0]?.['data'];
  return typeof data === 'string' ? sha256Hex(data).slice(0, 16) : '';
}

function changesFrom(known: TableState | null): (touch: Bare) => boolean {
  const seen = new Map(known?.recent.map((touch) => [touch[0], touch] as const));
  const floor =
    seen.size < recentMax ? -Infinity : Math.min(...[...seen.values()].map(([, updated]) => updated));
  return ([rowid, updated, bytes]) => {
    const was = seen.get(rowid);
    return was === undefined ? updated > floor : was[1] !== updated || was[2] !== bytes;
  };
}

/** The list is short, so the earliest is looked for each time. */
function keepRecent(recent: Bare[], touch: Bare): void {
  if (recent.length < recentMax) {
    recent.push(touch);
    return;
  }
  let earliest = 0;
  for (let i = 1; i < recent.length; i += 1) {
    if ((recent[i]?.[1] ?? 0) < (recent[earliest]?.[1] ?? 0)) earliest = i;
  }
  if (touch[1] >= (recent[earliest]?.[1] ?? 0)) recent[earliest] = touch;
}

export function cursorText(state: CursorState): Cursor {
  return JSON.stringify({ v: 1, ...state });
}

/** Null for a cursor that is none of ours, or of another session: everything is captured then. */
export function parseSessionCursor(cursor: Cursor | undefined, session: string): CursorState | null {
  const value = cursor === undefined ? null : objectOf(parseJson(cursor));
  if (field(value, 'v') !== 1 || field(value, 'session') !== session) return null;
  const facts = textOf(field(value, 'facts'));
  const message = tableOf(objectOf(field(value, 'message')));
  const part = tableOf(objectOf(field(value, 'part')));
  return facts === null || message === null || part === null ? null : { session, facts, message, part };
}

function tableOf(value: JsonObject | null): TableState | null {
  const rowid = numberOf(field(value, 'rowid'));
  const ids = textOf(field(value, 'ids'));
  const recent = listOf(field(value, 'recent')).map(touchOf);
  if (rowid === null || ids === null || recent.length > recentMax) return null;
  const whole = recent.filter((touch) => touch !== null);
  return whole.length === recent.length ? { rowid, ids, recent: whole } : null;
}

function touchOf(value: Json): Touch | null {
  const [rowid = null, updated = null, bytes = null] = listOf(value).map(numberOf);
  const digest = textOf(listOf(value)[3]);
  if (rowid === null || updated === null || bytes === null || digest === null) return null;
  return [rowid, updated, bytes, digest];
}
