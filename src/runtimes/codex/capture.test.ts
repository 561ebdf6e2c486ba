import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isStaffettaError } from '../../core/base/error.ts';
import type { CapturedEnd, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { runs } from '../../../test/property/seed.ts';
import { capture } from './capture.ts';
import { read } from './read/read.ts';

const fixtures = join(import.meta.dirname, '../../../test/runtimes/fixtures/codex');
const id = '01a1e073-1cec-7282-b3a4-ad96111843ac';
let home: string;
let place: SessionPlace;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'staffetta-codex-'));
  const folder = join(home, 'sessions/2026/11/15');
  mkdirSync(folder, { recursive: true });
  place = { runtime: 'codex', id, path: join(folder, `rollout-2026-11-15T18-23-22-${id}.jsonl`) };
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

async function taken(from?: Cursor): Promise<{ readonly lines: string[]; readonly end: CapturedEnd }> {
  const captured = await capture(home, place, from);
  const lines: string[] = [];
  for await (const record of captured.records) lines.push(Buffer.from(record).toString('utf8'));
  return { lines, end: captured.end() };
}

const line = (text: string): string =>
  JSON.stringify({ timestamp: 'T', type: 'event_msg', payload: { type: 'x', text } });

const head = (own: string, from: string): string =>
  `${JSON.stringify({ timestamp: 'T', ordinal: 0, type: 'session_meta', payload: { id: own, forked_from_id: from, forked_from_ordinal_exclusive: 1 } })}\n`;

describe('records', () => {
  test('are given byte for byte, but for world states, which are counted (RT3)', async () => {
    const file = readFileSync(join(fixtures, 'basic', readdirSync(join(fixtures, 'basic'))[0] ?? ''));
    writeFileSync(place.path, file);
    const { lines, end } = await taken();
    const all = file.toString('utf8').trimEnd().split('\n');
    expect(lines).toEqual(all.filter((text) => !text.includes('"type":"world_state"')));
    expect(end.omissions).toMatchObject([{ kind: 'world-state', count: 1 }]);
    expect(end.fromStart).toBe(false);
  });

  test('a text about world states is no world state', async () => {
    writeFileSync(place.path, `${line('","type":"world_state",')}\n`);
    expect((await taken()).lines).toHaveLength(1);
  });

  test('a torn last line waits for its end', async () => {
    writeFileSync(place.path, `${line('one')}\n${line('two').slice(0, 20)}`);
    const first = await taken();
    expect(first.lines).toEqual([line('one')]);
    appendFileSync(place.path, `${line('two').slice(20)}\n`);
    const second = await taken(first.end.cursor);
    expect(second).toMatchObject({ lines: [line('two')], end: { fromStart: false } });
  });

  test('a record of 64 MB is refused and counted, and those around it are given', async () => {
    writeFileSync(place.path, `${line('before')}\n{"timestamp":"T","type":"event_msg","payload":"`);
    const piece = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 64; count++) appendFileSync(place.path, piece);
    const torn = await taken();
    expect(torn.lines).toEqual([line('before')]);
    expect(torn.end.omissions).toMatchObject([{ kind: 'record-cut', count: 1 }]);
    appendFileSync(place.path, `"}\n${line('after')}\n`);
    expect(await taken()).toMatchObject({
      lines: [line('before'), line('after')],
      end: { omissions: [{ kind: 'record-too-large', count: 1 }] },
    });
    expect(await taken(torn.end.cursor)).toMatchObject({ lines: [line('after')], end: { fromStart: false } });
  });

  test('an empty file and one of empty lines hold none', async () => {
    writeFileSync(place.path, '');
    expect((await taken()).lines).toEqual([]);
    writeFileSync(place.path, '\n\n');
    expect((await taken()).lines).toEqual([]);
  });

  test('a file that is removed or cut while it is read gives what was read', async () => {
    const many = Array.from({ length: 20_000 }, (_, count) => line(String(count)));
    for (const harm of [
      () => {
        rmSync(place.path);
      },
      () => {
        truncateSync(place.path, 0);
      },
    ]) {
      writeFileSync(place.path, `${many.join('\n')}\n`);
      const captured = await capture(home, place);
      const lines: string[] = [];
      for await (const record of captured.records) {
        if (lines.length === 0) harm();
        lines.push(Buffer.from(record).toString());
      }
      expect(many.slice(0, lines.length)).toEqual(lines);
      expect(captured.end().cursor).toMatch(/^codex:2:\d+:/);
    }
  });

  test.each(['missing', 'folder'])('a %s in place of the file is refused with a hint', async (what) => {
    if (what === 'folder') mkdirSync(place.path);
    const error: unknown = await capture(home, place).catch((error: unknown) => error);
    expect(isStaffettaError(error, 'invalid-input') && error.hint !== undefined).toBe(true);
  });

  test('the end is not known before the records were read', async () => {
    writeFileSync(place.path, `${line('x')}\n`);
    const captured = await capture(home, place);
    expect(() => captured.end()).toThrow('once all records were read');
  });

  test('reading leaves bytes and times as they were (RT1)', async () => {
    writeFileSync(place.path, `${line('x')}\n`);
    utimesSync(place.path, 1000, 2000);
    await taken();
    const { atimeMs, mtimeMs } = statSync(place.path);
    expect([atimeMs, mtimeMs]).toEqual([1_000_000, 2_000_000]);
  });
});

