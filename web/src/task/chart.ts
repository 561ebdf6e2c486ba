/**
 * Where things are on the timeline. Time runs to the right, and lanes are rows. A second in which much happens and a night in which nothing
 * does are shown in one picture: between two neighbouring moments there are pixels in proportion to the time between them, at least so many
 * that marks can be told apart and at most so many that nothing is lost to empty space. Where time was left out there is a fold.
 */
import type { TimelineAnswer } from '../../../src/server/contract/contract-looks.ts';
import { span } from '../parts/clock.ts';
import { worded } from '../parts/said.ts';

export type Leg = TimelineAnswer['legs'][number];
export type Mark = TimelineAnswer['marks'][number];

export interface Bar {
  readonly leg: Leg;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface DrawnMark {
  readonly mark: Mark;
  readonly x: number;
  readonly y: number;
}

export interface Fold {
  readonly x: number;
  readonly width: number;
  readonly said: string;
}

export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly { readonly lane: string; readonly y: number }[];
  readonly bars: readonly Bar[];
  readonly marks: readonly DrawnMark[];
  readonly folds: readonly Fold[];
  readonly ticks: readonly { readonly x: number; readonly said: string }[];
}

export const sizes = { left: 84, right: 24, top: 10, row: 46, bar: 16, axis: 26 } as const;
const gapPx = { least: 7, usual: 26, most: 130 } as const;
const tickPx = 110;
const lanes = ['supervise', 'plan', 'execute', 'audit'];

/** `least`: how wide the place for it is. A chart that would be narrower is drawn wider. */
export function chartOf(
  { legs, marks, now }: Pick<TimelineAnswer, 'legs' | 'marks' | 'now'>,
  least = 0,
): Chart {
  const moments = momentsOf(legs, marks, now);
  const { xOf, folds, end } = axisOf(moments, least - sizes.left - sizes.right);
  const rows = lanes
    .filter((lane) => legs.some((leg) => leg.lane === lane) || marks.some((mark) => mark.lane === lane))
    .map((lane, n) => ({ lane, y: sizes.top + n * sizes.row }));
  // What was before any lane stands where the work began.
  const first = marks.find(({ lane }) => lane !== null)?.lane ?? null;
  const yOf = (lane: string | null): number =>
    rows.find((row) => row.lane === (lane ?? first))?.y ?? sizes.top;
  return {
    width: Math.max(least, end + sizes.right),
    height: sizes.top + Math.max(1, rows.length) * sizes.row + sizes.axis,
    rows,
    bars: legs.map((leg) => {
      const x = xOf(leg.from);
      const width = Math.max(3, xOf(leg.until ?? now) - x);
      return { leg, x, width, y: yOf(leg.lane) };
    }),
    marks: placed(marks, xOf, yOf),
    folds,
    ticks: ticksOf(moments, xOf, end),
  };
}

function momentsOf(legs: readonly Leg[], marks: readonly Mark[], now: number): readonly number[] {
  const all = [...legs.flatMap(({ from, until }) => [from, until ?? now]), ...marks.map(({ at }) => at)];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** Several marks of one moment in one lane stand above each other. */
function placed(
  marks: readonly Mark[],
  xOf: (at: number) => number,
  yOf: (lane: string | null) => number,
): readonly DrawnMark[] {
  const before = new Map<string, number>();
  return marks.map((mark) => {
    const key = `${mark.at} ${yOf(mark.lane)}`;
    const nth = before.get(key) ?? 0;
    before.set(key, nth + 1);
    return { mark, x: xOf(mark.at), y: yOf(mark.lane) + sizes.bar + 8 + (nth % 3) * 9 };
  });
}

function axisOf(
  moments: readonly number[],
  least: number,
): {
  readonly xOf: (at: number) => number;
  readonly folds: readonly Fold[];
  readonly end: number;
} {
  const gaps = moments.slice(1).map((at, n) => at - (moments[n] ?? at));
  const pxPerMs = gapPx.usual / Math.max(1, median(gaps));
  const widths = gaps.map((gap) => Math.min(gapPx.most, Math.max(gapPx.least, gap * pxPerMs)));
  const stretch = Math.max(1, least / widths.reduce((sum, width) => sum + width, 1));
  const places = new Map<number, number>();
  const folds: Fold[] = [];
  let x: number = sizes.left;
  for (const [n, at] of moments.entries()) {
    const [gap = 0, width = 0] = n === 0 ? [] : [gaps[n - 1], (widths[n - 1] ?? 0) * stretch];
    if (gap * pxPerMs > gapPx.most) folds.push({ x, width, said: span(gap) });
    x += width;
    places.set(at, x);
  }
  return { xOf: (at) => places.get(at) ?? sizes.left, folds, end: x };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}

/** Times as often as they can be read; the day where it is another than before. */
function ticksOf(moments: readonly number[], xOf: (at: number) => number, end: number): Chart['ticks'] {
  const ticks: { x: number; said: string }[] = [];
  let day = '';
  for (const at of moments) {
    const x = xOf(at);
    const last = ticks.at(-1);
    // At the right edge the words stand to the left.
    const room = x > end - tickPx ? 2 * tickPx : tickPx;
    if (last !== undefined && x - last.x < room) continue;
    const time = new Date(at);
    const today = time.toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
    const clock = time.toLocaleTimeString(undefined, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    ticks.push({ x, said: today === day ? clock : `${today} ${clock}` });
    day = today;
  }
  return ticks;
}

export function legWords(leg: Leg, now: number): string {
  const lasted = span((leg.until ?? now) - leg.from);
  const end = leg.ended === null ? `holds it for ${lasted}` : `${worded(leg.ended)} after ${lasted}`;
  const why = leg.why === null ? '' : `: ${leg.why}`;
  return `Leg ${leg.generation}, ${leg.agent} in ${leg.lane}: ${end}${why}`;
}

export const kindWords: Readonly<Record<Mark['kind'], string>> = {
  opened: 'opened',
  offer: 'offered',
  accept: 'taken',
  decline: 'declined',
  checkpoint: 'checkpoint sealed',
  lapse: 'lease lapsed',
  submit: 'submitted for review',
  approve: 'approved',
  'send-back': 'sent back',
  escalation: 'escalated',
  end: 'ended',
};

/** Each kind once, in the order in which they first stand there. */
export function kindsIn(marks: readonly Pick<Mark, 'kind'>[]): readonly Mark['kind'][] {
  return [...new Set(marks.map(({ kind }) => kind))];
}

export function markWords({ kind, by, text, seq }: Mark): string {
  return `j${seq}: ${kindWords[kind]} by ${by}${text === null || text === '' ? '' : ` (${text})`}`;
}
