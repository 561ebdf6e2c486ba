import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Holders, lifeOf } from './liveness.ts';

let home = '';
let path = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'staffetta-cline-'));
  path = join(home, 'session.json');
  writeFileSync(path, '');
  mkdirSync(join(home, 'db'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const gone = 2 ** 22 + 1;
const life = (status: string, pid: number, cwd = '/elsewhere'): unknown =>
  lifeOf({ status, pid, cwd }, path, new Holders({ CLINE_DATA_DIR: home }));

test.each([
  ['running', process.pid, 'alive'],
  ['running', gone, 'dead'],
  ['idle', process.pid, 'unknown'],
  ['idle', gone, 'ended'],
  ['completed', process.pid, 'ended'],
  ['failed', gone, 'ended'],
])('%s, with the process %d: %s', (status, pid, liveness) => {
  expect(life(status, pid)).toMatchObject({ liveness });
});

test.skipIf(process.platform !== 'linux')(
  'one that runs under another process, which has the database open in its folder, is not called dead',
  async () => {
    const database = join(home, 'db', 'sessions.db');
    new DatabaseSync(database).exec('PRAGMA journal_mode = wal; CREATE TABLE t (x)');
    const script = `const d = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(database)});
d.exec('SELECT * FROM t'); console.log('open'); process.stdin.on('end', () => process.exit()).resume();`;
    const child = spawn(process.execPath, ['-e', script], { cwd: home, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      expect(life('running', gone, home)).toMatchObject({ liveness: 'unknown' });
      expect(life('running', gone, '/elsewhere')).toMatchObject({ liveness: 'dead' });
    } finally {
      child.stdin.end();
      await new Promise((resolve) => child.once('close', resolve));
    }
  },
);
