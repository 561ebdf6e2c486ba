import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/property/seed.ts';
import { Heights } from './heights.ts';

test('rows that nobody saw are as high as usual', () => {
  const heights = new Heights(30);
  heights.resize(10_000);
  expect([heights.total, heights.top(3), heights.rowAt(95)]).toEqual([300_000, 90, 3]);
});

test('the first row that is seen says how high the others are', () => {
  const heights = new Heights(30);
  heights.resize(100);
  expect(heights.see(4, 25)).toBe(-5);
  expect([heights.total, heights.see(5, 25)]).toEqual([2500, 0]);
});

test('a row that is higher moves what is below it, and nothing above', () => {
  const heights = new Heights(30);
  heights.resize(100);
  heights.see(0, 30);
  expect(heights.see(10, 130)).toBe(100);
  expect([heights.top(10), heights.top(11), heights.total]).toEqual([300, 430, 3100]);
  expect(heights.see(10, 130)).toBe(0);
});

test('a list that grows or shrinks keeps what was seen', () => {
  const heights = new Heights(10);
  heights.resize(3);
  heights.see(0, 10);
  heights.see(1, 50);
  heights.resize(5);
  expect(heights.total).toBe(90);
  heights.resize(1);
  expect([heights.total, heights.rowAt(1000)]).toEqual([10, 0]);
  heights.resize(0);
  expect([heights.total, heights.rowAt(0)]).toEqual([0, 0]);
});

test('other rows have been seen by nobody', () => {
  const heights = new Heights(10);
  heights.resize(3);
  heights.see(0, 10);
  heights.see(1, 99);
  heights.forget();
  expect(heights.total).toBe(30);
});

test('tops are the sums of the heights, whatever was seen in whatever order', () => {
  const changes = fc.array(fc.tuple(fc.nat(49), fc.integer({ min: 1, max: 500 })), { maxLength: 60 });
  fc.assert(
    fc.property(changes, fc.nat(20_000), (seen, y) => {
      const heights = new Heights(20);
      heights.resize(50);
      heights.see(0, 20);
      const model = Array.from({ length: 50 }, () => 20);
      for (const [row, height] of seen) {
        heights.see(row, height);
        model[row] = height;
        heights.rowAt(row);
      }
      const topOf = (row: number): number => model.slice(0, row).reduce((sum, one) => sum + one, 0);
      expect(heights.total).toBe(topOf(50));
      const row = heights.rowAt(y);
      expect(topOf(row)).toBeLessThanOrEqual(y);
      expect(row === 49 || topOf(row + 1) > y).toBe(true);
    }),
    runs(200),
  );
});
