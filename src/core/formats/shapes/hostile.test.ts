/** Bytes may hold anything: nothing of it throws or hangs, and the promises of a transcript hold (RT5, RT7). */
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/property/seed.ts';
import { checkAtif } from '../atif-check.ts';
import { transcriptToAtif } from '../atif.ts';
import type { Transcript } from '../../transcript/step.ts';
import {
  detectShape,
  documentBytesMax,
  lineBytesMax,
  readByShape,
  readRecordsByShape,
  takeApart,
} from './detect.ts';

const encoder = new TextEncoder();

function bytes(value: unknown): Uint8Array {
  return encoder.encode(typeof value === 'string' ? value : JSON.stringify(value));
}

/** What of the promises for every transcript does not hold. */
function broken({ steps, omissions }: Transcript): string[] {
  const ids = steps.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
  const problems = new Set(ids).size === ids.length ? [] : ['two calls have one id'];
  for (const [index, step] of steps.entries()) {
    const own = new Set((step.calls ?? []).map(({ id }) => id));
    const answered = (step.results ?? []).map(({ call }) => call);
    if (step.id !== index + 1) problems.push(`step ${index + 1} has the number ${step.id}`);
    if (typeof step.text !== 'string') problems.push(`step ${step.id} has no text`);
    if (answered.some((call) => !own.has(call))) problems.push(`step ${step.id} has an odd result`);
    if (new Set(answered).size !== answered.length)
      problems.push(`step ${step.id} has two results of a call`);
  }
  return [...problems, ...omissions.filter(({ count }) => count < 1).map(({ kind }) => `no ${kind}`)];
}

