import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exported, OpencodeDatabase } from '../../../test/runtimes/fixtures/opencode/database.ts';
import type { CapturedEnd } from '../../ports/runtime.ts';
import { captureSession, recordBytesMax } from './capture.ts';
import { read as readRecords } from './read/read.ts';

let folder: string;
let program: OpencodeDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opencode-capture-'));
  program = new OpencodeDatabase(join(folder, 'opencode.db'));
});
afterEach(() => {
  program.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Piece {
  readonly lines: readonly string[];
  readonly end: CapturedEnd;
}

async function capture(id: string, from?: string): Promise<Piece> {
  const captured = captureSession({ runtime: 'opencode', id, path: program.path }, from);
  const lines: string[] = [];
  for await (const record of captured.records) lines.push(Buffer.from(record).toString('utf8'));
  return { lines, end: captured.end() };
}

function read(lines: readonly string[]): ReturnType<typeof readRecords> {
  return readRecords(lines.map((line) => Buffer.from(line)));
}

function kinds(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const { type, id } = JSON.parse(line) as { type: string; id: string };
    return `${type} ${id}`;
  });
}

const said = { type: 'text', text: 'hello' };
const running = {
  type: 'tool',
  tool: 'bash',
  callID: 'c1',
  state: { status: 'running', input: { command: 'ls' } },
};
const completed = {
  ...running,
  state: { status: 'completed', input: { command: 'ls' }, output: 'a.txt', metadata: { exit: 0 } },
};

function beginning(): void {
  program.session({ id: 'ses_1' });
  program.message('ses_1', 'msg_1', { role: 'user' });
  program.part('ses_1', 'msg_1', 'prt_1', said);
  program.message('ses_1', 'msg_2', { role: 'assistant', parentID: 'msg_1' });
  program.part('ses_1', 'msg_2', 'prt_2', running);
}

describe('the stored native form', () => {
  test('is the session, then each message with its parts, the text of a row unchanged', async () => {
    program.session({ id: 'ses_1' });
    program.message('ses_1', 'msg_b', '{"role":"assistant" , "b":1,"a":2}', 2000);
    program.part('ses_1', 'msg_b', 'prt_z', said);
    program.part('ses_1', 'msg_b', 'prt_y', said);
    program.message('ses_1', 'msg_a', '{"role":"user"}', 1000);
    program.session({ id: 'ses_2' });
    program.message('ses_2', 'msg_c', '{"role":"user"}');
    const { lines } = await capture('ses_1');
    expect(kinds(lines)).toEqual([
      'session ses_1',
      'message msg_a',
      'message msg_b',
      'part prt_y',
      'part prt_z',
    ]);
    expect(lines[2]).toBe(
      '{"type":"message","id":"msg_b","created":2000,"data":{"role":"assistant" , "b":1,"a":2}}',
    );
    expect(lines[3]).toBe(
      '{"type":"part","id":"prt_y","message":"msg_b","data":{"type":"text","text":"hello"}}',
    );
  });

  test('leaves out where the session was published and what it may do', async () => {
    program.session({ id: 'ses_1' });
    program.db.exec(`UPDATE session SET share_url = 'https://share/secret', permission = '[]', cost = 3`);
    const { lines } = await capture('ses_1');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/secret|permission|cost/);
  });

  test.each([
    ['no JSON', '{"role":'],
    ['a line end', '{"role":\n"user"}'],
    ['a NUL', '{"role":"\0"}'],
    ['nothing', ''],
  ])('keeps a row with %s as raw text in one line', async (_, text) => {
    program.session({ id: 'ses_1' });
    program.message('ses_1', 'msg_1', text);
    const { lines } = await capture('ses_1');
    expect(lines[1]).not.toContain('\n');
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ type: 'message', raw: text });
    expect(read(lines).omissions).toMatchObject([{ kind: 'unknown-record', count: 1 }]);
  });

  test('refuses a row of 64 MB and counts it, and goes on', async () => {
    beginning();
    program.part(
      'ses_1',
      'msg_2',
      'prt_3',
      JSON.stringify({ type: 'text', text: 'x'.repeat(2 * recordBytesMax) }),
    );
    program.part('ses_1', 'msg_2', 'prt_4', said);
    const { lines, end } = await capture('ses_1');
    expect(kinds(lines)).toEqual([
      'session ses_1',
      'message msg_1',
      'part prt_1',
      'message msg_2',
      'part prt_2',
      'part prt_4',
    ]);
    expect(end.omissions).toEqual([{ kind: 'oversized-record', count: 1, why: 'Larger than 32 MB.' }]);
  });
});

