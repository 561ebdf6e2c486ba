import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StaffettaError, type ErrorCode } from '../../core/base/error.ts';

/** node:sqlite reports the extended result code as `errcode`; its low byte is the primary code. */
interface NativeError extends Error {
  readonly errcode?: number;
}

const general = 1;
const busy = 5;
const locked = 6;
const readonly = 8;
const io = 10;
const full = 13;
const cannotOpen = 14;

export function isBusyError(error: unknown): boolean {
  const primary = primaryCode(error);
  return primary === busy || primary === locked;
}

function primaryCode(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as NativeError).errcode : undefined;
  return code === undefined ? undefined : code & 0xff;
}

/** Said only to a caller that asked for a change: a reader waits for no acknowledgement. */
const unacknowledged = 'Nothing was acknowledged.';
const failsOnDisk: ReadonlySet<number> = new Set([io, full]);

const known: ReadonlyMap<number, readonly [ErrorCode, string, string]> = new Map([
  [busy, ['store-busy', 'The store is busy: another process has been writing for too long.', 'Try again.']],
  [locked, ['store-busy', 'The store is locked by another connection.', 'Try again.']],
  [
    readonly,
    [
      'store-readonly',
      'The store cannot be written: the file or its folder is read-only.',
      'Give write permission, or choose another store with --store. Inside a sandboxed agent, allow it to write the folder of the store, or run the command outside.',
    ],
  ],
  [io, ['store-io', 'The disk reported an error.', 'Check the disk, then run: staffetta verify']],
  [11, ['corrupt', 'The database file is damaged.', 'Run: staffetta verify. Then restore a backup.']],
  [full, ['store-full', 'The disk is full.', 'Free some space and try again.']],
  [
    cannotOpen,
    [
      'store-io',
      'The store cannot be opened.',
      'Check that the folder exists and may be written. Inside a sandboxed agent, allow it to write the folder of the store, or run the command outside.',
    ],
  ],
  [18, ['too-large', 'The store does not take content of that size.', 'Store it in pieces.']],
  [
    26,
    [
      'corrupt',
      'The file of the store is not a database.',
      'If another file was meant, name it with --store. If this was the store, keep a copy of it as it is, and put a backup back.',
    ],
  ],
]);

/** Where there is no room for the index of its log, SQLite speaks of a disk error. */
const roomBytesMin = 64 * 1024;

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < roomBytesMin;
  } catch {
    return false;
  }
}

/** Whether it failed because the disk is full. */
export function isNoRoom(error: unknown, url: string): boolean {
  return closerCode(primaryCode(error), url) === full;
}

/** As root, or on a disk that is mounted so, only the attempt shows it. */
function isReadonly(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** What SQLite calls by a more general name. */
function closerCode(primary: number | undefined, url: string): number | undefined {
  if (primary === io && isFull(url)) return full;
  return primary === cannotOpen && isReadonly(url) ? readonly : primary;
}

/** What the disk says, in our words. */
export function translate(
  error: unknown,
  url: string,
  { writing = false }: { readonly writing?: boolean } = {},
): unknown {
  if (error instanceof StaffettaError) return error;
  if ((error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE') return damagedRow(error);
  if (primaryCode(error) === general && notOurSchema.test((error as Error).message))
    return damagedSchema(error);
  const primary = closerCode(primaryCode(error), url);
  const words = primary === undefined ? undefined : known.get(primary);
  if (words === undefined) return error;
  const [code, message, todo] = words;
  const hint = writing && failsOnDisk.has(primary ?? 0) ? `${unacknowledged} ${todo}` : todo;
  const details = { store: url, errcode: (error as NativeError).errcode, native: (error as Error).message };
  return new StaffettaError(code, message, { cause: error, hint, details });
}

/** Our statements fit our schema. Where they do not, the part of the file that describes it is damaged. */
const notOurSchema =
  /^(no such (table|column|index)|table \S+ already exists|unsupported file format|malformed)/;

function damagedSchema(cause: unknown): StaffettaError {
  return new StaffettaError('corrupt', 'The database does not have the tables of a store.', {
    cause,
    details: { native: (cause as Error).message },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}

/** A value that we never write: not a number where one belongs, no bytes where bytes belong, text that is not JSON. */
function damagedRow(cause: unknown): StaffettaError {
  return new StaffettaError('corrupt', 'The database holds a row that cannot be read.', {
    cause,
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}

/** Turns a row into what it stands for. SQLite checks the shape of its pages, not what is in them. */
export function decoding<T>(body: () => T): T {
  try {
    return body();
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError)
      throw damagedRow(cause);
    throw cause;
  }
}

/** In a damaged tree a search finds what it did not look for; a caller that pages on from there never arrives. */
export function inOrder<T>(
  rows: readonly T[],
  isNext: (row: T, before: T | undefined) => boolean,
): readonly T[] {
  for (const [i, row] of rows.entries())
    if (!isNext(row, rows[i - 1])) throw damagedRow(new RangeError('rows are out of order'));
  return rows;
}

/** A commit that failed halfway may still be on disk: the caller must look before it asks again. */
export function unknownOutcome(error: unknown, url: string): unknown {
  const primary = primaryCode(error);
  if (primary !== io) return translate(error, url, { writing: true });
  return new StaffettaError(
    'outcome-unknown',
    'The disk failed while the change was being committed; it may or may not be stored.',
    {
      cause: error,
      hint: 'Repeat with the same idempotency key: if the change is there, its first outcome is returned.',
      details: { store: url },
    },
  );
}
