/** Curves over hops. The vertical axis is logarithmic, because one of the two grows with the square. */
import { line, picture, round, text } from './svg.ts';

export interface Curve {
  readonly name: string;
  readonly kind: 'ours' | 'theirs';
  readonly points: readonly (readonly [number, number])[];
}

export interface Curves {
  /** The file it is kept in, without its ending. */
  readonly file: string;
  readonly title: string;
  readonly across: string;
  readonly unit: (value: number) => string;
  readonly curves: readonly Curve[];
}

const size = { width: 720, height: 380 };
const frame = { left: 84, right: 570, top: 48, bottom: 330 };

export function drawCurves({ title, across, unit, curves }: Curves): string {
  const all = curves.flatMap(({ points }) => points);
  const xMax = Math.max(...all.map(([x]) => x));
  const low = Math.floor(Math.log10(Math.min(...all.map(([, y]) => y))));
  const high = Math.ceil(Math.log10(Math.max(...all.map(([, y]) => y))));
  const xOf = (x: number): number => frame.left + ((frame.right - frame.left) * x) / xMax;
  const yOf = (y: number): number =>
    frame.bottom - ((frame.bottom - frame.top) * (Math.log10(y) - low)) / Math.max(high - low, 1);
  const parts: string[] = [];
  for (let power = low; power <= high; power += 1) {
    const y = yOf(10 ** power);
    parts.push(line('line', [frame.left, y], [frame.right, y]));
    parts.push(text({ x: frame.left - 8, y: y + 4 }, unit(10 ** power), 'class="quiet" text-anchor="end"'));
  }
  for (let step = 0; step <= 5; step += 1) {
    const x = (xMax * step) / 5;
    parts.push(
      text({ x: xOf(x), y: frame.bottom + 20 }, String(Math.round(x)), 'class="quiet" text-anchor="middle"'),
    );
  }
  parts.push(
    text(
      { x: (frame.left + frame.right) / 2, y: frame.bottom + 42 },
      across,
      'class="quiet" text-anchor="middle"',
    ),
  );
  for (const { name, kind, points } of curves) {
    const path = points
      .map(([x, y], n) => `${n === 0 ? 'M' : 'L'}${round(xOf(x))} ${round(yOf(y))}`)
      .join('');
    parts.push(`<path class="${kind}" d="${path}"/>`);
    for (const [x, y] of points)
      parts.push(`<circle class="${kind}" cx="${round(xOf(x))}" cy="${round(yOf(y))}" r="3"/>`);
    const [x, y] = points.at(-1) ?? [0, 1];
    parts.push(text({ x: xOf(x) + 10, y: yOf(y) - 2 }, name));
    parts.push(text({ x: xOf(x) + 10, y: yOf(y) + 14 }, unit(y), 'class="quiet"'));
  }
  return picture(size, title, parts.join('\n'));
}
