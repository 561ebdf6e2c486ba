/** P1, P2: one file by two names has two logs, of which one is lost. It is refused by either name, and nothing is lost on the way. */
import { spawnSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleAppend, sampleTask } from '../../src/conformance/sample.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import { notProven } from '../faults/not-proven.ts';
import { home, launcher, newFolder, node, staffetta, type Ran } from './command.ts';

interface Held {
  readonly store: string;
  readonly task: string;
}

async function held(): Promise<Held> {
  const store = join(newFolder(), 'store.db');
  const opened = await staffetta(['open', 'x', '--take', '--as', 'ada', '--store', store, '--json']);
  expect(opened.status).toBe(0);
  return { store, task: String(opened.json['task']) };
}

async function note({ store, task }: Held, text: string): Promise<Ran> {
  return await staffetta(['note', task, text, '--as', 'ada', '--store', store, '--json']);
}

function expectRefused(ran: Ran, words: RegExp): void {
  expect(ran.status).toBe(1);
  expect(ran.json).toMatchObject({
    error: { code: 'store-unsupported', message: expect.stringMatching(words) as string },
  });
}

test('two processes with two names: neither is told that anything was stored', async () => {
  const at = await held();
  const other = join(dirname(at.store), 'other.db');
  linkSync(at.store, other);
  const ran = await Promise.all([note(at, 'one'), note({ ...at, store: other }, 'two')]);
  for (const each of ran) expectRefused(each, /has 2 names \((store|other)\.db\)/);
  rmSync(other);
  expect((await note(at, 'three')).status).toBe(0);
  expect((await staffetta(['verify', '--store', at.store])).status).toBe(0);
});

test('verify and doctor say so', async () => {
  const at = await held();
  linkSync(at.store, join(dirname(at.store), 'other.db'));
  expectRefused(await staffetta(['verify', '--store', at.store, '--json']), /2 names/);
  const { findings } = (await staffetta(['doctor', '--dry-run', '--store', at.store, '--json'])).json as {
    findings: { check: string; status: string; text: string }[];
  };
  expect(findings.find(({ check }) => check === 'store')).toMatchObject({
    status: 'wrong',
    text: expect.stringContaining('2 names') as string,
  });
});

test('a copy of a folder of links goes on with everything that was in it', async () => {
  const at = await held();
  expect((await note(at, 'kept')).status).toBe(0);
  const backup = join(newFolder(), 'backup');
  mkdirSync(backup);
  linkSync(at.store, join(backup, 'store.db'));
  const copy = join(newFolder(), 'copy');
  cpSync(backup, copy, { recursive: true });
  const copied = { ...at, store: join(copy, 'store.db') };
  expect((await note(copied, 'more')).status).toBe(0);
  expect((await staffetta(['log', at.task, '--store', copied.store])).stdout).toContain('kept');
});

test('a log that has two names, or is a link, is refused too', async () => {
  const at = await held();
  const store = await openSqliteStore(at.store);
  linkSync(`${at.store}-wal`, join(dirname(at.store), 'other.db-wal'));
  expectRefused(await note(at, 'x'), /store\.db-wal has 2 names/);
  await store.close();
  rmSync(join(dirname(at.store), 'other.db-wal'));
  expect((await note(at, 'x')).status).toBe(0);
  writeFileSync(join(dirname(at.store), 'elsewhere'), '');
  symlinkSync('elsewhere', `${at.store}-wal`);
  expectRefused(await note(at, 'x'), /store\.db-wal is a link/);
});

test('a symbolic link to the file is no second name', async () => {
  const at = await held();
  const link = join(newFolder(), 'link.db');
  symlinkSync(at.store, link);
  const ran = await Promise.all([note(at, 'one'), note({ ...at, store: link }, 'two')]);
  expect(ran.map(({ status }) => status)).toEqual([0, 0]);
  const log = (await staffetta(['log', at.task, '--store', at.store])).stdout;
  for (const text of ['one', 'two']) expect(log).toContain(text);
});

test('a process that has it open writes no more once it has a second name, and goes on when that is gone', async () => {
  const path = join(newFolder(), 'store.db');
  const store = await openSqliteStore(path, { create: true });
  linkSync(path, `${path}.other`);
  const append = sampleAppend(sampleTask(1), 0);
  await expect(store.journal.append(append)).rejects.toMatchObject({ code: 'store-unsupported' });
  rmSync(`${path}.other`);
  expect(await store.journal.append(append)).toEqual({ stored: true });
  await store.close();
});

test('a process that has it open writes no more once it was moved or replaced', async () => {
  const path = join(newFolder(), 'store.db');
  const store = await openSqliteStore(path, { create: true });
  renameSync(path, `${path}.moved`);
  const append = sampleAppend(sampleTask(1), 0);
  await expect(store.journal.append(append)).rejects.toMatchObject({ code: 'store-io' });
  await (await openSqliteStore(path, { create: true })).close();
  await expect(store.journal.append(append)).rejects.toMatchObject({ code: 'store-io' });
  await store.close();
});

const mounts = spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!mounts) notProven('that a mounted file is refused', 'this user may not mount');

test.skipIf(!mounts)('a file that is mounted by itself is refused, and a mounted folder is not', async () => {
  const at = await held();
  const folder = join(newFolder(), 'with a blank');
  mkdirSync(folder);
  const file = join(folder, 'store.db');
  writeFileSync(file, '');
  const words = ['note', at.task, 'x', '--as', 'ada', '--json', '--store', file];
  const mounted = (what: string, where: string): Ran['json'] => {
    const script = 'mount --bind "$1" "$2"; shift 2; exec "$@"';
    const args = ['--mount', 'sh', '-c', script, 'sh', what, where, node, launcher, ...words];
    const { stdout } = spawnSync('unshare', args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home },
    });
    return JSON.parse(stdout) as Ran['json'];
  };
  expect(mounted(at.store, file)).toMatchObject({
    error: { code: 'store-unsupported', message: expect.stringContaining('mounted by itself') as string },
  });
  expect(mounted(dirname(at.store), folder)).toMatchObject({ task: at.task });
});
