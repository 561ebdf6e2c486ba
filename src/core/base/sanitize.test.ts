import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable, sanitize, sanitizeLine } from './sanitize.ts';
import { runs } from '../../../test/property/seed.ts';

const esc = '\u001b';

test('what is passed over as plain is what the rules leave as it is', () => {
  const changed: string[] = [];
  for (let code = 0x20; code < 0x3000; code += 1) {
    const char = String.fromCharCode(code);
    // A control character before it has all rules looked at.
    if (printable(char) === char && printable(`\u0001a${char}`) !== `␁a${char}`) changed.push(char);
  }
  expect(changed).toEqual([]);
});

describe('escape sequences become one visible sign', () => {
  test.each([
    ['a colour', `a${esc}[31mb${esc}[0m`, 'a␛b␛'],
    ['a colour with many parameters', `${esc}[38;2;1;2;3mx`, '␛x'],
    ['a move of the cursor', `${esc}[2J${esc}[1;1Hx`, '␛␛x'],
    ['a private mode', `${esc}[?1049hx`, '␛x'],
    ['a title', `${esc}]0;evil\u0007x`, '␛x'],
    ['a title ended by a string terminator', `${esc}]0;evil${esc}\\x`, '␛x'],
    ['a link', `${esc}]8;;https://evil.test${esc}\\text${esc}]8;;${esc}\\`, '␛text␛'],
    ['the clipboard', `${esc}]52;c;ZXZpbA==\u0007x`, '␛x'],
    ['a device control string', `${esc}P+q544e${esc}\\x`, '␛x'],
    ['an application command', `${esc}_Gi=1;AAAA${esc}\\x`, '␛x'],
    ['a privacy message', `${esc}^hidden${esc}\\x`, '␛x'],
    ['a start of string', `${esc}Xhidden${esc}\\x`, '␛x'],
    ['a change of charset', `${esc}(0x`, '␛x'],
    ['a reset', `${esc}cx`, '␛x'],
    ['8-bit CSI', '\u009b31mx', '␛x'],
    ['8-bit OSC', '\u009d0;evil\u009cx', '␛x'],
    ['8-bit DCS', '\u0090q\u009cx', '␛x'],
    ['8-bit APC', '\u009fx\u009cy', '␛y'],
    ['8-bit PM', '\u009ex\u009cy', '␛y'],
    ['8-bit SOS', '\u0098x\u009cy', '␛y'],
  ])('%s', (_what, text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });

  test('an escape alone, or cut off, does not swallow what follows', () => {
    expect(sanitize(esc)).toBe('␛');
    expect(sanitize(`${esc}[`)).toBe('␛[');
    expect(sanitize(`${esc}[31`)).toBe('␛[31');
    expect(sanitize(`a${esc}\nb`)).toBe('a␛\nb');
  });

  test('a string that never ends hides nothing', () => {
    expect(sanitize(`${esc}]0;title and all the rest`)).toBe('␛0;title and all the rest');
    expect(sanitize(`${esc}]0;title\nnext line\u0007`)).toBe('␛0;title\nnext line␇');
    expect(sanitize(`${esc}P${'x'.repeat(5000)}${esc}\\`)).toContain('x'.repeat(5000));
  });
});

describe('control characters are shown', () => {
  test.each([
    ['a return', 'good\rbad', 'good␍bad'],
    ['a backspace', 'ab\bc', 'ab␈c'],
    ['a NUL', 'a\u0000b', 'a␀b'],
    ['a bell', 'a\u0007b', 'a␇b'],
    ['a vertical tab and a form feed', 'a\u000b\u000cb', 'a␋␌b'],
    ['a delete', 'a\u007fb', 'a␡b'],
    ['a control of the second kind', 'a\u0085b\u0080', 'a\ufffdb\ufffd'],
  ])('%s', (_what, text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });

  test('newlines and tabs stay, and line ends of Windows become newlines', () => {
    expect(sanitize('a\tb\r\nc\n')).toBe('a\tb\nc\n');
  });
});

