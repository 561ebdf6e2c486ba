/** Parsing in a hurry: whatever it accepts, the schema library accepts too, and makes the same of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Contract, parseContract } from '../../src/core/contract/contract.ts';
import { parseEntry, type Entry } from '../../src/core/journal/entry.ts';
import { eventShape } from '../../src/core/journal/event.ts';
import { Packet, parsePacket } from '../../src/core/packet/packet.ts';
import { canonical } from '../../src/core/journal/canonical.ts';
import { quickCheck, quickCopy, unsure } from '../../src/core/base/quick-copy.ts';
import { runs } from './seed.ts';

interface Sample {
  readonly shape: z.ZodMiniType;
  readonly value: unknown;
}

/** Every type of event with every field it can have, packets and contracts: the corpus has them. */
const corpus = join(import.meta.dirname, '..', 'corpus', 'v1');
const files = (folder: string): Buffer[] =>
  readdirSync(join(corpus, folder)).map((name) => readFileSync(join(corpus, folder, name)));
const entries: Entry[] = files('journals').flatMap((file) =>
  file
    .toString()
    .trim()
    .split('\n')
    .map((line) => parseEntry((JSON.parse(line) as { body: string }).body)),
);
const samples: readonly Sample[] = [
  ...entries.flatMap(({ events }) =>
    events.flatMap((value) => readable(eventShape(value.type) ?? z.never(), () => value)),
  ),
  ...files('blobs').flatMap((file) => [
    ...readable(Packet, () => parsePacket(file)),
    ...readable(Contract, () => parseContract(file)),
  ]),
];

function readable(shape: z.ZodMiniType, read: () => unknown): Sample[] {
  try {
    return [{ shape, value: read() }];
  } catch {
    return [];
  }
}

type Bag = Record<string, unknown>;

/** Every object and list inside a value, with the value itself. */
function inside(value: unknown): Bag[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Bag, ...Object.values(value).flatMap(inside)];
}

const oddity = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    true,
    '',
    ' ',
    'x',
    'sha256:00',
    'a'.repeat(300),
    'a'.repeat(40_000),
    '\ud800',
  ),
  fc.constantFrom<unknown>(0, -0, -1, 1, 2, 1.5, 2 ** 60, Number.NaN, [], {}, [''], ['x'], { text: 'x' }),
  fc.constantFrom<unknown>(new Date(0), Object.create({ type: 'note' }), Array.from({ length: 3 }), {
    __proto__: null,
    v: 1,
  }),
  fc.anything(),
);

/** A sample with one thing in it replaced, taken away or added. */
const spoilt = fc
  .record({
    sample: fc.constantFrom(...samples),
    where: fc.nat(),
    field: fc.nat(),
    change: fc.constantFrom('replace', 'remove', 'add'),
    odd: oddity,
  })
  .map(({ sample, where, field, change, odd }) => {
    const value = structuredClone(sample.value);
    const bags = inside(value);
    const bag = bags[where % bags.length] ?? {};
    const keys = Object.keys(bag);
    const key = keys[field % keys.length] ?? 'more';
    if (change === 'remove') delete bag[key];
    else bag[change === 'add' ? 'more' : key] = odd;
    return { shape: sample.shape, value };
  });

/** The same with its fields in another order, as stored bytes have them. */
function sorted(value: unknown): unknown {
  return JSON.parse(canonical(value));
}

test('everything sound is recognised as such and copied, its fields in the order of the shape', () => {
  expect(samples.length).toBeGreaterThan(80);
  for (const { shape, value } of samples) {
    const copy = quickCopy(shape, value);
    expect(copy).toStrictEqual(value);
    expect(copy).not.toBe(value);
    expect(JSON.stringify(quickCopy(shape, sorted(value)))).toBe(JSON.stringify(shape.parse(value)));
    expect(quickCheck(shape, value)).toBe(true);
  }
});

test('what it accepts, the library accepts with the same result', () => {
  let accepted = 0;
  let doubted = 0;
  fc.assert(
    fc.property(spoilt, ({ shape, value }) => {
      const copy = quickCopy(shape, value);
      expect(quickCheck(shape, value)).toBe(copy !== unsure);
      if (copy === unsure) {
        doubted += 1;
        return;
      }
      accepted += 1;
      const parsed = shape.safeParse(value);
      expect(parsed.success).toBe(true);
      expect(copy).toStrictEqual(parsed.data);
    }),
    runs(5000),
  );
  expect(accepted).toBeGreaterThan(0);
  expect(doubted).toBeGreaterThan(0);
});

test.each([
  ['an object that tolerates unknown fields', z.looseObject({ a: z.string() }), { a: 'x' }],
  ['an object that drops unknown fields', z.object({ a: z.string() }), { a: 'x', b: 1 }],
  ['a default', z.strictObject({ a: z._default(z.string(), 'x') }), {}],
  [
    'a transformation',
    z.pipe(
      z.string(),
      z.transform((text) => text.length),
    ),
    'x',
  ],
  ['a check that changes the text', z.string().check(z.trim()), ' x '],
  ['a number made of a text', z.coerce.number(), 1],
])('%s is left to the library', (_what, shape, value) => {
  expect(quickCopy(shape, value)).toBe(unsure);
});
