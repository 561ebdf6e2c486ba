import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('one of a thing is said in the singular, and any other number in the plural', () => {
  expect([0, 1, 2].map((n) => counted(n, 'line'))).toEqual(['0 lines', '1 line', '2 lines']);
  expect([1, 3].map((n) => counted(n, 'entry', 'entries'))).toEqual(['1 entry', '3 entries']);
});
