import { describe, expect, test } from 'vitest';
import { alikeAmong, isAlike } from './alike.ts';

describe('names that look alike', () => {
  test.each([
    ['case', 'Alice'],
    ['all capitals', 'ALICE'],
    ['a Cyrillic і', 'al\u0456ce'],
    ['Cyrillic а, с and е', '\u0430li\u0441\u0435'],
    ['a Cyrillic capital А', '\u0410LICE'],
    ['a Cyrillic palochka for l', 'a\u04cfice'],
    ['Greek letters', '\u03b1l\u03b9ce'],
    ['full-width letters', 'ａｌｉｃｅ'],
    ['mathematical letters', '\u{1d41a}\u{1d425}\u{1d422}\u{1d41c}\u{1d41e}'],
    ['a zero-width space', 'ali\u200bce'],
    ['a soft hyphen', 'ali\u00adce'],
    ['a filler that counts as a letter', 'ali\u3164ce'],
    ['a capital I for l, and one for i', 'aIIce'],
    ['a one for l', 'a1ice'],
    ['a dotless i', 'al\u0131ce'],
    ['a dotted capital I', 'AL\u0130CE'],
    ['a script a', '\u0251lice'],
  ])('%s', (_, name) => {
    expect(isAlike(name, 'alice')).toBe(true);
    expect(isAlike('alice', name)).toBe(true);
  });

  test.each([
    ['alice', 'alica'],
    ['alice', 'alice-2'],
    ['alice', 'alic'],
    ['worker-1', 'worker-2'],
    ['ian', 'lan'],
    ['josé', 'jose'],
    ['борис', 'boris'],
    ['вера', 'нина'],
  ])('%s and %s are two names', (a, b) => {
    expect(isAlike(a, b)).toBe(false);
  });

  test('names of one script are compared without case too', () => {
    expect(isAlike('Ηλίας', 'ηλίας')).toBe(true);
    expect(isAlike('Straße', 'STRASSE')).toBe(true);
  });

  test('the name itself comes before one that only looks like it', () => {
    expect(alikeAmong('Ada', ['ada', 'Ada'])).toBe('Ada');
    expect(alikeAmong('Ada', ['bea', 'ada'])).toBe('ada');
    expect(alikeAmong('Ada', ['bea'])).toBeUndefined();
  });
});
