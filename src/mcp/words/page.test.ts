import { describe, expect, test } from 'vitest';
import { pageCharsMax, pageOf } from './page.ts';

function pagesOf(whole: string, chars: number): string[] {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(whole, { cursor, chars });
    pages.push(page.text);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}

describe('pages', () => {
  test('add up to the whole, end with a line where they can, and never split a character', () => {
    for (const whole of [
      '',
      'a',
      'one\ntwo\nthree\n',
      '🧰'.repeat(50),
      `${'x'.repeat(90)}\n${'🧰\n'.repeat(40)}`,
    ])
      for (const chars of [1, 2, 7, 50]) {
        const pages = pagesOf(whole, chars);
        expect(pages.join('')).toBe(whole);
        expect(pages.every((page) => page.isWellFormed())).toBe(true);
      }
    expect(pagesOf('one\ntwo\nthree', 6)).toEqual(['one\n', 'two\n', 'three']);
  });

  test('are never longer than the cap, whatever is asked for', () => {
    expect(pageOf('x'.repeat(pageCharsMax * 2), { chars: 1e9 }).text).toHaveLength(pageCharsMax);
  });

  test('refuse a cursor of another text, or none at all', () => {
    const { cursor } = pageOf('one\ntwo\n', { chars: 4 });
    expect(() => pageOf('one\ntwo\nthree\n', { cursor })).toThrow('has changed');
    for (const strange of ['', 'x', '-1/8', '9/8', '8/8'])
      expect(() => pageOf('one\ntwo\n', { cursor: strange })).toThrow('cursor');
  });
});
