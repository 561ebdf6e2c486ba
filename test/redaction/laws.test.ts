/** What holds for every text: P11, and that redaction spoils nothing around a secret. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finderOf, valuesIn } from '../../src/core/redact/learned.ts';
import { Passage } from '../../src/core/redact/scan/passage.ts';
import { fingerprintWith } from '../../src/core/redact/placeholder.ts';
import { createRedactor } from '../../src/core/redact/redactor.ts';
import { anchored } from '../../src/core/redact/rules.ts';
import { createScan } from '../../src/core/redact/scan/scan.ts';
import { runs } from '../property/seed.ts';
import { isWhole, sample } from '../support/sample.ts';
import { kinds, Random } from './kinds.ts';

const key = Buffer.alloc(32, 3);
const known = ['tr0ub4', 'dor-3x'].join('');
const redactor = createRedactor({ key, values: [known] });
const scan = createScan(anchored([known]));

const secret = fc
  .tuple(fc.constantFrom(...kinds), fc.nat({ max: 50 }))
  .map(([kind, n]) => ({ kind, text: kind.make(new Random(`${kind.name} ${n}`)).text }));
const word = fc.constantFrom(
  'password',
  'token',
  'a',
  '=',
  ':',
  ' ',
  '\\',
  '"',
  "'",
  '%41',
  '\\u0041',
  '\\n',
  '://',
  '@',
  '[redacted:jwt:0123456789ab]',
  '[redacted:',
  'é',
  '🧰',
  known,
  '-----BEGIN',
  '{',
  '}',
  ',',
  '+',
  '-',
  '\n  ',
  'password:\n  ',
  'api_token: |\n  ',
  '- name: DB_PASSWORD\n  value: ',
  'String secret =\n    "',
  '\\\n',
  '\u200b',
  'k9jL2mN4',
);
const piece = fc.oneof(
  { weight: 3, arbitrary: secret.map(({ text }) => text) },
  { weight: 2, arbitrary: secret.map(({ kind, text }) => `${kind.variable}="${text}"`) },
  { weight: 1, arbitrary: secret.map(({ text }) => JSON.stringify({ a: text, password: text })) },
  { weight: 1, arbitrary: secret.map(({ text }) => encodeURIComponent(text)) },
  { weight: 1, arbitrary: secret.map(({ text }) => Buffer.from(text).toString('base64')) },
  { weight: 1, arbitrary: secret.map(({ text }) => text.slice(3, -3)) },
  { weight: 4, arbitrary: fc.array(word, { maxLength: 8 }).map((words) => words.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('', '\n', ' ', '\n+', '\n-', '", "', '\r\n')), { maxLength: 8 })
  .map((pieces) => pieces.map(([one, between]) => one + between).join(''));

async function inPieces(bytes: Uint8Array, cuts: readonly number[], pieceBytes: number): Promise<Buffer> {
  const passage = new Passage(scan, fingerprintWith(key), { pieceBytes });
  const output: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    output.push(...passage.push(bytes.subarray(from, cut)));
    from = cut;
  }
  output.push(...passage.end());
  const once = Buffer.concat(output);
  // What was given out cannot be taken back: a stream is searched again for what was recognised in it, as the whole is.
  const learned = valuesIn([passage.redactions()]);
  if (learned.length === 0 || !finderOf(learned)(once)) return once;
  return Buffer.from((await redactor.knowing(learned).bytes(once)).value);
}

function tries(count: number): ReturnType<typeof runs> {
  return runs(isWhole ? 5 * count : count);
}

describe('any text', () => {
  test('gives the same outcome again', async () => {
    const other = createRedactor({ key, values: [known] });
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        expect(await other.text(input)).toEqual(await redactor.text(input));
      }),
      tries(25),
    );
  });

  test('is settled: redacting the outcome changes nothing and finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const once = await redactor.text(input);
        const twice = await redactor.text(once.value);
        expect(twice.value).toBe(once.value);
        expect(twice.redactions.findings).toEqual([]);
      }),
      tries(100),
    );
  });

  test('keeps its lines', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const { value } = await redactor.text(input);
        expect(value.split('\n')).toHaveLength(input.split('\n').length);
      }),
      tries(25),
    );
  });

  test('holds no known value any more', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { value } = await redactor.text(`${before} ${known} ${after}`);
        expect(value).not.toContain(known);
      }),
      tries(25),
    );
  });
});

/** The same with every string, and every name, replaced by nothing. */
function shape(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.values(value).map(shape);
}