describe('growth', () => {
  test('capturing in pieces gives the same records as at once, wherever the pieces end (RT4)', async () => {
    const whole = readFileSync(
      join(fixtures, 'after-resume', readdirSync(join(fixtures, 'after-resume'))[0] ?? ''),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 6 }),
        async (cuts) => {
          const lines: string[] = [];
          let cursor: Cursor | undefined;
          for (const end of [...cuts.sort((one, other) => one - other), whole.length]) {
            writeFileSync(place.path, whole.subarray(0, end));
            const part = await taken(cursor);
            expect(part.end.fromStart).toBe(false);
            lines.push(...part.lines);
            cursor = part.end.cursor;
          }
          writeFileSync(place.path, whole);
          const once = await taken();
          expect(lines).toEqual(once.lines);
          expect(cursor).toBe(once.end.cursor);
        },
      ),
      runs(40),
    );
  });

  test.each([
    ['a byte was changed', (text: string) => text.replace('one', 'eno')],
    ['it was cut', (text: string) => text.slice(0, 10)],
    ['it was replaced', () => `${line('other')}\n`],
  ])('where %s everything is given again, and that is said', async (_, change) => {
    const text = `${line('one')}\n${line('two')}\n`;
    writeFileSync(place.path, text);
    const { end } = await taken();
    writeFileSync(place.path, change(text));
    const again = await taken(end.cursor);
    expect(again.end.fromStart).toBe(true);
    expect(again.lines).toEqual((await taken()).lines);
  });

  test.each(['', 'x', 'codex:1:5:', `codex:1:999999:${'0'.repeat(64)}`, `codex:2:0:${'0'.repeat(64)}`])(
    'with the cursor %j everything is given',
    async (cursor) => {
      writeFileSync(place.path, `${line('one')}\n`);
      expect(await taken(cursor)).toMatchObject({ lines: [line('one')], end: { fromStart: true } });
    },
  );
});

const meta = (ordinal: number, own: string, from?: string, before?: number): string => {
  const payload = { id: own, forked_from_id: from, forked_from_ordinal_exclusive: before };
  return JSON.stringify({ timestamp: 'T', ordinal, type: 'session_meta', payload });
};

const said = (ordinal: number): string =>
  JSON.stringify({ timestamp: 'T', ordinal, type: 'event_msg', payload: {} });

const put = (own: string, lines: readonly string[]): void => {
  writeFileSync(place.path.replace(id, own), `${lines.join('\n')}\n`);
};

describe('forks', () => {
  const names = readdirSync(join(fixtures, 'fork')).sort();
  const [origin = '', fork = ''] = names;

  function lay(...files: readonly string[]): void {
    for (const name of files)
      copyFileSync(join(fixtures, 'fork', name), join(home, 'sessions/2026/11/15', name));
    place = { ...place, path: join(home, 'sessions/2026/11/15', fork) };
  }

  test('a fork has the history of its origin before its own', async () => {
    lay(origin, fork);
    const { lines, end } = await taken();
    const transcript = read(lines.map((text) => Buffer.from(text)));
    expect(transcript.facts.session).toBe('01a1e1be-c601-7b51-b7e3-5bd5a0ba86ad');
    expect(
      transcript.steps.filter(({ source }) => source === 'user').map(({ text }) => text.split(' ')[0]),
    ).toEqual(['Kill', 'fail', 'forked']);
    expect(await taken(end.cursor)).toMatchObject({ lines: [], end: { fromStart: false } });
  });

  test('what the origin got after the fork is not part of it', async () => {
    lay(origin, fork);
    const before = await taken();
    const later = { timestamp: 'T', ordinal: 53, type: 'response_item', payload: {} };
    appendFileSync(join(home, 'sessions/2026/11/15', origin), `${JSON.stringify(later)}\n`);
    expect((await taken()).lines).toEqual(before.lines);
  });

  test('an origin that is gone is counted', async () => {
    lay(fork);
    expect((await taken()).end.omissions).toMatchObject([{ kind: 'forked-history', count: 1 }]);
  });

  test('a fork of a fork has no more of the first than lies before both cuts', async () => {
    const [first, second] = ['01a1e073-1cec-7282-b3a4-ad9611184301', '01a1e073-1cec-7282-b3a4-ad9611184302'];
    put(first, [meta(0, first), said(1), said(2), said(3)]);
    put(second, [meta(3, second, first, 3), said(4), said(5)]);
    const tails: [number, string[]][] = [
      [5, [meta(0, first), said(1), said(2), meta(3, second, first, 3), said(4)]],
      [2, [meta(0, first), said(1)]],
    ];
    for (const [before, history] of tails) {
      put(id, [meta(before, id, second, before), said(before + 1)]);
      expect((await taken()).lines).toEqual([...history, meta(before, id, second, before), said(before + 1)]);
    }
  });

  test('a ring of forks ends', async () => {
    const other = '01a1e073-1cec-7282-b3a4-ad9611184300';
    writeFileSync(place.path, head(id, other));
    writeFileSync(place.path.replace(id, other), head(other, id));
    expect((await taken()).lines.length).toBeLessThan(40);
  });
});