describe('what is not seen is shown', () => {
  test.each([
    ['an override of direction', 'user\u202eexe.txt'],
    ['an isolate', 'a\u2066b\u2069c'],
    ['a mark of direction', 'a\u200fb\u061cc'],
    ['a zero-width space', 'pass\u200bword'],
    ['a word joiner', 'pass\u2060word'],
    ['a joiner between Latin letters', 'pass\u200dword'],
    ['a byte order mark', '\ufeffa'],
    ['a soft hyphen', 'pass\u00adword'],
    ['a filler', 'a\u3164b\uffa0c\u115fd'],
    ['a line separator', 'a\u2028b\u2029c'],
    ['tag characters', 'a\u{e0068}\u{e0069}b'],
    ['variation selectors in a row', `a\ufe00\ufe01\u{e0100}b`],
    ['variation selectors in a row after an emoji', `😀${'\u{e0121}\u{e0130}'.repeat(5)}b`],
    ['an annotation', 'a\ufff9b\ufffbc'],
    ['a noncharacter', 'a\uffffb\ufdd0c'],
    ['half a surrogate pair', 'a\ud83db'],
  ])('%s', (_what, text) => {
    const shown = sanitize(text);
    expect(shown).toContain('\ufffd');
    expect(shown).toMatch(/^[^\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]*$/u);
  });

  test('a run of it becomes one sign', () => {
    expect(sanitize(`a${'\u{e0041}'.repeat(100)}b`)).toBe('a\ufffdb');
  });

  test('marks piled up are cut', () => {
    const pile = `a${'\u0301'.repeat(100)}b`;
    expect(sanitize(pile)).toBe(`a${'\u0301'.repeat(8)}\ufffdb`);
  });
});

describe('ordinary writing stays', () => {
  test.each([
    ['accents', 'Ünal, café, cafe\u0301, Việt Nam'],
    ['Greek and Cyrillic', 'Ελληνικά и русский'],
    ['Hebrew with points', 'שָׁלוֹם עֲלֵיכֶם'],
    ['Arabic', 'السلام عليكم'],
    ['Persian with its non-joiner', 'می\u200cخواهم'],
    ['Hindi with joiners', 'क्\u200dष और क्\u200cष'],
    ['Sinhala', 'ශ්\u200dරී ලංකා'],
    ['Thai', 'ภาษาไทย น้ำ'],
    ['Tibetan', 'བོད་སྐད་'],
    ['Burmese', 'မြန်မာဘာသာ'],
    ['Mongolian with a selector', 'ᠮᠣᠩᠭᠣᠯ\u180b ᠬᠡᠯᠡ'],
    ['Chinese and Japanese', '中文，日本語の「テスト」。'],
    ['a variant of a Han character', '葛\u{e0100}城'],
    ['Korean', '한국어'],
    ['emoji', '🧰 🎉 ❤️ ☎︎'],
    ['an emoji with a skin tone', '👍🏽'],
    ['a family', '👨\u200d👩\u200d👧\u200d👦'],
    ['a flag made of two', '🏳️\u200d🌈'],
    ['a profession', '👩🏽\u200d💻'],
    ['a keycap', '1️⃣'],
    ['a country', '🇮🇹'],
    ['mathematics', '∀x∈ℝ: ⌈x⌉ ≥ x'],
    ['boxes and blocks', '┌─┐ ▓▒░'],
    ['private use', '\ue0b0'],
  ])('%s', (_what, text) => {
    expect(sanitize(text)).toBe(text);
  });
});

test('one line has no breaks', () => {
  expect(sanitizeLine('a\n\n\tb\r\nc\rd')).toBe('a b c␍d');
});

