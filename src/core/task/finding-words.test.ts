import { expect, test } from 'vitest';
import { commentFrom, findingFrom, findingText } from './finding-words.ts';

test.each([
  ['src/limit.ts:41: off by one', { path: 'src/limit.ts', line: 41, text: 'off by one' }],
  ['README.md: too long', { path: 'README.md', text: 'too long' }],
  ['src/a.ts:3: first\nsecond', { path: 'src/a.ts', line: 3, text: 'first\nsecond' }],
  ['off by one', { text: 'off by one' }],
  ['Note: this is wrong', { text: 'Note: this is wrong' }],
  ['see https://example.org/x: no', { text: 'see https://example.org/x: no' }],
  ['12:30: too late', { text: '12:30: too late' }],
  [': src/limit.ts: too long', { text: 'src/limit.ts: too long' }],
])('%s', (given, finding) => {
  expect(findingFrom(given)).toEqual(finding);
});

test('a comment names a path and a line, of the old side with a minus', () => {
  expect(commentFrom('src/limit.ts:41:off by one')).toEqual({
    path: 'src/limit.ts',
    line: 41,
    text: 'off by one',
  });
  expect(commentFrom('my file:7: see: here')).toEqual({ path: 'my file', line: 7, text: 'see: here' });
  expect(commentFrom('a.ts:-3: keep')).toEqual({ path: 'a.ts', line: 3, side: 'old', text: 'keep' });
  expect(commentFrom('Makefile:: too long')).toEqual({ path: 'Makefile', text: 'too long' });
  for (const wrong of ['a.ts: text', 'a.ts:0: text', 'a.ts:4:', ':4: text', 'text'])
    expect(commentFrom(wrong)).toBeUndefined();
});

test('a finding in words can be read back', () => {
  const finding = { path: 'a.ts', line: 3, side: 'old' as const, text: 'keep' };
  expect(findingText(finding)).toBe('a.ts:-3: keep');
  expect(commentFrom(findingText(finding))).toEqual(finding);
  expect(findingText({ text: 'nearly' })).toBe('nearly');
});
