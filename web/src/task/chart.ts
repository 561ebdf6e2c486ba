/**
 * Where things are on the timeline. Time runs to the right, and lanes are rows. A second in which much happens and a night in which nothing
 * does are shown in one picture: between two neighbouring moments there are pixels in proportion to the time between them, at least so many
 * that marks can be told apart and at most so many that nothing is lost to empty space. Where time was left out there is a fold.
 */
import { lanes } from '../../../src/core/task/lanes.ts';
import type { TimelineAnswer } from '../../../src/server/contract/contract-looks.ts';
import { workedMs, type Worked } from '../../../src/core/transcript/session-times.ts';
import { span } from '../parts/clock.ts';
import { worded } from '../parts/said.ts';

export type Leg = TimelineAnswer['legs'][number] & {
  /** When its sessions ran, by their own clocks: a leg may be no more than their sealing. */
  readonly worked?: Worked | null;
};
export type Mark = TimelineAnswer['marks'][number];

interface Bar {
  readonly leg: Leg;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface DrawnMark {
  readonly mark: Mark;
  readonly x: number;
  readonly y: number;
  /** Beside the first mark of a moment, where there is room: what all of them are. */
  readonly label: string | null;
}

interface Fold {
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

export const sizes = { left: 84, right: 24, top: 10, row: 58, bar: 18, axis: 24 } as const;
const gapPx = { least: 7, usual: 26, most: 130 } as const;
const tickPx = 110;
/** A letter of a label, and the mark before it. */
const labelPx = { letter: 5.8, mark: 16 } as const;

/** `least`: how wide the place for it is. A chart that would be narrower is drawn wider. */
export function chartOf(
  { legs, marks, now }: Pick<TimelineAnswer, 'marks' | 'now'> & { readonly legs: readonly Leg[] },
  least = 0,
): Chart {
  const moments = momentsOf(legs, marks, now);
  // Where there is room, also for the words beside the last mark.
  const right = least > 700 ? 150 : sizes.right;
  const { xOf, folds, end } = axisOf(moments, least - sizes.left - right);
  const rows = lanes
    .filter((lane) => legs.some((leg) => leg.lane === lane) || marks.some((mark) => mark.lane === lane))
    .map((lane, n) => ({ lane, y: sizes.top + n * sizes.row }));
  // What was before any lane stands where the work began.
  const first = marks.find(({ lane }) => lane !== null)?.lane ?? null;
  const yOf = (lane: string | null): number =>
    rows.find((row) => row.lane === (lane ?? first))?.y ?? sizes.top;
  return {
    width: Math.max(least, end + right),
    height: sizes.top + Math.max(1, rows.length) * sizes.row + sizes.axis,
    rows,
    bars: legs.map((leg) => {
      const [from, until] = drawnAs(leg, now);
      const x = xOf(from);
      const width = Math.max(3, xOf(until) - x);
      return { leg, x, width, y: yOf(leg.lane) };
    }),
    marks: placed(marks, { xOf, yOf, end: end + right }),
    folds,
    ticks: ticksOf(moments, xOf, end),
  };
}

function momentsOf(legs: readonly Leg[], marks: readonly Mark[], now: number): readonly number[] {
  const all = [...legs.flatMap((leg) => drawnAs(leg, now)), ...marks.map(({ at }) => at)];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** A session that was over before it was taken stands where it ran; one that went on while it was held is one bar with that. */
function drawnAs({ from, until, worked }: Leg, now: number): readonly [from: number, until: number] {
  const held = [from, until ?? now] as const;
  if (worked === undefined || worked === null) return held;
  const isBefore = until !== null && worked.until <= from;
  return isBefore ? [worked.from, worked.until] : [Math.min(from, worked.from), held[1]];
}

/** Several marks of one moment in one lane stand above each other, and share their words. */
function placed(
  marks: readonly Mark[],
  {
    xOf,
    yOf,
    end,
  }: {
    readonly xOf: (at: number) => number;
    readonly yOf: (lane: string | null) => number;
    readonly end: number;
  },
): readonly DrawnMark[] {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const key = `${yOf(mark.lane)} ${mark.at}`;
    groups.set(key, [...(groups.get(key) ?? []), mark]);
  }
  const all = [...groups.values()];
  return all.flatMap((group, place) => {
    const [first] = group;
    if (first === undefined) return [];
    const [x, y] = [xOf(first.at), yOf(first.lane)];
    const next = all.slice(place + 1).find(([other]) => other !== undefined && yOf(other.lane) === y)?.[0];
    const room = (next === undefined ? end : xOf(next.at)) - x - labelPx.mark;
    const words = [...new Set(group.map(({ kind }) => kindWords[kind]))].join(', ');
    return group.map((mark, nth) => ({
      mark,
      x,
      y: y + sizes.bar + 10 + (nth % 3) * 11,
      label: nth === 0 && words.length * labelPx.letter <= room ? words : null,
    }));
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
  let said = '';
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
    // What happens within a second is at one time for a reader.
    if (today === day && clock === said) continue;
    ticks.push({ x, said: today === day ? clock : `${today} ${clock}` });
    day = today;
    said = clock;
  }
  return ticks;
}

export function workedWords(leg: Leg, now: number): string {
  return span(workedMs(leg, now));
}

export function legWords(leg: Leg, now: number): string {
  const lasted = span((leg.until ?? now) - leg.from);
  const end = leg.ended === null ? `holds it for ${lasted}` : `${worded(leg.ended)} after ${lasted}`;
  const why = leg.why === null ? '' : `: ${leg.why}`;
  const ms = leg.worked?.ms;
  const worked = ms === undefined ? '' : `, its session ran for ${span(ms)}`;
  return `Leg ${leg.generation}, ${leg.agent} in ${leg.lane}: ${end}${worked}${why}`;
}

export const kindWords: Readonly<Record<Mark['kind'], string>> = {
  opened: 'opened',
  offer: 'offered',
  accept: 'taken',
  decline: 'declined',
  checkpoint: 'sealed',
  lapse: 'fell silent',
  submit: 'handed in',
  approve: 'approved',
  'send-back': 'sent back',
  escalation: 'stopped',
  end: 'ended',
};

/** Each kind once, in the order in which they first stand there. */
export function kindsIn(marks: readonly Pick<Mark, 'kind'>[]): readonly Mark['kind'][] {
  return [...new Set(marks.map(({ kind }) => kind))];
}

export function markWords({ kind, by, text, seq }: Mark): string {
  return `j${seq}: ${kindWords[kind]} by ${by}${text === null || text === '' ? '' : ` (${text})`}`;
}
