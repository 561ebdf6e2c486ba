import { describe, expect, test } from 'vitest';
import { UsageCount } from './usage-count.ts';

const usd = (amount: number) => ({ amount, unit: 'USD' });

describe('what a leg used', () => {
  test('is the sum of what is told piece by piece', () => {
    const used = new UsageCount(true);
    used.add({ tokens: 10, cost: usd(1) });
    used.add({ tokens: 5, cost: usd(2) });
    used.fill(0.5);
    expect(used.now).toEqual({ tokens: 15, cost: usd(3), context: 0.5 });
  });

  test('is the last that is told of a session that began with it', () => {
    const used = new UsageCount(false);
    used.set({ tokens: 10 });
    used.set({ tokens: 25, cost: usd(2) });
    expect(used.now).toEqual({ tokens: 25, cost: usd(2) });
  });

  test('does not have what an older session had used before', () => {
    const used = new UsageCount(true);
    used.set({ tokens: 1000 });
    expect(used.now).toEqual({ tokens: 0 });
    used.set({ tokens: 1025 });
    expect(used.now).toEqual({ tokens: 25 });
  });
});
