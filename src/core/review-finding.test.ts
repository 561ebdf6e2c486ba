import { expect, test } from 'vitest';
import { findingFrom } from './review-finding.ts';

test.each([
  ['src/limit.ts:41: off by one', { path: 'src/limit.ts', line: 41, text: 'off by one' }],
  ['README.md: too long', { path: 'README.md', text: 'too long' }],
  ['src/a.ts:3: first\nsecond', { path: 'src/a.ts', line: 3, text: 'first\nsecond' }],
  ['off by one', { text: 'off by one' }],
  ['Note: this is wrong', { text: 'Note: this is wrong' }],
  ['see https://example.org/x: no', { text: 'see https://example.org/x: no' }],
  ['12:30: too late', { text: '12:30: too late' }],
])('%s', (given, finding) => {
  expect(findingFrom(given)).toEqual(finding);
});
