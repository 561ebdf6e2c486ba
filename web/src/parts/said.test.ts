import { expect, test } from 'vitest';
import { addressed, atLeast, counted, worded } from './said.ts';

test('a count has its word in the right number', () => {
  expect([counted(1, 'error'), counted(2, 'error')]).toEqual(['1 error', '2 errors']);
  expect(counted(0, 'entry', 'entries')).toBe('0 entries');
});

test('a count that may not be all says so', () => {
  expect([atLeast(7, false), atLeast(100, true)]).toEqual(['7', '100+']);
});

test('names of types and addresses are said as words', () => {
  expect(worded('leg-started')).toBe('leg started');
  expect(addressed('agent:code')).toBe('code');
  expect(addressed('lane:audit')).toBe('lane audit');
  expect(addressed('anyone')).toBe('anyone');
});
