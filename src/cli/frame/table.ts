import { sanitizeLine } from '../../core/base/sanitize.ts';
import { displayWidth, fitWidth, pad } from './width.ts';

const gap = '  ';
/** No column is squeezed below this, which *needs you* takes; the last one is what people read, so it keeps more. */
const columnMin = 9;
const lastMin = 20;

export interface TableOptions {
  /** Columns of the terminal; infinite where nobody looks at the lines' ends. */
  readonly width: number;
  /** Colours a cell that is already cut and padded. */
  readonly paint?: (cell: string, row: number, column: number) => string;
}

/**
 * Columns as wide as their widest cell. Where the terminal is too narrow, the widest column in the middle gives way first, and what
 * is then left is the last column's; where that is not enough, columns before the last are left out. The first column, which holds what
 * one copies, is never cut. Cells are made safe here.
 */
export function table(rows: readonly (readonly string[])[], { width, paint }: TableOptions): string {
  const safe = rows.map((row) => row.map(sanitizeLine));
  const columns = Math.max(0, ...safe.map((row) => row.length));
  const natural = Array.from({ length: columns }, (_, i) =>
    Math.max(...safe.map((row) => displayWidth(row[i] ?? ''))),
  );
  const kept = columnsFor(natural, width);
  const widths = fitted(
    kept.map((column) => natural[column] ?? 0),
    width,
  );
  const painted = paint ?? ((cell: string) => cell);
  return safe
    .map((row, n) =>
      kept
        .map((column, i) => {
          const cell = row[column] ?? '';
          const cut = i === 0 ? cell : fitWidth(cell, widths[i] ?? 0);
          return painted(i === kept.length - 1 ? cut : pad(cut, widths[i] ?? 0), n, column);
        })
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

/** Those that there is room for, were each as narrow as it may be. */
function columnsFor(natural: readonly number[], width: number): number[] {
  const kept = natural.map((_, column) => column);
  const least = (): number =>
    kept.reduce((sum, column, i) => {
      const all = natural[column] ?? 0;
      return sum + (i === 0 ? all : Math.min(all, columnMin)) + (i === 0 ? 0 : gap.length);
    }, 0);
  while (kept.length > 2 && least() > width) kept.splice(-2, 1);
  return kept;
}

function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const last = widths.length - 1;
  if (last < 1) return widths;
  const total = (): number => widths.reduce((sum, each) => sum + each, 0) + gap.length * last;
  const spare = Math.min(widths[last] ?? 0, lastMin);
  while (total() - (widths[last] ?? 0) + spare > width) {
    const middle = widths.slice(1, last);
    const widest = Math.max(0, ...middle);
    if (widest <= columnMin) break;
    widths[middle.indexOf(widest) + 1] = widest - 1;
  }
  const over = total() - width;
  if (over > 0) widths[last] = Math.max(columnMin, (widths[last] ?? 0) - over);
  return widths;
}
