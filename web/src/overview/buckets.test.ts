import { expect, test } from 'vitest';
import type { OverviewAnswer } from '../../../src/server/contract/contract-looks.ts';
import { barsOf, lanesOf, periods, type Period } from './buckets.ts';

const hourMs = 3_600_000;
const now = 1000 * 24 * hourMs + 5 * hourMs;
const hour = (ago: number, done: number): OverviewAnswer['hours'][number] => ({
  at: now - ago * hourMs,
  counts: { opened: 0, done, stopped: 0, sentBack: 0, lapsed: 0, tokens: 0 },
  lanes: [{ lane: 'execute', legs: done, ms: done * 1000 }],
});

test('each hour counts in one bar, the last is now, and what is older than the period in none', () => {
  const hours = [hour(0, 1), hour(23, 2), hour(24, 4), hour(160, 8), hour(700, 16), hour(721, 32)];
  const sums = Object.keys(periods).map((period) => {
    const bars = barsOf(hours, 'done', period as Period, now);
    return [bars.length, bars.at(-1), bars.reduce((sum, one) => sum + one, 0)];
  });
  expect(sums).toEqual([
    [24, 1, 3],
    [28, 1, 15],
    [30, 1, 31],
  ]);
  expect(lanesOf(hours, 'day', now)).toEqual([{ lane: 'execute', legs: 3, ms: 3000 }]);
});