describe('whatever the text', () => {
  const piece = fc.constantFrom(
    esc,
    `${esc}[`,
    `${esc}]`,
    `${esc}P`,
    `${esc}\\`,
    '\u0007',
    '\u009b',
    '\u009c',
    '\u009d',
    '0;1',
    'm',
    '\r',
    '\n',
    '\t',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\u{e0101}',
    '\u180b',
    '\u0301',
    '\u0301'.repeat(9),
    'क',
    'م',
    'ᠮ',
    '葛',
    '👩',
    '🏽',
    '1',
    '\u202e',
    '\u{e0041}',
    '\ud83d',
    '\ude00',
    '\ufffd',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 30 })
      .map((parts) => parts.join('')),
  );

  test('what is shown holds nothing that acts or hides', () => {
    fc.assert(
      fc.property(text, (input) => {
        const shown = sanitize(input);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
        expect(shown).not.toMatch(
          /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u,
        );
        expect(shown).not.toMatch(/\p{Variation_Selector}{2}|[\u200c\u200d]{2}|\p{M}{9}/u);
        expect(sanitizeLine(input)).not.toMatch(/[\n\t]/);
      }),
      runs(2000),
    );
  });

  test('doing it twice changes nothing more', () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = sanitize(input);
        expect(sanitize(once)).toBe(once);
        expect(sanitizeLine(sanitizeLine(input))).toBe(sanitizeLine(input));
      }),
      runs(2000),
    );
  });

  test('letters, digits and signs are all still there', () => {
    const ordinary = fc.string({
      unit: fc.constantFrom('a', 'é', 'ж', 'م', 'क', '中', '한', '7', '!', ' ', '\n', '🧰'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(ordinary, piece)), (parts) => {
        const shown = sanitize(parts.map(([words, sign]) => `${words}\n${sign}\n`).join(''));
        for (const [words] of parts) expect(shown).toContain(words);
      }),
      runs(100),
    );
  });
});

describe('time grows with the text', () => {
  const million = 1_000_000;
  const fill = (text: string): string => text.repeat(Math.ceil(million / text.length));
  test.each([
    ['strings that never end', fill(`${esc}]`)],
    ['strings that never end, with text', fill(`${esc}]${'a'.repeat(90)}`)],
    ['one string that never ends', `${esc}]${fill('a')}`],
    ['escapes', fill(esc)],
    ['sequences that never end', fill(`${esc}[`)],
    ['parameters without end', `${esc}[${fill('1;')}`],
    ['8-bit strings that never end', fill('\u009d')],
    ['marks', fill('\u0301')],
    ['joiners', fill('\u200d')],
    ['selectors after emoji', fill('😀\ufe0f\ufe0f')],
    ['tags', fill('\u{e0041}')],
    ['halves of pairs', fill('\ud83d')],
    ['emoji', fill('👩\u200d')],
    ['letters', fill('م')],
    ['marks of programs', fill('<a-')],
    ['half marks', fill('<|a')],
    ['blanks in a mark', fill('< ')],
    ['a name without end', `<a-${fill('a')}`],
  ])('%s', (_what, text) => {
    // Quadratic work on a million characters would not end within the time limit of a test.
    expect(sanitize(text)).not.toContain(esc);
  });
});

describe('marks of programs', () => {
  test.each([
    ['</system-reminder>', '‹/system-reminder>'],
    ['<  / System-Reminder >', '‹  / System-Reminder >'],
    ['<user_instructions>', '‹user_instructions>'],
    ['<x:invoke name="x">', '‹x:invoke name="x">'],
    ['<invoke name="Bash">', '‹invoke name="Bash">'],
    ['<parameter name="command">', '‹parameter name="command">'],
    ['</function_calls>', '‹/function_calls>'],
    ['<INSTRUCTIONS>', '‹INSTRUCTIONS>'],
    ['<|im_start|>system', '‹|im_start|>system'],
    ['<<SYS>>', '‹<SYS>>'],
    ['[/INST]', '［/INST]'],
    ['<system-reminder', '‹system-reminder'],
  ])('%s is shown as %s', (text, shown) => {
    expect(sanitize(text)).toBe(shown);
    expect(sanitizeLine(text)).toBe(shown);
    expect(sanitize(shown)).toBe(shown);
    expect(printable(text)).toBe(text);
  });

  test('lines that are joined make none', () => {
    expect(sanitizeLine('<\n\n\n/system-reminder>')).toBe('‹ /system-reminder>');
  });

  test.each(['a < b', 'Map<string, user_id>', '<div class="x">', 'f <| x', 'array[INST_MAX]', 'x<<3', '<b>'])(
    '%s stays as it is',
    (text) => {
      expect(sanitize(text)).toBe(text);
    },
  );
});
