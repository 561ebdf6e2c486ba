import { sanitizeLine } from '../../core/base/sanitize.ts';
import { displayWidth, fitWidth, pad } from './width.ts';

const gap = '  ';
/** No column is squeezed below this; the last one is what people read, so it keeps more. */
const columnMin = 8;
const lastMin = 20;

export interface TableOptions {
  /** Columns of the terminal; infinite where nobody looks at the lines' ends. */
  readonly width: number;
  /** Colours a cell that is already cut and padded. */
  readonly paint?: (cell: string, row: number, column: number) => string;
}

/**
 * Columns as wide as their widest cell. Where the terminal is too narrow, the widest column in the middle gives way first, and what
 * is then left is the last column's. The first column, which holds what one copies, is never cut. Cells are made safe here.
 */
export function table(rows: readonly (readonly string[])[], { width, paint }: TableOptions): string {
  const safe = rows.map((row) => row.map(sanitizeLine));
  const columns = Math.max(0, ...safe.map((row) => row.length));
  const widths = fitted(
    Array.from({ length: columns }, (_, i) => Math.max(...safe.map((row) => displayWidth(row[i] ?? '')))),
    width,
  );
  const painted = paint ?? ((cell: string) => cell);
  return safe
    .map((row, n) =>
      row
        .map((cell, i) => {
          const cut = i === 0 ? cell : fitWidth(cell, widths[i] ?? 0);
          return painted(i === columns - 1 ? cut : pad(cut, widths[i] ?? 0), n, i);
        })
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
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
