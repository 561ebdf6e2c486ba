import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OpencodeDatabase } from '../../../test/runtimes/fixtures/opencode/database.ts';
import { openDatabase } from './database.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opencode-db-'));
  path = join(folder, 'opencode.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Names, times of change and digests of all that is there. */
function trace(): string[] {
  return readdirSync(folder).map((name) => {
    const { mtimeNs } = statSync(join(folder, name), { bigint: true });
    return `${name} ${mtimeNs} ${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}`;
  });
}

/** Two connections of one process share what they know of the log, so the program must be another one. */
const otherProcess = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1]);
  let sessions = 1;
  process.on('message', () => {
    sessions += 1;
    db.prepare('INSERT INTO session SELECT ?, project_id, NULL, NULL, slug, directory, path, title, version, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, 1, 1, NULL FROM session LIMIT 1').run('ses_' + sessions);
    process.send('done');
  });
  process.on('disconnect', () => process.exit());
  db.prepare('SELECT count(*) FROM session').get();
  process.send('ready');
`;

function countSessions(): unknown {
  const database = openDatabase(path);
  try {
    return database.read((question) => question.all('SELECT count(*) AS n FROM session'))[0]?.['n'];
  } finally {
    database.close();
  }
}

describe('reading leaves no trace (RT1)', () => {
  test('while the program has the database open, and its latest rows are seen', async () => {
    const made = new OpencodeDatabase(path);
    made.session({ id: 'ses_1' });
    made.close();
    const program = spawn(process.execPath, ['-e', otherProcess, path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(program, 'message');
    for (const sessions of [2, 3]) {
      program.send('insert');
      await once(program, 'message');
      const before = trace();
      expect(before).toHaveLength(3);
      expect(countSessions()).toBe(sessions);
      expect(trace()).toEqual(before);
    }
    program.disconnect();
    await once(program, 'exit');
  });

  test('after the program closed it, without creating files beside it', () => {
    const program = new OpencodeDatabase(path);
    program.session({ id: 'ses_1' });
    program.close();
    const before = trace();
    expect(before).toHaveLength(1);
    expect(countSessions()).toBe(1);
    expect(trace()).toEqual(before);
  });

  test('after the program was killed, and what it had not moved from its log is seen', () => {
    const elsewhere = join(folder, 'run');
    mkdirSync(elsewhere);
    const program = new OpencodeDatabase(join(elsewhere, 'opencode.db'));
    program.session({ id: 'ses_1' });
    for (const end of ['', '-wal', '-shm']) {
      copyFileSync(join(elsewhere, `opencode.db${end}`), `${path}${end}`);
    }
    program.close();
    rmSync(elsewhere, { recursive: true });
    const before = trace();
    expect(countSessions()).toBe(1);
    expect(trace()).toEqual(before);
  });

  test('with a log that lost its index', () => {
    const elsewhere = join(folder, 'run');
    mkdirSync(elsewhere);
    const program = new OpencodeDatabase(join(elsewhere, 'opencode.db'));
    program.session({ id: 'ses_1' });
    for (const end of ['', '-wal']) copyFileSync(join(elsewhere, `opencode.db${end}`), `${path}${end}`);
    program.close();
    rmSync(elsewhere, { recursive: true });
    const before = trace();
    expect(countSessions()).toBe(1);
    expect(trace()).toEqual(before);
  });
});

test('a writer that comes while a still database is read has the question put again', () => {
  new OpencodeDatabase(path).close();
  const database = openDatabase(path);
  let program: OpencodeDatabase | null = null;
  let asked = 0;
  const seen = database.read((question) => {
    asked += 1;
    if (program === null) {
      program = new OpencodeDatabase(path);
      program.session({ id: 'ses_1' });
    }
    return question.all('SELECT id FROM session').length;
  });
  expect({ seen, asked }).toEqual({ seen: 1, asked: 2 });
  database.close();
  (program as OpencodeDatabase | null)?.close();
});

test('a writer that comes while a copy is read has the question put again', () => {
  new OpencodeDatabase(path).close();
  writeFileSync(`${path}-wal`, 'no log');
  const database = openDatabase(path);
  let program: OpencodeDatabase | null = null;
  const seen = database.read((question) => {
    if (program === null) {
      program = new OpencodeDatabase(path);
      program.session({ id: 'ses_1' });
    }
    return question.all('SELECT id FROM session').length;
  });
  expect(seen).toBe(1);
  database.close();
  (program as OpencodeDatabase | null)?.close();
});

test.each(['', '-wal', '-shm'])(
  'a pipe in the place of opencode.db%s is refused, and nobody waits for a writer',
  (end) => {
    if (end !== '') {
      new OpencodeDatabase(path).close();
      rmSync(`${path}${end}`, { force: true });
    }
    execFileSync('mkfifo', [`${path}${end}`]);
    expect(() => openDatabase(path)).toThrow(`opencode.db${end} is no regular file`);
  },
);

test('scratch copies are removed', () => {
  vi.stubEnv('TMPDIR', folder);
  const copies = (): number => readdirSync(folder).filter((name) => name.startsWith('staffetta-')).length;
  new OpencodeDatabase(path).close();
  writeFileSync(`${path}-wal`, 'no log');
  const database = openDatabase(path);
  expect(copies()).toBe(1);
  database.close();
  expect(copies()).toBe(0);
  vi.unstubAllEnvs();
});

test('the program can start its log anew while a capture is under way', () => {
  const program = new OpencodeDatabase(path);
  program.session({ id: 'ses_1' });
  const database = openDatabase(path);
  database.read((question) => question.all('SELECT id FROM session'));
  const checkpoint = program.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  expect(checkpoint.busy).toBe(0);
  database.close();
  program.close();
});

test.each([
  ['a directory in its place', () => mkdirSync(path)],
  ['a file that is no database', () => writeFileSync(path, 'x'.repeat(5000))],
  ['nothing', () => undefined],
])('%s is refused in words', (_, make) => {
  make();
  expect(() => countSessions()).toThrow(/^The sessions of opencode in .* cannot be read: /);
  expect(existsSync(`${path}-wal`)).toBe(false);
});
