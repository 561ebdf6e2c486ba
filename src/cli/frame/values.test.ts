import { expect, test } from 'vitest';
import { cap, count, refuseBoth, refuseStray } from './values.ts';

test('a count is a whole number that a number can hold', () => {
  expect(count({ n: '12' }, 'n')).toBe(12);
  expect(count({}, 'n')).toBeUndefined();
  for (const n of ['', '-1', '1.5', '1e3', '0x10', '٣', '99999999999999999999'])
    expect(() => count({ n }, 'n')).toThrow('--n takes a whole number');
});

test('a cap has both its ends', () => {
  expect(cap({ n: '1' }, 'n', 10)).toBe(1);
  expect(cap({ n: '10' }, 'n', 10)).toBe(10);
  for (const n of ['0', '11']) expect(() => cap({ n }, 'n', 10)).toThrow('from 1 to 10');
});

test('options that would be ignored are refused', () => {
  expect(() => refuseStray({ to: 'x' }, ['to', 'why'], '--again')).toThrow(
    '--to means nothing here: it goes with --again.',
  );
  expect(() => refuseStray({ to: 'x', why: 'y' }, ['to', 'why'], '--again')).toThrow('--to and --why mean');
  refuseStray({ other: true }, ['to', 'why'], '--again');
  expect(() => refuseBoth({ a: true, b: ['x'] }, 'a', 'b')).toThrow('--a and --b exclude each other.');
  refuseBoth({ a: true }, 'a', 'b');
});
