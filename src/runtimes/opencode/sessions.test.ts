import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exported, OpencodeDatabase } from '../../../test/runtimes/fixtures/opencode/database.ts';
import { runtime as opencodeRuntime } from './index.ts';
import { databaseHolders, lockPids } from '../process-files.ts';
import { lifeOf } from './liveness.ts';
import { listSessions } from './sessions.ts';

let folder: string;
let program: OpencodeDatabase;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'opencode-sessions-')));
  program = new OpencodeDatabase(join(folder, 'opencode.db'));
});
afterEach(() => {
  program.close();
  rmSync(folder, { recursive: true, force: true });
});

function ids(query = {}): string[] {
  return [...listSessions(program.path, query)].map(({ id }) => id);
}

describe('list (RT2)', () => {
  test('newest first, with what each is about', () => {
    program.import(exported('subagent-parent'));
    program.import(exported('subagent-child'));
    program.import(exported('compaction'));
    const cards = [...listSessions(program.path)];
    expect(cards.map(({ title, parent }) => [title, parent])).toEqual([
      ['<summary>FAKE-AUX summary of 2 events</summary>', null],
      ['lab sub (@general subagent)', 'ses_e1f75530affeZX8a0ARV1SbNbe'],
      ['<summary>FAKE-AUX summary of 2 events</summary>', null],
    ]);
    expect(cards[1]).toMatchObject({
      runtime: 'opencode',
      id: 'ses_e1f7544beffehmA7e1AnHHWAgX',
      path: program.path,
      folder: '/home/dev/demo',
      startedAt: 1794768550722,
      updatedAt: 1794768551849,
      lastPrompt: 'please do the default thing',
      pointerOnly: null,
    });
  });

  test('the last prompt is what the user said, not what the program said for them', () => {
    program.import(exported('compaction'));
    expect([...listSessions(program.path)][0]?.lastPrompt).toMatch(/^Compaction test COMPACT-MARK/);
  });

  test('clones share a project; the folder tells them apart', () => {
    program.session({ id: 'ses_a', directory: '/home/dev/one', project: 'root' });
    program.session({ id: 'ses_b', directory: '/home/dev/two', project: 'root' });
    expect(ids({ folder: '/home/dev/two' })).toEqual(['ses_b']);
    expect(ids({ folder: '/home/dev' })).toEqual([]);
    expect(ids({ folder: '/home/dev/two/../one/' })).toEqual(['ses_a']);
  });

  test('a folder is found by its link, too', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    program.session({ id: 'ses_a', directory: join(folder, 'real') });
    program.session({ id: 'ses_b', directory: join(folder, 'link') });
    expect(ids({ folder: join(folder, 'link') }).sort()).toEqual(['ses_a', 'ses_b']);
  });

  test('a thousand sessions come in pages, each once', () => {
    program.db.exec('BEGIN');
    for (let i = 0; i < 1000; i += 1) program.session({ id: `ses_${i}`, updated: i });
    program.db.exec('COMMIT');
    const all = ids();
    expect(all).toHaveLength(1000);
    expect(new Set(all).size).toBe(1000);
    expect(all[0]).toBe('ses_999');
    expect(ids({ limit: 3 })).toEqual(['ses_999', 'ses_998', 'ses_997']);
  });

  test('a conversation in another form is named, with a reason', () => {
    program.session({ id: 'ses_a' });
    program.db.exec("INSERT INTO session_message VALUES ('x', 'ses_a', 'user', 1, '{}')");
    expect([...listSessions(program.path)][0]?.pointerOnly).toMatch(/newer form/);
    program.db.exec('DROP TABLE part; DROP TABLE message;');
    expect([...listSessions(program.path)][0]?.pointerOnly).toMatch(/tables that are not known/);
  });

  test('rows of nonsense are listed', () => {
    program.session({ id: 'ses_a' });
    program.message('ses_a', 'msg_1', '{"role":');
    program.message('ses_a', 'msg_2', '[]');
    program.message('ses_a', 'msg_3', { role: 'user' });
    program.part('ses_a', 'msg_3', 'prt_1', '{"type":"text","text":7}');
    expect([...listSessions(program.path)]).toMatchObject([
      { id: 'ses_a', lastPrompt: null, pointerOnly: null },
    ]);
  });

  test('no database is no sessions', () => {
    expect([...listSessions(join(folder, 'none.db'))]).toEqual([]);
  });

  test('the runtime lists, captures and reads', async () => {
    program.import(exported('basic'));
    const runtime = opencodeRuntime({ OPENCODE_DB: program.path, PATH: '' });
    for await (const card of runtime.sessions({ folder: '/home/dev/demo' })) {
      const captured = await runtime.capture(card);
      const records: Uint8Array[] = [];
      for await (const record of captured.records) records.push(record);
      expect(runtime.read(records).facts.session).toBe(card.id);
      expect(captured.end().fromStart).toBe(false);
    }
    expect(await runtime.locate()).toMatchObject({ program: null });
  });
});

