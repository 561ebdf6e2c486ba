import { describe, expect, test } from 'vitest';
import { sanitize, sanitizeLine } from './sanitize.ts';

describe('made safe', () => {
  test.each([
    ['a colour', 'a\u001b[31mb', 'a␛b'],
    ['a cleared screen', '\u001b[2J\u001b[Hx', '␛␛x'],
    ['a window title', 'a\u001b]0;owned\u0007b', 'a␛b'],
    ['a link', '\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', '␛text␛'],
    ['a string that never ends', 'a\u001bPqqq', 'a␛'],
    ['an escape alone', 'a\u001b', 'a␛'],
    ['the eight-bit form of an escape', 'a\u009b31mb', 'a\ufffd31mb'],
    ['a carriage return that overwrites', 'good\rbad', 'good␍bad'],
    ['a bell, a backspace and a NUL', '\u0007\u0008\u0000', '␇␈␀'],
    ['a delete', 'a\u007f', 'a␡'],
    ['a right-to-left override', 'a\u202etxt.exe', 'a\ufffdtxt.exe'],
    ['isolates', '\u2066a\u2069', '\ufffda\ufffd'],
    ['a zero-width space', 'pass\u200bword', 'pass\ufffdword'],
    ['a joiner between plain letters', 'a\u200db', 'a\ufffdb'],
    ['a selector after a plain letter', 'a\ufe0fb', 'a\ufffdb'],
    ['a second selector', '❤\ufe0f\ufe0f', '❤\ufe0f\ufffd'],
    ['tags', 'a\u{e0041}\u{e007f}', 'a\ufffd\ufffd'],
    ['fillers that look like nothing', 'a\u3164\u115fb', 'a\ufffd\ufffdb'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a\ufffdb\ufffd'],
    ['a byte order mark', '\ufeffa', '\ufffda'],
    ['half a character', 'a\ud83db', 'a\ufffdb'],
  ])('%s', (_, text, safe) => {
    expect(sanitize(text)).toBe(safe);
  });
});

describe('left as it is', () => {
  test.each([
    ['plain text in lines', 'one\n\ttwo\n'],
    ['accents, composed or not', 'Città e\u0300'],
    ['other scripts', '日本語 עברית العربية'],
    ['emoji', '🎉 ❤️ 👍🏽 🇮🇹'],
    ['a family', '👩‍👩‍👧‍👦'],
    ['a profession with a colour of skin', '👩🏽‍💻'],
    ['Persian with its non-joiners', 'می‌خواهم'],
    ['Devanagari with its joiners', 'क्‍ष'],
  ])('%s', (_, text) => {
    expect(sanitize(text)).toBe(text);
  });

  test('but the line ends of Windows become ours', () => {
    expect(sanitize('one\r\ntwo\r\n')).toBe('one\ntwo\n');
  });
});

test('one line stays one line', () => {
  expect(sanitizeLine('a\nb\r\nc\t\td\u2028e')).toBe('a b c d\ufffde');
});

test('making safe twice changes nothing more', () => {
  for (const text of ['a\u001b[31mb\r\u202e', '❤️‍🔥', 'a\u200d\u200db']) {
    const once = sanitize(text);
    expect(sanitize(once)).toBe(once);
  }
});
