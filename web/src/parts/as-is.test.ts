import { expect, test } from 'vitest';
import { isShownAsIs } from './as-is.ts';

test('one plain line is shown as it is, and what looks like Markdown is read', () => {
  expect(isShownAsIs('run the tests, then go on')).toBe(true);
  for (const text of ['`a`', 'see https://example.org', '- one', 'two\nlines', '1. first'])
    expect(isShownAsIs(text)).toBe(false);
});

test('what would take long to read is not read', () => {
  for (const text of [
    '*a_'.repeat(6000),
    `${'>'.repeat(6000)} deep`,
    '['.repeat(500),
    `# x\n${'a'.repeat(20_000)}`,
  ])
    expect(isShownAsIs(text)).toBe(true);
});
