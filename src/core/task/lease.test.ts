import { expect, test } from 'vitest';
import { isExpired, isFarAhead } from './lapse.ts';
import { isLeaseMs, leaseUntil, renewEveryMs, timeText } from './lease.ts';
import { limits } from '../base/limits.ts';

test('a lease holds through its last millisecond and is over in the next', () => {
  const until = leaseUntil(1000, 500);
  expect(until).toBe(1500);
  expect(isExpired(until, 1499)).toBe(false);
  expect(isExpired(until, 1500)).toBe(false);
  expect(isExpired(until, 1501)).toBe(true);
});

test('the longest lease is not far ahead, and one millisecond more is', () => {
  expect(isFarAhead(leaseUntil(1000, limits.leaseMsMax), 1000)).toBe(false);
  expect(isFarAhead(leaseUntil(1000, limits.leaseMsMax) + 1, 1000)).toBe(true);
});

test('a time that no calendar has is still shown', () => {
  expect(timeText(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(timeText(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991 ms after 1970');
});

test('a lease is a whole number of milliseconds within bounds', () => {
  for (const good of [limits.leaseMsMin, limits.leaseMsDefault, limits.leaseMsMax])
    expect(isLeaseMs(good)).toBe(true);
  for (const bad of [
    0,
    -1,
    limits.leaseMsMin - 1,
    limits.leaseMsMax + 1,
    1000.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])
    expect([bad, isLeaseMs(bad)]).toEqual([bad, false]);
});

test('two renewals may be lost before a lease runs out', () => {
  for (const leaseMs of [limits.leaseMsMin, 1000, limits.leaseMsDefault])
    expect(renewEveryMs(leaseMs) * 3).toBeLessThanOrEqual(leaseMs);
  expect(renewEveryMs(1)).toBe(1);
});
