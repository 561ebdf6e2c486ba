import { expect, test } from 'vitest';
import { disjoint, type FoundSecret } from './found.ts';

const text = '0123456789';
const found = (start: number, end: number, rule: string, rank: number): FoundSecret => ({
  start,
  end,
  rule,
  rank,
  secret: text.slice(start, end),
  continues: false,
});
const merged = (...all: FoundSecret[]): (string | number)[][] =>
  disjoint(all, (span) => text.slice(span.start, span.end)).map((one) => [
    one.start,
    one.end,
    one.rule,
    one.secret,
  ]);

test('places that do not touch stay apart, in order', () => {
  expect(merged(found(5, 7, 'b', 1), found(0, 2, 'a', 1))).toEqual([
    [0, 2, 'a', '01'],
    [5, 7, 'b', '56'],
  ]);
});

test('neighbours are two', () => {
  expect(merged(found(0, 3, 'a', 1), found(3, 6, 'b', 1))).toHaveLength(2);
});

test('the same place is named by the better rule', () => {
  expect(merged(found(2, 5, 'general', 9), found(2, 5, 'exact', 1))).toEqual([[2, 5, 'exact', '234']]);
});

test('one inside another makes one, as large as the larger', () => {
  expect(merged(found(1, 9, 'general', 9), found(3, 5, 'exact', 1))).toEqual([[1, 9, 'exact', '12345678']]);
});

test('two that overlap make one over both', () => {
  expect(merged(found(0, 5, 'a', 2), found(3, 8, 'b', 1))).toEqual([[0, 8, 'b', '01234567']]);
});

test('a chain of overlaps makes one', () => {
  expect(merged(found(0, 4, 'a', 3), found(3, 7, 'b', 2), found(6, 9, 'c', 1))).toEqual([
    [0, 9, 'c', '012345678'],
  ]);
});