describe('liveness', () => {
  const here = { pid: 7, folder: '/a', startedAt: 1000 };
  const elsewhere = { pid: 8, folder: '/b', startedAt: 1000 };
  const later = { pid: 9, folder: '/a', startedAt: 900_000 };
  const hidden = { pid: 10, folder: null, startedAt: 1000 };
  const open = { folder: '/a', open: true, updatedAt: 5000 };
  const closed = { ...open, open: false };

  test.each([
    ['an open turn and a process in its folder', open, [elsewhere, here], 'alive', 7],
    ['an open turn and no process', open, [], 'dead', null],
    ['an open turn and a process that came later', open, [later], 'dead', null],
    ['an open turn and a process elsewhere', open, [elsewhere], 'unknown', null],
    ['a closed turn and no process', closed, [], 'ended', null],
    ['a closed turn and a process elsewhere', closed, [elsewhere], 'ended', null],
    ['a closed turn and a process in its folder', closed, [later], 'unknown', null],
    ['a closed turn and a process that may not be looked at', closed, [hidden], 'unknown', null],
    ['a system that does not tell', open, null, 'unknown', null],
  ] as const)('%s', (_, turn, holders, liveness, pid) => {
    expect(lifeOf(turn, holders)).toEqual({ liveness, pid });
  });

  test('the list of locks gives each process once', () => {
    const locks = [
      '1: POSIX  ADVISORY  READ 10966 fe:00:2433227 128 128',
      '2: POSIX  ADVISORY  READ 10966 fe:00:2433225 1073741826 1073742335',
      '3: FLOCK  ADVISORY  WRITE 77 fe:00:99 0 EOF',
      '3: -> POSIX  ADVISORY  WRITE 12 fe:00:2433225 120 120',
      '4: OFDLCK ADVISORY  READ -1 00:06:2433225 0 EOF',
      'nonsense',
    ].join('\n');
    expect(lockPids(locks, new Set(['2433227', '2433225']))).toEqual([10966, 12]);
  });

  test('a system without that list says nothing', () => {
    expect(databaseHolders(program.path, join(folder, 'no-proc'))).toBeNull();
  });

  test.runIf(process.platform === 'linux')('a process holds the database until it is killed', async () => {
    const code = `
      const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(process.argv[1]);
      db.prepare('SELECT count(*) FROM session').get();
      process.on('disconnect', () => process.exit());
      process.send('ready');
    `;
    program.session({ id: 'ses_a', directory: folder });
    program.message('ses_a', 'msg_1', { role: 'user' });
    program.db.exec(`UPDATE session SET time_updated = ${Date.now() + 60_000}`);
    const other = spawn(process.execPath, ['-e', code, program.path], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(other, 'message');
    expect([...listSessions(program.path)]).toMatchObject([{ liveness: 'alive', pid: other.pid }]);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect([...listSessions(program.path)]).toMatchObject([{ liveness: 'dead', pid: null }]);
  });

  test('the turn is closed by an answer that ended, and open until then', () => {
    const liveness = (data: object): string | undefined => {
      program.db.exec('DELETE FROM session');
      program.session({ id: 'ses_a' });
      program.message('ses_a', 'msg_1', data);
      return [...listSessions(program.path)][0]?.liveness;
    };
    // Only this process has the database open, and it does not count.
    const [closed, open] =
      databaseHolders(program.path) === null ? ['unknown', 'unknown'] : ['ended', 'dead'];
    expect(liveness({ role: 'assistant', time: { completed: 1 }, finish: 'stop' })).toBe(closed);
    expect(liveness({ role: 'assistant', error: { name: 'MessageAbortedError' } })).toBe(closed);
    expect(liveness({ role: 'assistant', time: { completed: 1 }, finish: 'tool-calls' })).toBe(open);
    expect(liveness({ role: 'assistant', time: {} })).toBe(open);
    expect(liveness({ role: 'user' })).toBe(open);
  });
});