describe('any JSON', () => {
  const planted = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof<fc.Arbitrary<unknown>[]>(
      { depthSize: 'small' },
      fc.constantFrom(null, true, false, 0, -1.5, 1e21, 123_456_789_012),
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(
          fc.constantFrom('password', 'API_TOKEN', 'authorization', 'cookie', 'name', 'value', 'a"b\\c'),
          text,
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;

  test.each([
    ['on one line', undefined],
    ['on many lines', 2],
    ['indented by tabs', '\t'],
  ])('%s stays JSON of the same structure', async (_what, indent) => {
    await fc.assert(
      fc.asyncProperty(planted, async (value) => {
        const json = JSON.stringify(value, null, indent);
        const output = await redactor.text(json);
        const parsed: unknown = JSON.parse(output.value);
        // Two names that were different secrets of the same form may not become one.
        expect(shape(parsed)).toEqual(shape(JSON.parse(json)));
      }),
      tries(60),
    );
  });

  test('keeps strings without secrets byte for byte, escapes and all', async () => {
    const record = String.raw`{"a":"caf\u00e9 \/ \u003cb\u003e","password":"q8ZtV2nL0pXw${'R7kD'}","b":"\ud83e\uddf0"}`;
    const { value } = await redactor.text(record);
    expect(value).toMatch(
      /^\{"a":"caf\\u00e9 \\\/ \\u003cb\\u003e","password":"\[redacted:assigned-secret:[0-9a-f]{12}\]","b":"\\ud83e\\uddf0"\}$/,
    );
  });
});

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.from('an ordinary line\n'.repeat(1000));
}

describe('a stream', () => {
  test('gives the outcome of the whole, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.nat({ max: 3000 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 400 }),
        async (input, cuts, pieceBytes) => {
          const bytes = Buffer.from(input);
          const whole = await redactor.bytes(bytes);
          const inside = cuts.map((cut) => Math.min(cut, bytes.length));
          expect((await inPieces(bytes, inside, pieceBytes)).equals(whole.value)).toBe(true);
        },
      ),
      tries(60),
    );
  });

  const tricky = [
    `{"type":"user","content":"it printed\\n${kinds[0]?.make(new Random('a')).text ?? ''}"}`,
    kinds.find(({ name }) => name === 'RSA key')?.make(new Random('b')).text ?? '',
    'a line of é and 🧰',
    `+${
      kinds
        .find(({ name }) => name === 'OpenSSH key')
        ?.make(new Random('c'))
        .text.replaceAll('\n', '\n+') ?? ''
    }`,
    `DB_PASSWORD=${known}`,
    kinds
      .find(({ name }) => name === 'PGP key')
      ?.make(new Random('d'))
      .text.slice(0, -60) ?? '',
  ].join('\n');

  test('gives the outcome of the whole, cut at every byte', async () => {
    const bytes = Buffer.from(tricky);
    const whole = Buffer.from((await redactor.bytes(bytes)).value);
    expect(whole.toString()).toMatch(/redacted:private-key/);
    const cuts = Array.from({ length: bytes.length + 1 }, (_, cut) => cut);
    for (const cut of sample('cuts of a stream', cuts, { oneIn: 10 }))
      expect((await inPieces(bytes, [cut], 1)).equals(whole), `cut at ${cut}`).toBe(true);
  });

  test('gives the outcome of the whole, byte by byte', async () => {
    const bytes = Buffer.from(tricky);
    const whole = await redactor.bytes(bytes);
    const cuts = Array.from({ length: bytes.length }, (_, i) => i);
    for (const pieceBytes of [1, 7, 64, 1000])
      expect((await inPieces(bytes, cuts, pieceBytes)).equals(whole.value)).toBe(true);
  });

  test('gives the same account as the whole', async () => {
    const bytes = Buffer.from(`${tricky}\n`.repeat(300));
    const stream = redactor.stream([bytes.subarray(0, 100_000), bytes.subarray(100_000)]);
    const output: Uint8Array[] = [];
    for await (const part of stream) output.push(part);
    const whole = await redactor.bytes(bytes);
    expect(Buffer.concat(output).equals(whole.value)).toBe(true);
    expect(stream.redactions()).toEqual(whole.redactions);
  });

  test('gives out what is certain before it has seen the end', async () => {
    let given = 0;
    for await (const part of redactor.stream(endless())) {
      given += part.length;
      if (given > 2_000_000) break;
    }
    expect(given).toBeGreaterThan(2_000_000);
  });
});
