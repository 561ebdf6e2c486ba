import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  captured,
  cases,
  fixture,
  folder,
  lines,
  placed,
  user,
} from '../../../test/runtimes/fixtures/claude-code/load.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { capturedLineMax } from '../capture-lines.ts';
import { capture } from './capture.ts';

const texts = (records: readonly Uint8Array[]): string[] =>
  records.map((each) => Buffer.from(each).toString());
const notes = (...names: string[]): string => lines(...names.map((name) => ({ type: 'note', name })));

describe('capturing at once', () => {
  test('gives the lines of the file byte for byte, but for what is left out by rule', async () => {
    const { records, omissions } = await captured(fixture('basic.jsonl'));
    const all = readFileSync(fixture('basic.jsonl').path, 'utf8').trimEnd().split('\n');
    const kept = all.filter(
      (line) => !/^\{"type":"api-request|"attachment":\{"type":"prompt_snapshot"/.test(line),
    );
    expect(texts(records)).toEqual(kept);
    expect(omissions.map(({ kind, count }) => [kind, count])).toEqual([
      ['system-prompt', 2],
      ['request-log', 5],
    ]);
  });

  test('keeps what only speaks of request logs and system prompts', async () => {
    const about = user('u', null, '{"type":"api-request"} and "prompt_snapshot"');
    const { records, omissions } = await captured(placed(lines(about)));
    expect([records.length, omissions]).toEqual([1, []]);
  });

  test('keeps lines that are no JSON, and skips blank ones', async () => {
    const { records } = await captured(placed('not json api-request\n\n  \r\n{"a":1}\r\n\u0000\n'));
    expect(texts(records)).toEqual(['not json api-request', '{"a":1}\r', '\u0000']);
  });

  test('an empty file has no records and a cursor at its beginning', async () => {
    const place = placed('');
    const { records, cursor, fromStart } = await captured(place);
    expect([records, cursor.slice(0, 4), fromStart]).toEqual([[], '2:0:', false]);
    appendFileSync(place.path, notes('a'));
    const next = await captured(place, cursor);
    expect([next.records.length, next.fromStart]).toEqual([1, false]);
  });

  test('changes no time stamp', async () => {
    const place = placed(notes('a', 'b'));
    utimesSync(place.path, 1000, 2000);
    const before = statSync(place.path);
    await captured(place);
    const after = statSync(place.path);
    expect([after.atimeMs, after.mtimeMs, after.ctimeMs]).toEqual([
      before.atimeMs,
      before.mtimeMs,
      before.ctimeMs,
    ]);
  });

  test('a line of 64 MB is counted and the rest is kept', async () => {
    const place = placed(notes('before'));
    appendFileSync(place.path, `{"type":"user","x":"${'y'.repeat(64 * 1024 * 1024)}"}\n`);
    appendFileSync(place.path, notes('after'));
    const { records, omissions, cursor } = await captured(place);
    expect(records).toHaveLength(2);
    expect(omissions).toMatchObject([{ kind: 'record-too-large', count: 1 }]);
    expect(cursor).toMatch(`2:${statSync(place.path).size}:`);
    expect(capturedLineMax).toBeLessThan(64 * 1024 * 1024);
  });

  test('the end is not known before the records are read', async () => {
    const capturing = await capture(fixture('minimal.jsonl'));
    expect(() => capturing.end()).toThrow('before its records were read');
  });
});

describe('capturing in pieces', () => {
  test.each(cases)('$file cut anywhere gives the same records and the same cursor', async ({ file }) => {
    const bytes = readFileSync(fixture(file).path);
    const whole = await captured(fixture(file));
    const place = placed('');
    for (let cut = 0; cut < bytes.length; cut += 997) {
      writeFileSync(place.path, bytes.subarray(0, cut));
      const first = await captured(place);
      writeFileSync(place.path, bytes);
      const second = await captured(place, first.cursor);
      expect(second.fromStart).toBe(false);
      expect(texts([...first.records, ...second.records])).toEqual(texts(whole.records));
      expect(second.cursor).toBe(whole.cursor);
    }
  });

  test('a session that the program resumed is captured from where it was', async () => {
    const before = await captured(fixture('basic.jsonl'));
    const after = await captured(fixture('after-resume.jsonl'), before.cursor);
    const whole = await captured(fixture('after-resume.jsonl'));
    expect(after.fromStart).toBe(false);
    expect(texts([...before.records, ...after.records])).toEqual(texts(whole.records));
  });

  test('a torn last line waits until it is whole', async () => {
    const place = placed(`${notes('a')}{"type":"no`);
    const first = await captured(place);
    expect(texts(first.records)).toEqual(['{"type":"note","name":"a"}']);
    appendFileSync(place.path, 'te"}\n');
    const second = await captured(place, first.cursor);
    expect([second.fromStart, texts(second.records)]).toEqual([false, ['{"type":"note"}']]);
  });

  test('nothing new gives nothing and the same cursor', async () => {
    const first = await captured(fixture('basic.jsonl'));
    const again = await captured(fixture('basic.jsonl'), first.cursor);
    expect(again).toEqual({ records: [], cursor: first.cursor, fromStart: false, omissions: [] });
  });

  test('what is written during a capture belongs to the next one', async () => {
    const place = placed(notes('a', 'b'));
    const capturing = await capture(place);
    const records: Uint8Array[] = [];
    for await (const record of capturing.records) {
      if (records.length === 0) appendFileSync(place.path, notes('c'));
      records.push(record);
    }
    expect(records).toHaveLength(2);
    const next = await captured(place, capturing.end().cursor);
    expect([next.fromStart, next.records.length]).toEqual([false, 1]);
  });
});

describe('a session that did not only grow', () => {
  test.each([
    ['one changed byte in the middle', (path: string) => writeFileSync(path, notes('a', 'X', 'c', 'd'))],
    ['a file cut shorter', (path: string) => truncateSync(path, 30)],
    ['an empty file', (path: string) => truncateSync(path, 0)],
  ])('%s is captured from its beginning', async (_what, change) => {
    const place = placed(notes('a', 'b', 'c'));
    const first = await captured(place);
    change(place.path);
    const second = await captured(place, first.cursor);
    expect(second.fromStart).toBe(true);
    expect(texts(second.records)).toEqual(texts((await captured(place)).records));
  });

  test.each(['', 'x', '1:-1:00', '2:0:', `1:99999999:${'0'.repeat(64)}`])(
    'the cursor "%s" is not believed',
    async (cursor) => {
      const { records, fromStart } = await captured(placed(notes('a')), cursor);
      expect([records.length, fromStart]).toEqual([1, true]);
    },
  );
});

describe('what is no file', () => {
  test('a missing file is refused with what to do', async () => {
    const error: unknown = await capture({ ...fixture('x'), path: '/nowhere/x.jsonl' }).catch(
      (each: unknown) => each,
    );
    expect(isStaffettaError(error, 'unavailable') && error.hint).toContain('List the sessions');
  });

  test('a folder in place of a file is refused', async () => {
    const path = `${folder()}/session.jsonl`;
    mkdirSync(path);
    await expect(capture({ ...fixture('x'), path })).rejects.toThrow('is not a file');
  });

  test.runIf(process.platform !== 'win32')(
    'a pipe in place of a file is refused and not waited for',
    async () => {
      const path = `${folder()}/session.jsonl`;
      execFileSync('mkfifo', [path]);
      await expect(capture({ ...fixture('x'), path })).rejects.toThrow('is not a file');
    },
  );

  test('a file that is deleted while it is read is read to its end', async () => {
    const place = placed(notes(...Array.from({ length: 50_000 }, (_, i) => `n${i}`)));
    const capturing = await capture(place);
    let count = 0;
    for await (const _record of capturing.records) {
      if (count === 0) rmSync(place.path);
      count += 1;
    }
    expect(count).toBe(50_000);
  });

  test('a file that shrinks while it is read ends where it ends', async () => {
    const place = placed(notes(...Array.from({ length: 50_000 }, (_, i) => `n${i}`)));
    const capturing = await capture(place);
    let count = 0;
    for await (const _record of capturing.records) {
      if (count === 0) truncateSync(place.path, 100);
      count += 1;
    }
    expect(count).toBeLessThan(50_000);
    expect((await captured(place, capturing.end().cursor)).fromStart).toBe(true);
  });
});
