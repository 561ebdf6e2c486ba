import { describe, expect, test } from 'vitest';
import { limits } from './limits.ts';
import { IdempotencyKey, isName, Name, Text, Title, titleFrom } from './text.ts';

describe('names', () => {
  test.each(['a', '9', 'ada', 'claude-code', 'x.y_z@1.2+b', 'crew/ada', 'Ünal', '名前', 'a'.repeat(64)])(
    '%j is a name',
    (name) => {
      expect(isName(name)).toBe(true);
    },
  );

  test.each([
    ['nothing', ''],
    ['a space', 'a b'],
    ['a leading dash, which a shell takes for an option', '-rf'],
    ['a leading dot, which hides a file', '.ada'],
    ['a leading slash', '/ada'],
    ['a colon, which ends an address kind', 'agent:ada'],
    ['a newline at its end', 'ada\n'],
    ['a NUL', 'a\u0000b'],
    ['an escape', 'a\u001b[31m'],
    ['a right-to-left override', 'a\u202eb'],
    ['a zero-width space', 'a\u200bb'],
    ['a zero-width joiner', 'a\u200db'],
    ['a lone surrogate', 'a\ud800'],
    ['a way out of its folder', 'a/../b'],
    ['a way to its own folder', 'a/./b'],
    ['an empty part', 'a//b'],
    ['a slash at its end', 'a/'],
    ['shell syntax', 'a;b'],
    ['a quote', "a'b"],
    ['one character too many', 'a'.repeat(65)],
  ])('a name with %s is refused', (_what, name) => {
    expect(isName(name)).toBe(false);
    expect(Name.safeParse(name).success).toBe(false);
  });

  test('a name is one sequence of characters: only its composed form is accepted', () => {
    expect(isName('caf\u00e9')).toBe(true);
    expect(isName('cafe\u0301')).toBe(false);
    expect(isName('\u212b')).toBe(false);
    expect(isName('\u1100\u1161')).toBe(false);
  });

  test('a refused name is answered with what a name looks like', () => {
    const parsed = Name.safeParse('a b');
    expect(parsed.error?.issues[0]?.message).toContain('1–64 letters, digits');
  });
});

describe('titles', () => {
  test('a title is one visible line', () => {
    expect(Title.safeParse('Mend the fence 🧰').success).toBe(true);
    for (const bad of [
      '',
      '   ',
      'a\nb',
      'a\tb',
      'a\rb',
      'a\u0007b',
      'a\u2028b',
      'a\u202eb',
      '\ufeffa',
      'a\u200bb',
      'a\u200fb',
      'a\u061cb',
      'a\u2060b',
    ])
      expect([bad, Title.safeParse(bad).success]).toEqual([bad, false]);
  });

  test('a title of the longest length is accepted and one more character is not', () => {
    expect(Title.safeParse('x'.repeat(limits.titleCharsMax)).success).toBe(true);
    expect(Title.safeParse('x'.repeat(limits.titleCharsMax + 1)).success).toBe(false);
  });
});

describe('free text', () => {
  test('text keeps lines, tabs and even escapes as they were written', () => {
    const text = 'one\n\ttwo\u001b[0m';
    expect(Text.parse(text)).toBe(text);
  });

  test('text of nothing but white space is refused', () => {
    for (const blank of ['', ' ', '\n\t']) expect(Text.safeParse(blank).success).toBe(false);
  });

  test('half a surrogate pair has no bytes and is refused', () => {
    expect(Text.safeParse('a\ud83d').success).toBe(false);
    expect(Text.safeParse('a\ud83d\ude00').success).toBe(true);
  });

  test('text is measured in bytes, not in characters', () => {
    expect(Text.safeParse('x'.repeat(limits.textBytesMax)).success).toBe(true);
    expect(Text.safeParse('é'.repeat(limits.textBytesMax / 2)).success).toBe(true);
    const parsed = Text.safeParse('é'.repeat(limits.textBytesMax / 2 + 1));
    expect(parsed.error?.issues[0]?.message).toContain('put longer content into a file');
  });
});

test('an idempotency key has one line, at least one character and at most two hundred', () => {
  for (const good of ['k', 'deploy/2026-01-01 #7', 'x'.repeat(200)])
    expect(IdempotencyKey.safeParse(good).success).toBe(true);
  for (const bad of ['', 'x'.repeat(201), 'a\nb', 'a\u0000b', 'a\u202eb'])
    expect(IdempotencyKey.safeParse(bad).success).toBe(false);
});

describe('a title from a text', () => {
  test('the first line with words becomes the title', () => {
    expect(titleFrom('\n  \n  Mend the   fence \nand paint it')).toBe('Mend the fence');
  });

  test('every control character in it becomes a space', () => {
    expect(titleFrom('a\u0007b\u0007c\u202ed')).toBe('a b c d');
    expect(Title.safeParse(titleFrom('a\u001bb\u001bc')).success).toBe(true);
  });

  test('a long line is cut and says so', () => {
    const title = titleFrom('x'.repeat(500));
    expect(title).toHaveLength(limits.titleCharsMax);
    expect(title.endsWith('…')).toBe(true);
  });

  test('the cut never goes through the middle of a character', () => {
    for (const lead of ['', 'x']) {
      const title = titleFrom(lead + '🧰'.repeat(150));
      expect(title.isWellFormed()).toBe(true);
      expect(Title.safeParse(title).success).toBe(true);
    }
  });
});