describe('from a cursor on (RT4)', () => {
  test.each(['basic', 'compaction', 'file-edit', 'subagent-parent'])(
    'pieces of a growing session are the same as all at once: %s',
    async (name) => {
      const whole = exported(name);
      const pieces: string[] = [];
      let cursor: string | undefined;
      program.import({ ...whole, messages: [] });
      for (const message of whole.messages) {
        const { id, sessionID: _, ...data } = message.info;
        program.message(whole.info.id, id, data);
        for (const { id: part, sessionID: _1, messageID: _2, ...rest } of message.parts) {
          program.part(whole.info.id, id, part, rest);
          const piece = await capture(whole.info.id, cursor);
          expect(piece.end.fromStart).toBe(false);
          pieces.push(...piece.lines);
          cursor = piece.end.cursor;
        }
      }
      const once = await capture(whole.info.id);
      expect(pieces).toEqual(once.lines);
      expect(cursor).toBe(once.end.cursor);
    },
  );

  test('nothing new is nothing', async () => {
    beginning();
    const first = await capture('ses_1');
    const second = await capture('ses_1', first.end.cursor);
    expect(second).toEqual({ lines: [], end: { cursor: first.end.cursor, fromStart: false, omissions: [] } });
  });

  test('a call that ended is captured again; its step keeps its number and has the result (RT6)', async () => {
    beginning();
    const first = await capture('ses_1');
    expect(read(first.lines).unanswered).toMatchObject([{ id: 'c1', tool: 'bash' }]);
    program.change('part', 'prt_2', completed);
    program.message('ses_1', 'msg_3', { role: 'assistant', parentID: 'msg_1' });
    const second = await capture('ses_1', first.end.cursor);
    expect(second.end.fromStart).toBe(false);
    expect(kinds(second.lines)).toEqual(['part prt_2', 'message msg_3']);
    const together = read([...first.lines, ...second.lines]);
    expect(together.steps.map(({ id, source }) => [id, source])).toEqual([
      [1, 'user'],
      [2, 'agent'],
      [3, 'agent'],
    ]);
    expect(together.steps[1]?.results).toEqual([
      { call: 'c1', text: 'a.txt', failed: false, passed: true, exit: 0 },
    ]);
    expect(together.unanswered).toEqual([]);
    expect(withoutPlaces(together)).toEqual(withoutPlaces(read((await capture('ses_1')).lines)));
  });

  test('a change within the same millisecond is noticed', async () => {
    beginning();
    const first = await capture('ses_1');
    program.change('part', 'prt_2', completed, program.clock);
    expect(kinds((await capture('ses_1', first.end.cursor)).lines)).toEqual(['part prt_2']);
  });

  test('a change that became visible after a later one is noticed', async () => {
    beginning();
    const stamp = program.tick();
    program.part('ses_1', 'msg_2', 'prt_3', said);
    const first = await capture('ses_1');
    program.change('part', 'prt_2', completed, stamp);
    expect(kinds((await capture('ses_1', first.end.cursor)).lines)).toEqual(['part prt_2']);
  });

  test('a change of a row from long ago is noticed', async () => {
    beginning();
    for (let i = 100; i < 300; i += 1) program.part('ses_1', 'msg_2', `prt_${i}`, said);
    const first = await capture('ses_1');
    program.change('part', 'prt_1', { ...said, text: 'changed' });
    program.change('message', 'msg_1', { role: 'user', summary: { diffs: [] } });
    const second = await capture('ses_1', first.end.cursor);
    expect(kinds(second.lines)).toEqual(['message msg_1', 'part prt_1']);
    expect((await capture('ses_1', second.end.cursor)).lines).toEqual([]);
  });

  test('a new title is captured with the session alone', async () => {
    beginning();
    const first = await capture('ses_1');
    program.db.exec("UPDATE session SET title = 'Another', time_updated = time_updated + 1");
    const second = await capture('ses_1', first.end.cursor);
    expect(kinds(second.lines)).toEqual(['session ses_1']);
    expect(read([...first.lines, ...second.lines]).facts.title).toBe('Another');
  });

  test('a part of an earlier message comes late, and belongs to its step', async () => {
    beginning();
    program.message('ses_1', 'msg_3', { role: 'user' });
    program.part('ses_1', 'msg_3', 'prt_3', { type: 'text', text: 'one more thing' });
    const first = await capture('ses_1');
    program.part('ses_1', 'msg_2', 'prt_4', { type: 'text', text: 'answer' });
    const second = await capture('ses_1', first.end.cursor);
    expect(kinds(second.lines)).toEqual(['part prt_4']);
    const together = read([...first.lines, ...second.lines]);
    expect(together.steps.map(({ text }) => text)).toEqual(['hello', 'answer', 'one more thing']);
    expect(withoutPlaces(together)).toEqual(withoutPlaces(read((await capture('ses_1')).lines)));
  });
});

