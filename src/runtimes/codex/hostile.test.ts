/** Files that nobody meant to be read: whatever they hold, reading neither throws nor hangs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Transcript } from '../../core/transcript/step.ts';
import { runs } from '../../../test/property/seed.ts';
import { compose } from './compose.ts';
import { read } from './read/read.ts';

const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/codex');
const lines = readdirSync(fixtures)
  .filter((name) => !name.endsWith('.json'))
  .flatMap((name) => readdirSync(join(fixtures, name)).map((file) => join(fixtures, name, file)))
  .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  .filter((line) => line !== '');

/** What holds of every transcript. */
function sound(transcript: Transcript): boolean {
  const { steps, unanswered } = transcript;
  expect(steps.map(({ id }) => id)).toEqual(steps.map((_, place) => place + 1));
  const ids = steps.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { calls = [], results = [] } of steps) {
    const own = new Set(calls.map(({ id }) => id));
    expect(results.every(({ call }) => own.has(call))).toBe(true);
  }
  expect(JSON.stringify(transcript).isWellFormed()).toBe(true);
  expect(unanswered.length).toBeLessThanOrEqual(ids.length);
  return compose(transcript, { id: 'x', folder: '/', now: 0, provider: 'p' }).text !== '';
}

const ofAll = (texts: readonly string[]): Transcript =>
  read(texts.map((text) => new TextEncoder().encode(text)));
const of = (...texts: readonly string[]): Transcript => ofAll(texts);
const item = (payload: string): string => `{"timestamp":"T","type":"response_item","payload":${payload}}`;

describe('single lines', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['NUL bytes', '\u0000\u0000'],
    ['a type that is no text', '{"type":7}'],
    ['a payload that is no object', '{"type":"response_item","payload":[1]}'],
    ['an unknown type', '{"type":"constructor","payload":{}}'],
    ['an unknown item', item('{"type":"hasOwnProperty"}')],
  ])('%s is counted and nothing more', (_, line) => {
    const transcript = of(line);
    expect(transcript.steps).toEqual([]);
    expect(transcript.omissions).toHaveLength(1);
    sound(transcript);
  });

  test('bytes that are no UTF-8 do not stop the rest', () => {
    const transcript = read([
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from(item('{"type":"message","role":"user","content":"hi"}')),
    ]);
    expect(transcript.steps).toMatchObject([{ source: 'user', text: 'hi' }]);
  });

  test('a prototype in a record is a field like any other', () => {
    const transcript = of(
      '{"__proto__":{"type":"response_item"},"payload":{}}',
      item('{"__proto__":{"type":"message","role":"user","content":"no"}}'),
      item(
        '{"type":"function_call","name":"f","call_id":"__proto__","arguments":"{\\"__proto__\\":{\\"polluted\\":1}}"}',
      ),
      item('{"type":"function_call_output","call_id":"__proto__","output":"x"}'),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(transcript.steps).toHaveLength(1);
    expect(Object.keys(transcript.steps[0]?.calls?.[0]?.args ?? {})).toEqual(['__proto__']);
    sound(transcript);
  });

  test('of a field that is there twice the last counts', () => {
    expect(
      of(item('{"type":"message","role":"assistant","role":"user","content":"a","content":"b"}')).steps,
    ).toMatchObject([{ source: 'user', text: 'b' }]);
  });

  test('half a surrogate pair becomes a replacement character', () => {
    const transcript = of(
      item('{"type":"message","role":"user","content":"a\\ud800b"}'),
      item(
        '{"type":"function_call","name":"f\\udc00","call_id":"\\ud800","arguments":"{\\"\\\\ud800\\":\\"\\\\udc00\\"}"}',
      ),
    );
    expect(transcript.steps[0]?.text).toBe('a\ufffdb');
    sound(transcript);
  });

  test('values that nest a hundred thousand deep are no danger', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const transcript = of(
      item(`{"type":"message","role":"user","content":${deep}}`),
      item(
        `{"type":"function_call","name":"f","call_id":"1","arguments":${JSON.stringify(`{"a":${deep}}`)}}`,
      ),
      item(`{"type":"local_shell_call","call_id":"2","action":{"a":${deep}}}`),
      item(`{"type":"function_call_output","call_id":"1","output":${deep}}`),
      `{"type":"compacted","payload":{"replacement_history":${deep}}}`,
    );
    expect(transcript.steps[1]?.calls?.[0]).toMatchObject({ args: {} });
    sound(transcript);
  });
});

