import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';
import { limits } from './limits.ts';

test('a retry waits at most one base the first time and twice as long each time after', () => {
  expect(backoffMs(1, 0.999_999)).toBeLessThanOrEqual(limits.backoffMsBase);
  expect(backoffMs(3, 0.999_999)).toBeGreaterThan(limits.backoffMsBase * 3);
  expect(backoffMs(1, 0)).toBe(0);
});

test('no retry waits longer than the cap, however many came before', () => {
  expect(backoffMs(10_000, 0.999_999)).toBeLessThanOrEqual(limits.backoffMsMax);
});
