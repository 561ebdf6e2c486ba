import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CapturedEnd, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { captureGemini } from './capture.ts';
import { runs } from '../../../test/property/seed.ts';

const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/gemini-cli');
let folder = '';
let made = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-gemini-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function place(content: string | Uint8Array, ending = 'jsonl'): SessionPlace {
  made += 1;
  const path = join(folder, `session-${made}.${ending}`);
  writeFileSync(path, content);
  return { runtime: 'gemini-cli', id: 'x', path };
}

async function capture(at: SessionPlace, from?: Cursor): Promise<{ records: string[]; end: CapturedEnd }> {
  const captured = captureGemini(at, from);
  const records: string[] = [];
  for await (const record of captured.records) records.push(Buffer.from(record).toString('latin1'));
  return { records, end: captured.end() };
}

describe('capturing', () => {
  test('gives the lines byte for byte, and leaves a torn one for the next time', async () => {
    const at = place('{"a":1}\r\n\n{"b":"\u00e8"}\n{"torn"');
    const first = await capture(at);
    expect(first.records).toEqual(['{"a":1}\r', Buffer.from('{"b":"\u00e8"}').toString('latin1')]);
    appendFileSync(at.path, ':1}\n');
    const next = await capture(at, first.end.cursor);
    expect(next.records).toEqual(['{"torn":1}']);
    expect(next.end).toMatchObject({ fromStart: false, omissions: [] });
  });

  test('nothing new gives nothing, with the same cursor', async () => {
    const at = place('{"a":1}\n');
    const { end } = await capture(at);
    expect(await capture(at, end.cursor)).toEqual({ records: [], end });
  });

  test('in pieces is the same as at once (RT4)', async () => {
    const bytes = readFileSync(join(fixtures, 'compaction/session-1794789499186-b6e9eb25.jsonl'));
    const whole = await capture(place(bytes));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const at = place('');
        const records: string[] = [];
        let cursor: Cursor | undefined;
        for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
          writeFileSync(at.path, bytes.subarray(0, cut));
          const piece = await capture(at, cursor);
          expect(piece.end.fromStart).toBe(false);
          records.push(...piece.records);
          cursor = piece.end.cursor;
        }
        expect(records).toEqual(whole.records);
        expect(cursor).toBe(whole.end.cursor);
      }),
      runs(40),
    );
  });

  test('a session that was replaced or cut is captured from its beginning, and says so', async () => {
    const at = place('{"a":1}\n{"b":2}\n');
    const { end } = await capture(at);
    writeFileSync(at.path, '{"a":9}\n{"b":2}\n{"c":3}\n');
    const replaced = await capture(at, end.cursor);
    expect(replaced.records).toHaveLength(3);
    expect(replaced.end.fromStart).toBe(true);
    truncateSync(at.path, 8);
    expect((await capture(at, replaced.end.cursor)).end.fromStart).toBe(true);
    expect((await capture(at, 'not a cursor')).end.fromStart).toBe(true);
  });

  test('a change in the middle of a large session is noticed where a sample falls on it', async () => {
    const at = place(
      Array.from({ length: 4000 }, (_, i) => `{"n":${i},"pad":"${'x'.repeat(80)}"}\n`).join(''),
    );
    const { end } = await capture(at);
    const bytes = readFileSync(at.path);
    bytes.fill(121, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000);
    writeFileSync(at.path, bytes);
    expect((await capture(at, end.cursor)).end.fromStart).toBe(true);
  });

  test('a line of 64 MB is refused and counted, and the lines around it are kept', async () => {
    const at = place('{"a":1}\n');
    appendFileSync(at.path, Buffer.alloc(64 * 1024 * 1024, 120));
    appendFileSync(at.path, '\n{"b":2}\n');
    const { records, end } = await capture(at);
    expect(records).toEqual(['{"a":1}', '{"b":2}']);
    expect(end.omissions).toMatchObject([{ kind: 'record-too-large', count: 1 }]);
  });

  test('an old document is its head and a record a message, and is captured again when it changed', async () => {
    const at = place('{\n "sessionId": "x",\n "messages": []\n}', 'json');
    const first = await capture(at);
    expect(first.records).toEqual(['{  "sessionId": "x",  "messages": [] }']);
    expect((await capture(at, first.end.cursor)).records).toEqual([]);
    const [one, two] = ['{"id":"1","content":"a, \\"b]} \\\\"}', '{"id":"2","messages":[3,[4]]}'];
    writeFileSync(at.path, `{\n "sessionId": "x",\n "messages": [${one},${two}], "x": [5]\n}`);
    const changed = await capture(at, first.end.cursor);
    expect(changed.records).toEqual(['{  "sessionId": "x",  "messages": [], "x": [5] }', one, two]);
    expect(changed.end.fromStart).toBe(true);
  });

  test.each([
    '{"messages":[{"id":"1"},{"id"',
    '{"messages":[1],"messages":[2]}',
    '["messages",[1,2]]',
    '{"a":"',
  ])('an old document whose messages cannot be told apart is one record: %s', async (document) => {
    expect((await capture(place(document, 'json'))).records).toEqual([document]);
  });

  test('an empty file has no records', async () => {
    expect((await capture(place(''))).records).toEqual([]);
  });

  test('a folder, a pipe or nothing in place of the file is refused with words', ({ skip }) => {
    if (process.platform !== 'linux') skip();
    const missing = { runtime: 'gemini-cli', id: 'x', path: join(folder, 'none.jsonl') } as const;
    expect(() => captureGemini(missing)).toThrow(/cannot be read/);
    const dir = join(folder, 'dir.jsonl');
    mkdirSync(dir);
    expect(() => captureGemini({ ...missing, path: dir })).toThrow(/no regular file/);
    const pipe = join(folder, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    expect(() => captureGemini({ ...missing, path: pipe })).toThrow(/no regular file/);
  });

  test('a file that is deleted while it is read is read to its end', async () => {
    const at = place('{"a":1}\n'.repeat(100_000));
    const captured = captureGemini(at);
    let count = 0;
    for await (const _ of captured.records) {
      if (count === 0) unlinkSync(at.path);
      count += 1;
    }
    expect(count).toBe(100_000);
  });

  test('a file that is cut while it is read ends early', async () => {
    const at = place('{"a":1}\n'.repeat(100_000));
    let count = 0;
    for await (const _ of captureGemini(at).records) {
      if (count === 0) truncateSync(at.path, 0);
      count += 1;
    }
    expect(count).toBeLessThan(100_000);
  });

  test('no file is left open, whether the records are read, left or not begun', async ({ skip }) => {
    if (process.platform !== 'linux') skip();
    const at = place('{"a":1}\n{"b":2}\n');
    const before = readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 20; i += 1) {
      await capture(at);
      captureGemini(at);
      for await (const _ of captureGemini(at).records) break;
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  });

  test('reading leaves no mark of the time (RT1)', async ({ skip }) => {
    if (process.platform !== 'linux') skip();
    const at = place('{"a":1}\n');
    utimesSync(at.path, 1, 2);
    await capture(at);
    const stat = statSync(at.path);
    expect([stat.atimeMs, stat.mtimeMs]).toEqual([1000, 2000]);
  });

  test('asking for the end too early is a bug of the caller', () => {
    expect(() => captureGemini(place('{"a":1}\n')).end()).toThrow(/before its records/);
  });
});
