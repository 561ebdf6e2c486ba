/** Files may hold anything: nothing of it throws, hangs or reaches further than its own record (RT5). */
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  answer,
  bytesOf,
  call,
  captured,
  cases,
  fixture,
  placed,
  result,
  user,
} from '../../../test/runtimes/fixtures/claude-code/load.ts';
import type { Transcript } from '../../core/transcript/step.ts';
import { read } from './read/read.ts';
import { runs } from '../../../test/property/seed.ts';

/** What of the promises for every transcript does not hold, whatever it was read from. */
function broken({ steps, omissions }: Transcript, records: number): string[] {
  const ids = steps.flatMap((step) => (step.calls ?? []).map(({ id }) => id));
  const problems = new Set(ids).size === ids.length ? [] : ['two calls have one id'];
  for (const [index, step] of steps.entries()) {
    const own = new Set((step.calls ?? []).map(({ id }) => id));
    const before = steps[index - 1]?.record ?? 0;
    if (step.id !== index + 1) problems.push(`step ${index + 1} has the number ${step.id}`);
    if (typeof step.text !== 'string') problems.push(`step ${step.id} has no text`);
    if (step.record < before || step.record >= records)
      problems.push(`step ${step.id} is at record ${step.record}`);
    if (!(step.results ?? []).every(({ call }) => own.has(call)))
      problems.push(`step ${step.id} has an odd result`);
  }
  return [
    ...problems,
    ...omissions.filter(({ count }) => count < 1).map(({ kind }) => `no ${kind} was lost`),
  ];
}

