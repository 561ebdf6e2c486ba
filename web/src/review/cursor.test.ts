import { expect, test } from 'vitest';
import { hereIn, stepped } from './cursor.ts';

const tasks = ['a', 'b', 'c'];

test('a queue has a row to begin with, and none only where it is empty', () => {
  expect(hereIn(tasks, { task: undefined, row: 0 })).toBe('a');
  expect(hereIn([], { task: undefined, row: 0 })).toBe(undefined);
});

test('a row that is gone gives its place to the next, or to the last', () => {
  expect(hereIn(tasks, { task: 'b', row: 0 })).toBe('b');
  expect(hereIn(['a', 'c'], { task: 'b', row: 1 })).toBe('c');
  expect(hereIn(['a', 'b'], { task: 'c', row: 2 })).toBe('b');
});

test('steps end at the ends', () => {
  expect([stepped(tasks, 'a', 1), stepped(tasks, 'a', -1), stepped(tasks, 'c', 1)]).toEqual(['b', 'a', 'c']);
  expect(stepped([], undefined, 1)).toBe(undefined);
});
