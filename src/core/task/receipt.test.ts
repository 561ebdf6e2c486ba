import { expect, test } from 'vitest';
import { limits } from '../base/limits.ts';
import { receiptFlaw } from './receipt.ts';

class Order {
  readonly id = 7;
}

const ring: { self?: unknown } = {};
ring.self = ring;
const holed: number[] = [1];
holed[2] = 3;
let deep: unknown = 1;
for (let n = 0; n < 300; n += 1) deep = [deep];

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'é🧰'],
  ['a number', -1.5e300],
  ['a list', [1, 'two', null, [true]]],
  ['an object', { a: { b: [] }, c: undefined }],
  ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 })],
  ['the same object twice', { a: holed.slice(0, 1), b: holed.slice(0, 1) }],
])('%s is a receipt', (_what, value) => {
  expect(receiptFlaw(value)).toBeUndefined();
});

test.each<[unknown, string]>([
  [10n, 'it is a bigint'],
  [Number.NaN, 'it is NaN'],
  [{ size: Number.POSITIVE_INFINITY }, '.size is Infinity'],
  ['x\ud800', 'it is not well-formed Unicode'],
  [{ 'x\ud800': 1 }, 'it has a name that is not well-formed Unicode'],
  [() => 1, 'it is a function'],
  [Symbol('x'), 'it is a symbol'],
  [{ at: [new Date(0)] }, '.at[0] is a Date'],
  [new Map([[1, 2]]), 'it is a Map'],
  [{ order: new Order() }, '.order is a Order'],
  [Buffer.from('x'), 'it is a Buffer'],
  [{ toJSON: () => 1 }, 'it is an object with toJSON'],
  [{ [Symbol('x')]: 1 }, 'it is an object with symbols'],
  [[1, undefined], '[1] is undefined'],
  [holed, 'it is a list with holes or names'],
  [ring, '.self leads back to itself'],
  [deep, 'it is nested more than 200 deep'],
])('what JSON would change is none: %s', (value, flaw) => {
  expect(receiptFlaw(value)).toBe(flaw);
});

test('the longest receipt is as long as a blob may be', () => {
  expect(receiptFlaw('x'.repeat(limits.blobBytesMax - 2))).toBeUndefined();
  expect(receiptFlaw('x'.repeat(limits.blobBytesMax))).toContain('the limit is 16777216');
});
