import { describe, expect, test } from 'vitest';
import { displayWidth, fitWidth, pad, wrap, wrapSentences } from './width.ts';

describe('width', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['Città', 5],
    ['Citta\u0300', 5],
    ['日本語', 6],
    ['ｆｕｌｌ', 8],
    ['한글', 4],
    ['🎉', 2],
    ['❤️', 2],
    ['❤', 1],
    ['👩‍👩‍👧‍👦', 2],
    ['👍🏽', 2],
    ['🇮🇹🇩🇪', 4],
    ['→ x', 3],
    ['מי', 2],
  ])('%s takes %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('padding counts columns, not characters', () => {
    expect(pad('日本', 6)).toBe('日本  ');
    expect(pad('longer', 3)).toBe('longer');
  });

  test('cutting never exceeds the width and never splits a character', () => {
    expect(fitWidth('plain text', 10)).toBe('plain text');
    expect(fitWidth('plain text', 6)).toBe('plain…');
    expect(fitWidth('日本語です', 6)).toBe('日本…');
    expect(fitWidth('👩‍👩‍👧‍👦👍🏽🎉', 5)).toBe('👩‍👩‍👧‍👦👍🏽…');
    expect(fitWidth('👩‍👩‍👧‍👦👍🏽🎉', 4)).toBe('👩‍👩‍👧‍👦…');
    expect(fitWidth('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  });

  test('words are laid out in lines, and a word too long stays whole', () => {
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour');
    expect(wrap('one two three', 7, '  ')).toBe('one two\n  three');
    expect(wrap('/a/very/long/path it is', 8)).toBe('/a/very/long/path\nit is');
    expect(wrap('as it is', Number.POSITIVE_INFINITY)).toBe('as it is');
  });

  test('sentences go on below where they began, and a command in them is never broken', () => {
    const said =
      'staffetta: There is no store here.\n  Make one: staffetta open "what should be done". Or look: staffetta ls';
    expect(wrapSentences(said, 26)).toBe(
      [
        'staffetta: There is no',
        'store here.',
        '  Make one:',
        '  staffetta open "what should be done".',
        '  Or look: staffetta ls',
      ].join('\n'),
    );
    expect(wrapSentences('  → why: staffetta show t1', 20)).toBe('  → why:\n    staffetta show t1');
    expect(wrapSentences(said, Number.POSITIVE_INFINITY)).toBe(said);
  });
});
