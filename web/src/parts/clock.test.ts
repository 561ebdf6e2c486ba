import { expect, test } from 'vitest';
import { ago, span } from './clock.ts';

test('a span is said in the units that matter', () => {
  expect([-5, 0, 45_000, 61_000, 600_000, 3_600_000, 7_800_000, 172_800_000].map(span)).toEqual([
    '0s',
    '0s',
    '45s',
    '1m 1s',
    '10m',
    '1h',
    '2h 10m',
    '2d',
  ]);
});

test('less than a second ago is just now, also by a clock that is ahead', () => {
  expect(ago(1000, 1500)).toBe('just now');
  expect(ago(2000, 1500)).toBe('just now');
  expect(ago(1000, 4000)).toBe('3s ago');
});