const deep = (count: number): string => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`;

describe('hostile records', () => {
  test.each([
    ['nothing', ''],
    ['a torn line', '{"type":"user","uuid":"u","message":{"con'],
    ['NUL', '\u0000\u0000'],
    ['another kind of JSON', '[{"type":"user"}]'],
    ['null', 'null'],
    ['a number', '1e999'],
  ])('%s is unreadable and counted', (_what, line) => {
    const { steps, omissions } = read(bytesOf(line));
    expect([steps, omissions.map(({ kind }) => kind)]).toEqual([[], ['unreadable-record']]);
  });

  test.each([
    ['wrong kinds everywhere', '{"type":7,"uuid":[],"message":"x","parentUuid":{},"attachment":3}'],
    ['a message that is a list', '{"type":"user","uuid":"u","message":[1,null]}'],
    [
      'blocks that are no objects',
      '{"type":"assistant","uuid":"u","message":{"content":[null,1,"x",[],{}]}}',
    ],
    [
      'a call without anything',
      '{"type":"assistant","uuid":"u","message":{"content":[{"type":"tool_use"}]}}',
    ],
    [
      'rendered texts that are none',
      '{"type":"attachment","uuid":"u","attachment":{"type":"x"},"rendered":[null,1,{"content":[null]}]}',
    ],
    [
      'a compaction of nothing',
      '{"type":"system","subtype":"compact_boundary","uuid":"u","compactMetadata":{"preservedMessages":{"uuids":[1]}}}',
    ],
    [
      'a queue of odd prompts',
      '{"type":"attachment","uuid":"u","attachment":{"type":"queued_command","prompt":[null,3]}}',
    ],
    ['depth', deep(100_000)],
    [
      'deep arguments',
      `{"type":"assistant","uuid":"u","message":{"content":[{"type":"tool_use","id":"c","input":${deep(100_000)}}]}}`,
    ],
    ['deep content', `{"type":"user","uuid":"u","message":{"content":${deep(100_000)}}}`],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]).toString('latin1')],
  ])('%s does no harm', (_what, line) => {
    expect(broken(read([Buffer.from(line)]), 1)).toEqual([]);
  });

  test('a prototype cannot be reached', () => {
    const line =
      '{"type":"user","uuid":"u","__proto__":{"isMeta":true},"message":{"content":"mine","__proto__":{"x":1}}}';
    const { steps } = read(
      bytesOf(line, '{"type":"constructor","uuid":"toString","parentUuid":"hasOwnProperty"}'),
    );
    expect(steps).toMatchObject([{ source: 'user', text: 'mine' }]);
    expect(({} as Record<string, unknown>)['isMeta']).toBeUndefined();
  });

  test('arguments keep a key named like a prototype as their own', () => {
    const line =
      '{"type":"assistant","uuid":"u","message":{"content":[{"type":"tool_use","id":"c","input":{"__proto__":{"x":1}}}]}}';
    const args = read(bytesOf(line)).steps[0]?.calls?.[0]?.args;
    expect(JSON.stringify(args)).toBe('{"__proto__":{"x":1}}');
  });

  test('of a key that stands twice the last counts', () => {
    const { steps } = read(
      bytesOf('{"type":"system","uuid":"u","type":"user","message":{"content":"a","content":"b"}}'),
    );
    expect(steps).toMatchObject([{ source: 'user', text: 'b' }]);
  });

  test('lone surrogates stay as they are', () => {
    const { steps } = read(bytesOf('{"type":"user","uuid":"u","message":{"content":"\\ud800 x"}}'));
    expect(steps[0]?.text).toBe('\ud800 x');
  });

  test('many calls and results with one id, and many parents that are not there, take no longer than others', () => {
    const records = Array.from({ length: 20_000 }, (_, i) => [
      answer(`a${i}`, `gone${i}`, [call('same'), call('')]),
      user(`r${i}`, `lost${i}`, [result('same'), result('')]),
    ]);
    const bytes = bytesOf(...records.flat());
    expect(broken(read(bytes), bytes.length)).toEqual([]);
  });
});

describe('any change of a real session', () => {
  const all = cases.map(({ file }) => readFileSync(fixture(file).path, 'utf8').trimEnd().split('\n'));
  const change = fc.oneof(
    fc.record({ kind: fc.constant('drop' as const), at: fc.nat(), to: fc.nat() }),
    fc.record({ kind: fc.constant('swap' as const), at: fc.nat(), to: fc.nat() }),
    fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), to: fc.nat() }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), to: fc.nat() }),
    fc.record({ kind: fc.constant('parent' as const), at: fc.nat(), to: fc.nat() }),
    fc.record({ kind: fc.constant('value' as const), at: fc.nat(), to: fc.nat(), value: fc.jsonValue() }),
  );
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

  function changed(lines: string[], by: Change): string[] {
    const at = by.at % lines.length;
    const to = by.to % lines.length;
    const line = lines[at] ?? '';
    const other = lines[to] ?? '';
    switch (by.kind) {
      case 'drop':
        return lines.toSpliced(at, 1, ...(lines.length === 1 ? [''] : []));
      case 'swap':
        return lines.with(at, other).with(to, line);
      case 'repeat':
        return lines.toSpliced(to, 0, line);
      case 'cut':
        return lines.with(at, line.slice(0, by.to % (line.length + 1)));
      case 'parent': {
        const uuid = /"uuid":"([^"]*)"/.exec(other)?.[1] ?? '';
        return lines.with(at, line.replace(/"parentUuid":("[^"]*"|null)/, `"parentUuid":"${uuid}"`));
      }
      case 'value': {
        // Some value of the line, by the number of its colon, becomes anything.
        const places = [...line.matchAll(/":("[^"\\]*"|true|false|null|\d+)/g)];
        const place = places[by.to % Math.max(1, places.length)];
        if (place === undefined) return lines;
        const end = place.index + place[0].length;
        return lines.with(at, `${line.slice(0, place.index)}":${JSON.stringify(by.value)}${line.slice(end)}`);
      }
    }
  }

  const session = fc
    .tuple(fc.constantFrom(...all), fc.array(change, { minLength: 1, maxLength: 12 }))
    .map(([lines, changes]) => changes.reduce(changed, lines));

  test('is read without a throw, and the promises of a transcript hold', () => {
    fc.assert(
      fc.property(session, (lines) => {
        expect(broken(read(bytesOf(...lines)), lines.length)).toEqual([]);
      }),
      runs(400),
    );
  });

  test('keeps the numbers of its steps while it grows', () => {
    fc.assert(
      fc.property(session, fc.nat(), (lines, cut) => {
        const bytes = bytesOf(...lines);
        const whole = read(bytes).steps.map(({ id, source, record }) => ({ id, source, record }));
        const part = read(bytes.slice(0, cut % (bytes.length + 1))).steps;
        expect(part.map(({ id, source, record }) => ({ id, source, record }))).toEqual(
          whole.slice(0, part.length),
        );
      }),
      runs(200),
    );
  });

  test('is captured in pieces as at once', async () => {
    await fc.assert(
      fc.asyncProperty(session, fc.nat(), async (lines, cut) => {
        const bytes = Buffer.from(`${lines.join('\n')}\n`);
        const whole = await captured(placed(bytes));
        const first = placed(bytes.subarray(0, cut % bytes.length));
        const one = await captured(first);
        const { writeFileSync } = await import('node:fs');
        writeFileSync(first.path, bytes);
        const two = await captured(first, one.cursor);
        expect(Buffer.concat([...one.records, ...two.records])).toEqual(Buffer.concat(whole.records));
      }),
      runs(60),
    );
  });
});
