import { expect, test } from 'vitest';
import { isSlip, suggest } from './suggest.ts';

const known = ['take', 'tell', 'handoff', 'verify', 'ls'];

test.each([
  ['tkae', 'take'],
  ['verfy', 'verify'],
  ['hand', 'handoff'],
  ['handof', 'handoff'],
  ['s', 'ls'],
  ['lls', 'ls'],
])('%s is a slip for %s', (word, near) => {
  expect(suggest(word, known)).toBe(near);
});

test.each(['frobnicate', '', 'xyz', 'taken away'])('%j is near nothing', (word) => {
  expect(suggest(word, known)).toBeUndefined();
});

test('a word that is known is its own nearest', () => {
  for (const word of known) expect(suggest(word, known)).toBe(word);
});

test('only one wrong, swapped, missing or doubled letter makes a name suspicious', () => {
  expect(isSlip('exceute', 'execute')).toBe(true);
  expect(isSlip('codez', 'codex')).toBe(true);
  expect(isSlip('excute', 'execute')).toBe(true);
  expect(isSlip('auditt', 'audit')).toBe(true);
  expect(isSlip('codex2', 'codex')).toBe(false);
  expect(isSlip('code', 'codex')).toBe(false);
  expect(isSlip('auditor', 'audit')).toBe(false);
  expect(isSlip('codex', 'codex')).toBe(false);
});