describe('a session that did not only grow is captured from its beginning', () => {
  test('when rows vanished', async () => {
    beginning();
    const first = await capture('ses_1');
    program.db.exec("DELETE FROM message WHERE id = 'msg_2'");
    const second = await capture('ses_1', first.end.cursor);
    expect(second.end.fromStart).toBe(true);
    expect(kinds(second.lines)).toEqual(['session ses_1', 'message msg_1', 'part prt_1']);
  });

  test('when rows vanished and others took their numbers', async () => {
    beginning();
    const first = await capture('ses_1');
    program.db.exec("DELETE FROM part WHERE id = 'prt_2'");
    program.part('ses_1', 'msg_2', 'prt_3', said);
    const second = await capture('ses_1', first.end.cursor);
    expect(second.end.fromStart).toBe(true);
    expect(kinds(second.lines)).toContain('part prt_3');
    expect(kinds(second.lines)).not.toContain('part prt_2');
  });

  test.each([
    '',
    'nonsense',
    '{"v":2}',
    '[]',
    '{"v":1,"session":"ses_1","facts":"x","message":{},"part":null}',
  ])('when the cursor is none: %s', async (cursor) => {
    beginning();
    const { lines, end } = await capture('ses_1', cursor);
    expect(end.fromStart).toBe(true);
    expect(lines).toEqual((await capture('ses_1')).lines);
  });

  test('when the cursor is of another session', async () => {
    beginning();
    program.session({ id: 'ses_2' });
    const { end } = await capture('ses_2');
    expect((await capture('ses_1', end.cursor)).end.fromStart).toBe(true);
  });
});

test('rows that vanish while they are read are left out, and noticed the next time', async () => {
  beginning();
  const captured = captureSession({ runtime: 'opencode', id: 'ses_1', path: program.path });
  const lines: string[] = [];
  for await (const record of captured.records) {
    lines.push(Buffer.from(record).toString('utf8'));
    if (lines.length === 2) program.db.exec("DELETE FROM message WHERE id = 'msg_2'");
  }
  expect(kinds(lines)).not.toContain('part prt_2');
  expect((await capture('ses_1', captured.end().cursor)).end.fromStart).toBe(true);
});

test('a session that is not there is refused', async () => {
  await expect(capture('ses_none')).rejects.toThrow(/^opencode has no session ses_none in /);
});

test('the end is not known before the records were read', () => {
  beginning();
  const captured = captureSession({ runtime: 'opencode', id: 'ses_1', path: program.path });
  expect(() => captured.end()).toThrow('The records of this capture were not read to their end.');
});

/** The place of a record is that of the capture: a row that came again is another one later. */
function withoutPlaces(transcript: ReturnType<typeof readRecords>): unknown {
  return { ...transcript, steps: transcript.steps.map((step) => ({ ...step, record: 0 })) };
}
