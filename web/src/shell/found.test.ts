import { expect, test } from 'vitest';
import { found } from './found.ts';

const all = ['Go to the board', 'Fix the login race', 'Race of the boards', 'New task'].map((title, n) => ({
  title,
  key: `t${n}`,
}));

test('all words have to be there, in any case and order, and what begins with them comes first', () => {
  expect(found(all, 'BOARD the').map(({ title }) => title)).toEqual([
    'Go to the board',
    'Race of the boards',
  ]);
  expect(found(all, 'race').map(({ title }) => title)).toEqual(['Race of the boards', 'Fix the login race']);
  expect(found(all, 't3').map(({ title }) => title)).toEqual(['New task']);
  expect(found(all, '')).toEqual(all);
});
