import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowBytes, percentDecoded, uncoloured, unescaped, type View } from './view.ts';
import { runs } from '../../../../test/property/seed.ts';

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** What the source holds for a part of the view. */
function source(view: View, text: string, part: string): string {
  const at = view.text.indexOf(part);
  return text.slice(view.sourceStart(at), view.sourceEnd(at + part.length));
}

describe('escapes', () => {
  test.each([
    ['a line break', String.raw`a\nb`, 'a\nb'],
    ['a quote', String.raw`\"a\"`, '"a"'],
    ['a slash', String.raw`https:\/\/x`, 'https://x'],
    ['a letter by its number', String.raw`\u0041\x42`, 'AB'],
    ['a letter beyond ASCII, as its bytes', String.raw`\u00e9`, bytesOf('é')],
    ['a pair of surrogates, as its bytes', String.raw`\ud83e\uddf0`, bytesOf('🧰')],
    ['a backslash', String.raw`\\n`, String.raw`\n`],
  ])('%s is shown as what it stands for', (_what, text, shown) => {
    expect(unescaped(text).text).toBe(shown);
  });

  test('what is no escape stays as it is', () => {
    for (const text of ['C:\\data', '\\d+', '\\u00', '\\u12G4', '\\xZ1', 'end\\'])
      expect(unescaped(text).text).toBe(text);
  });

  test('a part of the view leads back to what it was made of', () => {
    const text = String.raw`say \u0041KIA\n now`;
    expect(source(unescaped(text), text, 'AKIA')).toBe(String.raw`\u0041KIA`);
    expect(source(unescaped(text), text, '\n')).toBe(String.raw`\n`);
  });

  test('half of what an escape stands for leads back to all of it', () => {
    const text = String.raw`a\u00e9b`;
    const view = unescaped(text);
    expect(text.slice(view.sourceStart(2), view.sourceEnd(3))).toBe(String.raw`\u00e9`);
    expect(text.slice(view.sourceStart(1), view.sourceEnd(2))).toBe(String.raw`\u00e9`);
  });

  test('the view of a JSON string is its value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const json = Buffer.from(JSON.stringify(value)).toString('latin1').slice(1, -1);
        expect(unescaped(json).text).toBe(bytesOf(value));
      }),
      runs(100),
    );
  });

  test('any part of the view leads back to JSON that holds at least that part', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (value, a, b) => {
        const json = Buffer.from(JSON.stringify(value)).toString('latin1').slice(1, -1);
        const view = unescaped(json);
        const start = a % (view.text.length + 1);
        const end = start + (b % (view.text.length - start + 1));
        fc.pre(start < end);
        const back = json.slice(view.sourceStart(start), view.sourceEnd(end));
        expect(unescaped(back).text).toContain(view.text.slice(start, end));
        expect(() => {
          JSON.parse(`"${back}"`);
        }).not.toThrow();
      }),
      runs(100),
    );
  });
});

describe('percent-encoding', () => {
  test('what a URL encodes is shown as it is', () => {
    expect(percentDecoded('a%20b%2Fc%2f').text).toBe('a b/c/');
  });

  test('a percent sign that encodes nothing stays', () => {
    for (const text of ['100%', '%', '%4', '%zz', '%%']) expect(percentDecoded(text).text).toBe(text);
  });

  test('a part of the decoded view leads back to what it was made of', () => {
    expect(source(percentDecoded('x%41KIA%20y'), 'x%41KIA%20y', 'AKIA')).toBe('%41KIA');
  });

  test('every encoded component is decoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(percentDecoded(encodeURIComponent(value)).text).toBe(bytesOf(value));
      }),
      runs(100),
    );
  });
});

describe('colours', () => {
  test('are taken out, and what stood between them leads back to itself', () => {
    const text = 'a \u001b[01;31m\u001b[Ktoken\u001b[m b';
    expect(uncoloured(text).text).toBe('a token b');
    expect(source(uncoloured(text), text, 'token')).toBe('token');
  });

  test('inside a word belong to it', () => {
    const text = 'to\u001b[31mken';
    expect(source(uncoloured(text), text, 'token')).toBe(text);
  });
});

describe('two-byte characters', () => {
  const text = 'NAME=value, and some more of it';

  test('text in UTF-16 of either order is seen', () => {
    const little = Buffer.from(text, 'utf16le');
    expect(lowBytes(little)?.text).toBe(text);
    expect(lowBytes(Buffer.from(little).swap16())?.text).toBe(text);
  });

  test('a place in it leads back to both bytes of the character', () => {
    const view = lowBytes(Buffer.from(text, 'utf16le'));
    expect([view?.sourceStart(5), view?.sourceEnd(10)]).toEqual([10, 20]);
  });

  test('other bytes are not taken for it', () => {
    expect(lowBytes(Buffer.from(text))).toBeUndefined();
    expect(lowBytes(Buffer.alloc(64))).toBeUndefined();
  });
});