describe('many lines', () => {
  test('a hundred thousand calls in one answer, and as many compactions, are read without a square of their number', () => {
    const count = 100_000;
    const calls = Array.from({ length: count }, (_, place) =>
      item(`{"type":"function_call","name":"f","call_id":"${place}","arguments":"{}"}`),
    );
    const outputs = Array.from({ length: count }, (_, place) =>
      item(`{"type":"function_call_output","call_id":"${place}","output":"x"}`),
    );
    const compactions = Array.from(
      { length: count },
      () => '{"type":"compacted","payload":{"message":"m","replacement_history":[]}}',
    );
    const { steps, unanswered } = ofAll([...calls, ...outputs, ...compactions]);
    expect([steps.length, steps[0]?.results?.length, unanswered.length]).toEqual([count + 1, count, 0]);
  });

  test('a record with a hundred thousand parts is read', () => {
    const parts = Array.from({ length: 150_000 }, () => '{"type":"summary_text","text":"x"}').join(',');
    const transcript = of(
      item(`{"type":"reasoning","summary":[${parts}]}`),
      item(`{"type":"message","role":"user","content":[${parts}]}`),
      item(`{"type":"function_call","name":"f","call_id":"1","arguments":"{}"}`),
      item(`{"type":"function_call_output","call_id":"1","output":[${parts}]}`),
    );
    expect(transcript.steps.map(({ source }) => source)).toEqual(['agent', 'user', 'agent']);
  });
});

function changed(value: unknown, path: readonly number[], other: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const part = changed((value as Record<string, unknown>)[key], rest, other);
  return Array.isArray(value)
    ? value.map((one: unknown, place) => (String(place) === key ? part : one))
    : { ...value, [key]: part };
}

describe('changed fixtures', () => {
  const wrong = fc.constantFrom<unknown>(
    null,
    0,
    -1,
    '',
    'x',
    [],
    {},
    [null],
    { type: 'message' },
    true,
    '\ud800',
  );

  /** A value with one of its parts, anywhere, made another. */

  const some = fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 30 });

  test('records with parts of another type, in any order, are read', () => {
    const change = fc.tuple(fc.array(fc.nat(), { maxLength: 6 }), wrong);
    fc.assert(
      fc.property(some, fc.array(change, { maxLength: 30 }), (picked, changes) => {
        const made = picked.map((line, place) => {
          const [path, other] = changes[place] ?? [];
          return path === undefined ? line : (JSON.stringify(changed(JSON.parse(line), path, other)) ?? '');
        });
        expect(sound(of(...made))).toBe(true);
      }),
      runs(300),
    );
  });

  test('records with bytes cut, doubled or replaced are read', () => {
    fc.assert(
      fc.property(
        some,
        fc.array(fc.tuple(fc.nat(), fc.nat(20), fc.uint8Array({ maxLength: 8 })), { maxLength: 10 }),
        (picked, cuts) => {
          const made = picked.map((line, place) => {
            const bytes = Buffer.from(line);
            const [at, length, put] = cuts[place] ?? [];
            if (at === undefined || length === undefined || put === undefined) return bytes;
            const from = at % bytes.length;
            return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + length)]);
          });
          expect(sound(read(made))).toBe(true);
        },
      ),
      runs(300),
    );
  });
});
