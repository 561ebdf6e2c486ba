/**
 * The records of a session worth keeping, byte for byte, from a cursor on. A cursor is `codex:2:<offset>:<CRC-32 of all before it>`:
 * where the sum does not hold, the file did not only grow, and everything is given again.
 *
 * A fork's file begins where it was forked: what came before is in the file of its origin, up to an ordinal. It is given first.
 * World states are left out: they repeat the context that stands beside them as messages.
 */
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { recordCut } from '../../core/transcript/not-told.ts';
import type { Captured, CapturedEnd, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { findRollout } from './find.ts';
import { Lines } from './read/lines.ts';
import { isThreadId, numberIn, parseRecord, textIn } from './read/schema.ts';
import { Losses } from './read/steps.ts';

/** Forks of forks; a ring of them ends here. */
const ancestorsMax = 32;
const headBytes = 256;

export async function capture(home: string, place: SessionPlace, from?: Cursor): Promise<Captured> {
  mustOpen(place.path).close();
  let end: CapturedEnd | null = null;
  return await Promise.resolve({
    records: records(home, place.path, {
      from,
      done: (reached) => {
        end = reached;
      },
    }),
    end: () => {
      if (end !== null) return end;
      throw new StaffettaError('invalid-input', 'The end of a capture is known once all records were read.', {
        hint: 'Read the records to their end first.',
      });
    },
  });
}

interface Course {
  readonly from: Cursor | undefined;
  readonly done: (end: CapturedEnd) => void;
}

async function* records(home: string, path: string, { from, done }: Course): AsyncGenerator<Uint8Array> {
  const losses = new Losses();
  let lines = mustOpen(path);
  try {
    const cursor = parseCursor(from);
    const grew = cursor !== null && (await lines.skipTo(cursor.offset)) && lines.checksum() === cursor.sum;
    if (!grew && lines.offset > 0) {
      lines.close();
      lines = mustOpen(path);
    }
    let first = !grew;
    for await (const record of lines.read()) {
      if (first) yield* origin(home, record, losses);
      first = false;
      if (isLeftOut(record)) losses.add('world-state', 'it repeats the context that is kept as messages');
      else yield record;
    }
    refuse(lines, losses);
    if (lines.isCut) losses.add(recordCut.kind, recordCut.why);
    done({
      cursor: `codex:2:${lines.offset}:${lines.checksum()}`,
      fromStart: from !== undefined && !grew,
      omissions: losses.list(),
    });
  } finally {
    lines.close();
  }
}

interface Cut {
  readonly id: string;
  /** Only records before this ordinal are part of the fork. */
  readonly before: number;
}

/** What a fork has from the sessions it was forked from, the oldest first. */
async function* origin(home: string, first: Uint8Array, losses: Losses): AsyncGenerator<Uint8Array> {
  const chain: { readonly path: string; readonly before: number }[] = [];
  let cut = cutIn(first, Number.POSITIVE_INFINITY);
  while (cut !== null && chain.length < ancestorsMax) {
    const path = findRollout(home, cut.id);
    const head = path === null ? null : await firstLine(path);
    if (path === null || head === null) {
      losses.add('forked-history', `the session ${cut.id} that it was forked from cannot be read`);
      break;
    }
    chain.push({ path, before: cut.before });
    cut = cutIn(head, cut.before);
  }
  for (const { path, before } of chain.toReversed()) yield* recordsBefore(path, before, losses);
}

function cutIn(line: Uint8Array, limit: number): Cut | null {
  const record = parseRecord(line);
  if (record?.type !== 'session_meta') return null;
  const id = textIn(record.payload, 'forked_from_id');
  const before = numberIn(record.payload, 'forked_from_ordinal_exclusive');
  if (id === null || before === null || !isThreadId(id)) return null;
  return { id, before: Math.min(before, limit) };
}

async function firstLine(path: string): Promise<Uint8Array | null> {
  const lines = opened(path);
  if (lines === null) return null;
  try {
    for await (const line of lines.read()) return line;
    return null;
  } finally {
    lines.close();
  }
}

async function* recordsBefore(path: string, before: number, losses: Losses): AsyncGenerator<Uint8Array> {
  const lines = opened(path);
  if (lines === null) return;
  try {
    for await (const record of lines.read()) {
      if ((parseRecord(record)?.ordinal ?? -1) >= before) break;
      if (isLeftOut(record)) losses.add('world-state', 'it repeats the context that is kept as messages');
      else yield record;
    }
    refuse(lines, losses);
  } finally {
    lines.close();
  }
}

function refuse(lines: Lines, losses: Losses): void {
  if (lines.refused > 0) losses.add('record-too-large', 'a record has at most 16 MiB', lines.refused);
}

/** The type stands before the payload, so that a few bytes tell; a quote within a text would have a backslash before it. */
function isLeftOut(record: Uint8Array): boolean {
  const head = Buffer.from(record.buffer, record.byteOffset, Math.min(record.length, headBytes)).toString(
    'latin1',
  );
  return /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"world_state",/.test(head);
}

function opened(path: string): Lines | null {
  try {
    return new Lines(path);
  } catch {
    return null;
  }
}

function mustOpen(path: string): Lines {
  try {
    return new Lines(path);
  } catch (error) {
    if (isStaffettaError(error)) throw error;
    throw new StaffettaError('invalid-input', `The session at ${path} cannot be opened.`, {
      hint: 'List the sessions again: it may have been moved or removed.',
      cause: error,
    });
  }
}

function parseCursor(cursor: Cursor | undefined): { readonly offset: number; readonly sum: string } | null {
  const found = /^codex:2:(\d{1,15}):([0-9a-f]{8})$/.exec(cursor ?? '');
  return found === null ? null : { offset: Number(found[1]), sum: found[2] ?? '' };
}