const deep = (count: number): string => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`;
const call = (id: string) => ({ type: 'function_call', callId: id, name: 'f', arguments: '{}' });
const result = (id: string) => ({
  type: 'function_call_result',
  callId: id,
  output: 'x',
  status: 'completed',
});

describe('bytes of no shape', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \n\n\t '],
    ['NUL', '\u0000\u0000'],
    ['prose', 'We talked about clocks.\nThen we ate.\n'],
    ['a number', '17'],
    ['an empty list', '[]'],
    ['no messages', '{"messages":[]}'],
    ['a torn list', '[{"role":"user","content":"hi"},'],
    ['other objects', '[{"name":"x"},{"role":"admin","content":"y"}]'],
    ['a few messages among other things', '[{"role":"user","content":"x"},1,2,3,{"a":1}]'],
    ['a session of a program', '{"type":"user","message":{"role":"user","content":"x"}}\n{"type":"summary"}'],
    ['contents of another API', '[{"role":"model","parts":[{"text":"hi"}]}]'],
    ['depth', deep(100_000)],
    ['lists in lists', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['another version', '{"schema_version":"ATIF-v2.0","steps":[]}'],
  ])('%s is null', (_what, text) => {
    expect(readByShape(bytes(text))).toBeNull();
  });

  test('records without a shape are the text that they are, in nobody’s name; what is no text says so', () => {
    const { steps, omissions } = readRecordsByShape([Buffer.from('We talked.'), Buffer.from('{"a":1}')]);
    expect(steps).toMatchObject([
      { source: 'system', text: 'We talked.', record: 0 },
      { source: 'system', text: '{"a":1}', record: 1 },
    ]);
    expect(omissions).toEqual([]);
    for (const bytes of [
      [0xff, 0xfe],
      [0, 65],
    ]) {
      const none = readRecordsByShape([Uint8Array.from(bytes)]);
      expect([none.steps, none.omissions.map(({ kind }) => kind)]).toEqual([[], ['transcript-unread']]);
    }
  });

  test('records that each are a message are read together', () => {
    const records = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ].map(bytes);
    expect(readRecordsByShape(records).steps.map(({ text }) => text)).toEqual(['a', 'b']);
  });
});

describe('hostile documents', () => {
  test.each([
    ['parts that are no objects', [{ id: '1', role: 'user', parts: [{ type: 'text' }, { type: '' }] }]],
    [
      'content that is null',
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null },
      ],
    ],
    ['wrong kinds everywhere', [{ type: 'function_call', callId: 7, name: [], arguments: {} }]],
    ['calls without anything', [{ role: 'assistant', content: '', tool_calls: [null, {}, 3] }]],
    ['results of nothing', [{ type: 'tool', content: { a: 1 }, tool_call_id: 9 }]],
    [
      'a constructor of nothing',
      [
        { lc: 1, type: 'constructor', id: [4], kwargs: {} },
        { type: 'ai', content: 1 },
      ],
    ],
    ['steps that are none', { schema_version: 'ATIF-v1.7', steps: [null, 1, {}, { source: 'agent' }] }],
    ['an agent that is none', { schema_version: 'ATIF-v1.6', agent: [], steps: [], extra: { staffetta: 3 } }],
  ])('%s do no harm', (_what, value) => {
    const read = readByShape(bytes(value));
    expect(read === null ? [] : broken(read)).toEqual([]);
  });

  test.each([
    [
      'arguments',
      `[{"role":"assistant","content":"","tool_calls":[{"id":"c","name":"f","args":${deep(50_000)}}]}]`,
    ],
    [
      'a result',
      `[{"role":"assistant","parts":[{"type":"tool-f","toolCallId":"c","state":"output-available","input":{},"output":${deep(50_000)}}]}]`,
    ],
    ['a field that nobody reads', `[{"role":"user","content":"x","metadata":${deep(50_000)}}]`],
  ])('%s nested without end are left out, and the rest is read', (_what, text) => {
    const read = readByShape(bytes(text));
    expect(read?.steps).toHaveLength(1);
    expect(broken(read ?? readRecordsByShape([]))).toEqual([]);
    expect(() => JSON.stringify(read)).not.toThrow();
  });

  test('embedded trajectories without end are not followed', () => {
    const head =
      '{"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[],"subagent_trajectories":[';
    expect(readByShape(bytes(`${head.repeat(5000)}${']}'.repeat(5000)}`))?.omissions).toMatchObject([
      { kind: 'subagent-trajectory', count: 1 },
    ]);
  });

  test('a prototype cannot be reached, and a key of its name is one of many', () => {
    const read = readByShape(
      bytes(
        '[{"role":"user","content":"x","__proto__":{"role":"system"}},{"role":"assistant","content":"","tool_calls":[{"id":"constructor","name":"f","args":{"__proto__":{"y":1}}}]},{"role":"tool","tool_call_id":"constructor","content":"z"},{"role":"__proto__","content":"w"},{"type":"toString","role":"user","content":"v"}]',
      ),
    );
    expect(read?.steps.map(({ source, text }) => [source, text])).toEqual([
      ['user', 'x'],
      ['agent', ''],
    ]);
    expect(JSON.stringify(read?.steps[1]?.calls?.[0]?.args)).toBe('{"__proto__":{"y":1}}');
    expect(read?.steps[1]?.results?.[0]?.text).toBe('z');
    expect(({} as Record<string, unknown>)['y']).toBeUndefined();
  });

  test('lone surrogates stay as they are', () => {
    expect(readByShape(bytes('[{"role":"user","content":"\\ud800 x"}]'))?.steps[0]?.text).toBe('\ud800 x');
  });

  test('a byte order mark is passed over', () => {
    expect(readByShape(bytes('\ufeff[{"role":"user","content":"x"}]'))?.steps[0]?.text).toBe('x');
  });

  test('a line of 64 MB is left out and counted, and its neighbours are read', () => {
    expect(lineBytesMax).toBeLessThan(64 * 1024 * 1024);
    const first = bytes('{"role":"user","content":"before"}\n');
    const last = bytes('"}\n{"role":"user","content":"after"}\n');
    const head = bytes('{"role":"user","content":"');
    const long = Buffer.concat([first, head, Buffer.alloc(64 * 1024 * 1024, 97), last]);
    const read = readByShape(long);
    expect(read?.steps.map(({ text }) => text)).toEqual(['before', 'after']);
    expect(read?.omissions).toMatchObject([{ kind: 'record-too-large', count: 1 }]);
  });

  test('a document that is too large is not taken apart', () => {
    const head = bytes('[{"role":"user","content":"');
    const long = Buffer.concat([head, Buffer.alloc(documentBytesMax, 97), bytes('"}]')]);
    expect(readByShape(long)).toBeNull();
  });
});

describe('ids that stand twice', () => {
  test('calls get ids of their own, and each result finds its call', () => {
    const read = readByShape(
      bytes([
        call('x'),
        result('x'),
        call('x'),
        call('x'),
        result('x'),
        result('x'),
        call('x~2'),
        result('y'),
      ]),
    );
    expect(
      read?.steps.map(({ calls = [], results = [] }) => [
        calls.map(({ id }) => id),
        results.map((r) => r.call),
      ]),
    ).toEqual([
      [['x'], ['x']],
      [
        ['x~2', 'x~3'],
        ['x~2', 'x~3'],
      ],
      [['x~2~2'], []],
    ]);
    expect(read?.omissions).toMatchObject([{ kind: 'result-without-call', count: 1 }]);
  });

  test('a result belongs to the latest call that waits', () => {
    const read = readByShape(bytes([call('x'), { role: 'user', content: 'again' }, call('x'), result('x')]));
    expect(read?.steps.map(({ results = [] }) => results.length)).toEqual([0, 0, 1]);
  });

  test('calls without ids have results only where they carry them', () => {
    const read = readByShape(
      bytes([
        { ...call(''), callId: null },
        { ...result(''), callId: null },
      ]),
    );
    expect(read?.steps[0]?.calls?.[0]?.id).toBe('call-1');
    expect(read?.omissions).toMatchObject([{ kind: 'result-without-call' }]);
  });

  test('many of them take no longer than others', () => {
    const items = Array.from({ length: 20_000 }, () => [call('same'), call('same'), result('same')]).flat();
    const read = readByShape(bytes(items));
    expect(read?.steps.reduce((sum, { results = [] }) => sum + results.length, 0)).toBe(20_000);
  });
});

/** Some value of the text becomes anything, or some stretch of it goes. */
function changed(text: string, { at, to, value }: { at: number; to: number; value: unknown }): string {
  const places = [...text.matchAll(/(?<=": ?)("[^"\\]*"|true|false|null|\d+|\{\}|\[\])/g)];
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined || to % 7 === 0) {
    const from = at % Math.max(1, text.length);
    return text.slice(0, from) + text.slice(from + (to % 30));
  }
  const end = place.index + place[0].length;
  return `${text.slice(0, place.index)}${JSON.stringify(value)}${text.slice(end)}`;
}

describe('any change of a fixture', () => {
  const folder = join(import.meta.dirname, '../../../../test/transcript/fixtures');
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name !== 'manifest.json')
    .map((item) => readFileSync(join(item.parentPath, item.name), 'utf8'));
  const change = fc.record({ at: fc.nat(), to: fc.nat(), value: fc.jsonValue() });

  test('is read without a throw, keeps the promises, and makes a valid trajectory', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        (text, changes) => {
          const found = detectShape(bytes(changes.reduce(changed, text)));
          if (found === null) return;
          expect(broken(found.transcript)).toEqual([]);
          expect(checkAtif(transcriptToAtif(found.transcript))).toEqual([]);
        },
      ),
      runs(600),
    );
  });

  test('any bytes are read without a throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(bytes)), (given) => {
        const read = readByShape(given);
        expect(read === null ? [] : broken(read)).toEqual([]);
      }),
      runs(500),
    );
  });
});

test('lines that begin as a number or a word of JSON does are members only where they are one', () => {
  const said = '{"role":"user","content":"Carry on."}';
  const read = [said, '12', said, ' true ', said, '-1.5e3', said, 'null'];
  const lines = [...read, '12. Carry on.', 'the fence', '-', 'nullable'];
  const given = Buffer.from(lines.join('\n'));
  const apart = takeApart(given);
  expect(apart?.members.map(({ place }) => place)).toEqual([...read.keys()]);
  expect(apart?.records).toBe(lines.length);
  const { omissions } = readByShape(given) ?? {};
  expect(omissions).toContainEqual(expect.objectContaining({ kind: 'record-unreadable', count: 4 }));
});
