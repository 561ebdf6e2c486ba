import { expect, test } from 'vitest';
import { isReadable } from './readable.ts';
import { tokensOf } from './tokens.ts';

const prose = [
  '# Done',
  '',
  'The *limit* holds in `src/limit.ts`; see [the page](https://example.org).',
  '',
  '- one\n  - two\n    - three',
  '',
  '> > quoted twice',
  '',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '',
  '-'.repeat(200),
].join('\n');

test('prose is read', () => {
  expect(isReadable(prose)).toBe(true);
  expect(isReadable(Array.from({ length: 20 }, () => prose).join('\n\n'))).toBe(true);
  expect(tokensOf(prose)?.length).toBeGreaterThan(5);
});

test.each([
  ['a log', 'x\n'.repeat(20_000)],
  ['quotes in quotes', `${'>'.repeat(6000)} deep`],
  ['quotes in quotes after prose', `Fine.\n\n${'> '.repeat(40)}deep`],
  ['lists in lists', `${'- '.repeat(40)}deep`],
  ['numbered lists in lists', `${'1. '.repeat(40)}deep`],
  ['marks without end', '*a_'.repeat(6000)],
  ['brackets without end', '['.repeat(5000)],
  ['marks in many parts', `${'*a_'.repeat(100)}\n\n`.repeat(12)],
])('%s are shown as they were written', (_, text) => {
  expect(isReadable(text)).toBe(false);
});

test('what is too deep to be drawn has no tokens', () => {
  const list = Array.from({ length: 40 }, (_, n) => `${'  '.repeat(n)}- ${n}`).join('\n');
  expect(tokensOf(list)).toBeUndefined();
  expect(tokensOf(`${'>'.repeat(19_000)} deep`)).toBeUndefined();
});
