/** Canonical JSON, byte for byte as the library by the authors of RFC 8785 writes it. */
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical } from '../../src/core/journal/canonical.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { runs } from './seed.ts';

/** Texts of every kind: plain, escaped, beyond the first plane, and with halves of a pair alone. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '/', '\u0000', '\u001f', '\u007f', '\u2028', 'é', '😀'),
  }),
  fc
    .array(fc.integer({ min: 0xd700, max: 0xe100 }), { maxLength: 4 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ minLength: 95, maxLength: 110 }),
);
const wellFormed = text.map((given) => given.toWellFormed());
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 1e21, 1e-7, 2 ** 53, Number.MIN_VALUE, Number.MAX_VALUE),
);
/** Names that a program might confuse with its own. */
const name = fc.oneof(wellFormed, fc.constantFrom('1', '10', '9', '__proto__', 'constructor', 'length', ''));

function values(leaf: fc.Arbitrary<unknown>, key: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 6 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 30 }).map((fields) => Object.fromEntries(fields)),
    ),
  })).value;
}

const plain = values(fc.oneof(wellFormed, number, fc.boolean(), fc.constant(null)), name);
const odd = values(
  fc.oneof(
    text,
    fc.double(),
    fc.bigInt(),
    fc.date(),
    fc.constantFrom(undefined, Symbol('s'), () => 1, Object(1), Object('boxed'), Object(true)),
    fc.constantFrom({ toJSON: () => 'x' }, { toJSON: () => undefined }, { toJSON: 1 }, new Map([[1, 2]])),
    fc.constant(Object.assign([1], { toJSON: () => [2] })),
    fc.constant(Object.assign(Object.create(null) as object, { b: 1, a: 2 })),
  ),
  fc.oneof(name, text),
);

function outcome(write: () => string | undefined): string {
  try {
    return write() ?? 'nothing';
  } catch {
    return 'refused';
  }
}

test('plain values are written as the library writes them', () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(canonical(value)).toBe(canonicalize(value));
    }),
    runs(2000),
  );
});

test('any value is written as the library writes it, or refused where the library refuses', () => {
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 3 }), (value) => {
      expect(outcome(() => canonical(value))).toBe(outcome(() => canonicalize(value)));
    }),
    runs(2000),
  );
});

/**
 * JSON.parse of Node 24 takes a name that is escaped for one that it read before in the same place, if that one begins as the escaped
 * spelling does: after `{"x":1,"\\\\":1}` the name in `{"x":1,"\\t":1}` is read as a backslash (seen with 24.21; not with 22.23).
 */
const withoutBackslash = values(
  fc.oneof(wellFormed, number, fc.boolean(), fc.constant(null)),
  name.map((given) => given.replaceAll('\\', '/')),
);

test('what is written and read again is written the same', () => {
  fc.assert(
    fc.property(withoutBackslash, (value) => {
      const text = canonical(value);
      expect(canonical(JSON.parse(text))).toBe(text);
    }),
    runs(500),
  );
});

test('a value that contains itself is refused, and one as deep as it likes is not', () => {
  const round: unknown[] = [];
  round.push({ again: round });
  let error: unknown;
  try {
    canonical(round);
  } catch (thrown) {
    error = thrown;
  }
  expect(isStaffettaError(error, 'invalid-input')).toBe(true);
  const depth = 5000;
  expect(canonical(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toHaveLength(2 * depth);
});
