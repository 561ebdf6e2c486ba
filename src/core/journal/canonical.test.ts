import { describe, expect, test } from 'vitest';
import { canonical } from './canonical.ts';
import { utf8 } from '../base/utf8.ts';
import { isStaffettaError } from '../base/error.ts';

function refusal(value: unknown): unknown {
  try {
    return canonical(value);
  } catch (error) {
    return error;
  }
}

describe('canonical JSON', () => {
  test('the order in which fields were written does not matter', () => {
    expect(canonical({ b: 1, a: { d: [], c: null } })).toBe('{"a":{"c":null,"d":[]},"b":1}');
    expect(canonical({ a: { c: null, d: [] }, b: 1 })).toBe(canonical({ b: 1, a: { d: [], c: null } }));
  });

  test('fields are ordered by UTF-16 code units, as RFC 8785 asks', () => {
    expect(canonical({ '\u20ac': 1, '\r': 2, '\u{1f600}': 3, '\ufb33': 4, '1': 5, '\u0080': 6 })).toBe(
      '{"\\r":2,"1":5,"\u0080":6,"\u20ac":1,"\u{1f600}":3,"\ufb33":4}',
    );
  });

  test('numbers and strings have one spelling', () => {
    expect(canonical([1e21, 1e-7, -0, 4.5, 100])).toBe('[1e+21,1e-7,0,4.5,100]');
    expect(canonical('\u000f\n\u0022\\/é\u2028')).toBe('"\\u000f\\n\\"\\\\/é\u2028"');
  });

  test('what is undefined is left out', () => {
    expect(canonical({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  test.each([
    ['half a surrogate pair', { a: 'x\ud800' }],
    ['half a surrogate pair in a field name', { 'x\udc00': 1 }],
    ['not-a-number', { at: Number.NaN }],
    ['infinity', [Number.POSITIVE_INFINITY]],
  ])('%s has no canonical form and is refused as bad input', (_what, value) => {
    const error = refusal(value);
    expect(isStaffettaError(error, 'invalid-input')).toBe(true);
    expect(isStaffettaError(error) && error.hint).toBeTruthy();
  });
});

test('bytes that are not UTF-8 throw instead of turning into question marks', () => {
  expect(utf8(Buffer.from('é'))).toBe('é');
  expect(utf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  for (const bad of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80]])
    expect(() => utf8(Uint8Array.from(bad))).toThrow(TypeError);
});
