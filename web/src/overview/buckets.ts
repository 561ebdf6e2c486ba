/** Hours put together into as many bars as can be told apart. */
import type { OverviewAnswer } from '../../../src/server/contract/contract-looks.ts';

type Hour = OverviewAnswer['hours'][number];
export type CountName = keyof Hour['counts'];

const hourMs = 3_600_000;

export const periods = {
  day: { said: '24 hours', bars: 24, barMs: hourMs },
  week: { said: '7 days', bars: 28, barMs: 6 * hourMs },
  month: { said: '30 days', bars: 30, barMs: 24 * hourMs },
} as const;
export type Period = keyof typeof periods;

/** Of each bar the sum; the last bar is the one that is now. */
export function barsOf(
  hours: readonly Hour[],
  name: CountName,
  period: Period,
  now: number,
): readonly number[] {
  const sums = Array.from({ length: periods[period].bars }, () => 0);
  for (const { at, counts } of hours) {
    const place = barAt(at, period, now);
    if (place >= 0) sums[place] = (sums[place] ?? 0) + counts[name];
  }
  return sums;
}

function barAt(at: number, period: Period, now: number): number {
  const { bars, barMs } = periods[period];
  return bars - 1 - (Math.floor(now / barMs) - Math.floor(at / barMs));
}

interface LaneSum {
  readonly lane: string;
  readonly legs: number;
  readonly ms: number;
}

export function lanesOf(hours: readonly Hour[], period: Period, now: number): readonly LaneSum[] {
  const sums = new Map<string, LaneSum>();
  for (const { at, lanes } of hours)
    if (barAt(at, period, now) >= 0)
      for (const { lane, legs, ms } of lanes) {
        const known = sums.get(lane);
        sums.set(lane, { lane, legs: (known?.legs ?? 0) + legs, ms: (known?.ms ?? 0) + ms });
      }
  return [...sums.values()].toSorted((a, b) => b.ms - a.ms);
}
