/** A file's hunks as rows of a table, one below the other or side by side, and the rows in pieces that are drawn when they come near. */
import type { FileDiff, Hunk, DiffLine } from '../../../src/core/diff/parse.ts';

export type Row =
  | { readonly kind: 'hunk'; readonly hunk: Hunk }
  | { readonly kind: 'line'; readonly old: DiffLine | undefined; readonly new: DiffLine | undefined }
  | { readonly kind: 'cut' };

export type Side = 'old' | 'new';

export function rowsOf({ hunks }: Pick<FileDiff, 'hunks'>, split: boolean): readonly Row[] {
  return hunks.flatMap((hunk) => [
    { kind: 'hunk', hunk } as const,
    ...(split ? besideEachOther(hunk.lines) : hunk.lines.map(alone)),
    ...(hunk.cut ? [{ kind: 'cut' } as const] : []),
  ]);
}

function alone(line: DiffLine): Row {
  return line.mark === '-'
    ? { kind: 'line', old: line, new: undefined }
    : { kind: 'line', old: line.mark === '+' ? undefined : line, new: line };
}

/** A removed line stands beside the added one that takes its place. */
function besideEachOther(lines: readonly DiffLine[]): Row[] {
  const rows: Row[] = [];
  for (const line of lines) {
    if (line.mark === '+' && line.pair !== undefined) continue;
    rows.push(
      line.mark === '-' && line.pair !== undefined
        ? { kind: 'line', old: line, new: line.pair }
        : alone(line),
    );
  }
  return rows;
}

/** The line of a row that a remark is about: the new one where there is one. */
export function lineOf(row: Row | undefined, side?: Side): { side: Side; line: DiffLine } | undefined {
  if (row === undefined || row.kind !== 'line') return undefined;
  const { old, new: now } = row;
  if (old !== undefined && old === now) return { side: 'new', line: now };
  const wanted = side ?? (now === undefined ? 'old' : 'new');
  const line = wanted === 'old' ? old : now;
  return line === undefined ? undefined : { side: wanted, line };
}

/** Whether a row is where a change begins. */
export function beginsChange(rows: readonly Row[], at: number): boolean {
  return isChanged(rows[at]) && !isChanged(rows[at - 1]);
}

function isChanged(row: Row | undefined): boolean {
  return row?.kind === 'line' && row.old !== row.new;
}

const pieceRows = 50;

/** Where each piece begins and ends. */
export function piecesOfRows(count: number): readonly { readonly from: number; readonly to: number }[] {
  const pieces: { from: number; to: number }[] = [];
  for (let from = 0; from < count; from += pieceRows)
    pieces.push({ from, to: Math.min(from + pieceRows, count) });
  return pieces;
}
