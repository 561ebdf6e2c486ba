import { expect, test } from 'vitest';
import { addressed, counted, quoted, worded } from './said.ts';

test('a count has its word in the right number', () => {
  expect([counted(1, 'error'), counted(2, 'error')]).toEqual(['1 error', '2 errors']);
  expect(counted(0, 'entry', 'entries')).toBe('0 entries');
});

test('names of types and addresses are said as words', () => {
  expect(worded('leg-started')).toBe('leg started');
  expect(addressed('agent:code')).toBe('code');
  expect(addressed('lane:audit')).toBe('lane audit');
  expect(addressed('anyone')).toBe('anyone');
});

test('a text is one word of a command line, whatever is in it', () => {
  expect(quoted('lane:audit')).toBe('lane:audit');
  expect(quoted('two words')).toBe("'two words'");
  expect(quoted("it's $(here)")).toBe("'it'\\''s $(here)'");
  expect(quoted('')).toBe("''");
});
