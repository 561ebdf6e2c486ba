/** Where the reader is in a diff, and where the keys lead from there. */
import type { Row } from './rows.ts';

export interface Cursor {
  readonly file: number;
  /** -1: at the file's own head. */
  readonly row: number;
}

interface Walkable {
  /** How many files. */
  readonly count: number;
  /** None where a file is folded. */
  readonly rows: (file: number) => readonly Row[];
}

/** The next row that `stops`, or where the reader is already if there is none. */
export function walked(
  { count, rows }: Walkable,
  from: Cursor | undefined,
  by: 1 | -1,
  stops: (rows: readonly Row[], at: number) => boolean,
): Cursor | undefined {
  let { file, row } = from ?? (by === 1 ? { file: 0, row: -1 } : { file: count, row: 0 });
  for (;;) {
    row += by;
    const own = file < count ? rows(file) : [];
    if (row < 0 || row >= own.length) {
      file += by;
      if (file < 0 || file >= count) return from;
      row = by === 1 ? -1 : rows(file).length;
      continue;
    }
    if (stops(own, row)) return { file, row };
  }
}

export function isLine(rows: readonly Row[], at: number): boolean {
  return rows[at]?.kind === 'line';
}

export function nextFile(count: number, from: Cursor | undefined, by: 1 | -1): Cursor | undefined {
  if (count === 0) return undefined;
  if (from === undefined) return { file: by === 1 ? 0 : count - 1, row: -1 };
  // Back from within a file leads to its own head first.
  const file = by === -1 && from.row >= 0 ? from.file : from.file + by;
  return { file: Math.min(Math.max(file, 0), count - 1), row: -1 };
}
