/** The doctor: what it looked at and where, what is wrong, what to do, and nothing left behind. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { notProven } from '../faults/not-proven.ts';
import { newFolder, newRepository, staffetta, type Json, type Ran } from './command.ts';
import { stages } from './stage.ts';

interface Found extends Json {
  readonly check: string;
  readonly status: string;
  readonly text: string;
  readonly fix?: string;
}

function findings(ran: Ran): Record<string, Found> {
  const found = ran.json['findings'] as Found[];
  return Object.fromEntries(found.map((finding) => [finding.check, finding]));
}

describe('a place where work can be kept', () => {
  test('is proven where the store is, and nothing is left there', async () => {
    const { folder, store } = await stages.held();
    const inside = join(folder, '.staffetta');
    const before = readdirSync(inside);
    const ran = await staffetta(['doctor', '--json'], { cwd: folder });
    expect(ran).toMatchObject({ status: 0, stderr: '', json: { ok: true, store, provenIn: inside } });
    const found = findings(ran);
    expect(Object.keys(found)).toEqual([
      'node',
      'git',
      'store',
      'storage',
      'leases',
      'permissions',
      'disk',
      'contract',
    ]);
    expect(found['store']?.text).toContain(`${store} (the root of this git repository): 1 task`);
    expect(found['contract']?.text).toMatch(/^(\d+) of \1 cases hold on scratch stores in /);
    expect(readdirSync(inside)).toEqual(before);
  });

  test('needs no store yet: the nearest folder is proven, and named', async () => {
    const folder = newRepository();
    const ran = await staffetta(['doctor'], { cwd: folder });
    expect(ran.status).toBe(0);
    expect(ran.stdout).toContain(`none yet; the first task creates it at ${folder}/.staffetta/store.db`);
    expect(ran.stdout).toMatch(new RegExp(`cases hold on scratch stores in ${folder}$`, 'm'));
    expect(ran.stderr).toBe('Nothing is wrong.\n');
    expect(readdirSync(folder)).toEqual(['.git']);
  });

  test('in a dry run is looked at, but nothing is written to prove it', async () => {
    const folder = newRepository();
    const ran = await staffetta(['doctor', '--dry-run', '--json'], { cwd: folder });
    expect(ran).toMatchObject({ status: 0, json: { provenIn: null } });
    expect(findings(ran)['contract']).toMatchObject({ status: 'untried', ok: false });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s in the middle of the proof leaves nothing behind',
    async (signal) => {
      const folder = newRepository();
      const seen = Promise.withResolvers<string>();
      const watcher = watch(folder, (_, name) => seen.resolve(String(name)));
      const ran = await staffetta(['doctor', '--json'], {
        cwd: folder,
        meanwhile: (child) => {
          void seen.promise.then(() => child.kill(signal));
        },
      });
      watcher.close();
      expect(await seen.promise).toMatch(/^\.staffetta-doctor-/);
      const { status, signal: by } = ran;
      expect({ status, by }).toEqual(
        signal === 'SIGINT' ? { status: 130, by: null } : { status: null, by: signal },
      );
      expect(readdirSync(folder)).toEqual(['.git']);
    },
  );
});

describe('a place where it cannot', () => {
  test.each(['--store', 'STAFFETTA_STORE'])(
    'is not answered with another one: a missing folder named by %s',
    async (by) => {
      const folder = newFolder();
      const store = join(folder, 'typo', 'store.db');
      const ran = await staffetta(['doctor', '--json', ...(by === '--store' ? [by, store] : [])], {
        cwd: folder,
        env: by === '--store' ? {} : { [by]: store },
      });
      expect(ran).toMatchObject({ status: 3, json: { ok: false, store: null, provenIn: null } });
      const found = findings(ran);
      expect(found['store']).toMatchObject({ status: 'wrong', code: 'store-missing' });
      expect(found['store']?.text).toBe(`There is no folder ${join(folder, 'typo')} (named by ${by}).`);
      expect(found['store']?.fix).toContain('create the folder');
      expect(found['contract']?.status).toBe('untried');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('a folder in place of a file, and an address of no store, are findings too', async () => {
    const folder = newFolder();
    const ran = await staffetta(['doctor', '--store', folder, '--json']);
    expect(ran.status).toBe(1);
    expect(findings(ran)['store']?.text).toContain('is a folder; a store is a file');
    const other = await staffetta(['doctor', '--store', 'redis://x/y', '--json']);
    expect(other.status).toBe(1);
    expect(findings(other)['store']).toMatchObject({ status: 'wrong', code: 'store-unsupported' });
  });

  test('a folder without permission is told once, and so is one that cannot be entered', async ({ skip }) => {
    const outer = newFolder();
    chmodSync(outer, 0o755);
    const [sealed, shut] = [join(outer, 'sealed'), join(outer, 'shut')];
    mkdirSync(sealed, { mode: 0o555 });
    mkdirSync(shut, { mode: 0o000 });
    // Root may write anywhere, so it lets somebody else try.
    const options = { cwd: outer, ...(process.getuid?.() === 0 ? { uid: 65_534 } : {}) };
    const able = await staffetta(['--version'], options).catch(() => ({ status: null }));
    if (able.status !== 0) {
      notProven('that the doctor tells missing permission once', 'only root can run the command here');
      skip();
    }
    const ran = await staffetta(['doctor', '--store', join(sealed, 'store.db'), '--json'], options);
    expect(ran.status).toBe(1);
    expect(findings(ran)['permissions']).toMatchObject({
      status: 'wrong',
      text: `${sealed} cannot be written: permission denied.`,
    });
    expect(findings(ran)['contract']).toMatchObject({ status: 'untried' });
    expect(ran.stdout.match(/permission denied/g)).toHaveLength(1);
    const entered = await staffetta(['doctor', '--store', join(shut, 'store.db')], options);
    expect(entered.status).toBe(1);
    expect(entered.stdout).toContain(`${join(shut, 'store.db')} cannot be reached: permission denied.`);
    expect(entered.stdout.match(/permission denied/g)).toHaveLength(1);
  });

  test('a store that others can read is named with what to do', async () => {
    const { folder, store } = await stages.held();
    chmodSync(store, 0o644);
    const ran = await staffetta(['doctor', '--dry-run'], { cwd: folder });
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatch(/^FAIL {2}permissions .*\(mode 644\)\.\n {25}.*chmod 600/m);
    expect(ran.stderr).toBe('1 check failed.\n');
  });

  test('a damaged store ends with 9, and its place is proven all the same', async () => {
    const { folder, store } = await stages.handedOff();
    const db = new DatabaseSync(store);
    db.exec('DELETE FROM entry WHERE position = 1; PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const rows = await staffetta(['doctor', '--json'], { cwd: folder });
    expect(rows.status).toBe(9);
    expect(findings(rows)['storage']).toMatchObject({ status: 'wrong', code: 'corrupt' });
    expect(findings(rows)['storage']?.fix).toContain('staffetta verify');
    expect(findings(rows)['contract']?.status).toBe('ok');
    truncateSync(store, statSync(store).size - 5000);
    const pages = await staffetta(['doctor', '--dry-run', '--json'], { cwd: folder });
    expect(pages.status).toBe(9);
    expect(existsSync(store)).toBe(true);
  });
});

function gitThatSays(words: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "${words}"\n`, { mode: 0o755 });
  return folder;
}

describe('git', () => {
  const none = { PATH: newFolder() };

  test('that is there is named with its version', async () => {
    const ran = await staffetta(['doctor', '--dry-run', '--json'], { cwd: newRepository() });
    expect(findings(ran)['git']).toMatchObject({
      status: 'ok',
      text: expect.stringMatching(/^git \d+\.\d+.* at \//) as string,
    });
  });

  test('that is missing, too old or says nothing is wrong in a repository, with what to do', async () => {
    for (const [path, words] of [
      [none.PATH, 'there is no git'],
      [gitThatSays('git version 2.30.9'), 'git 2.30.9 at'],
      [gitThatSays('sorry'), 'does not say which version'],
    ] as const) {
      const ran = await staffetta(['doctor', '--dry-run', '--json'], {
        cwd: newRepository(),
        env: { PATH: path },
      });
      expect(ran.status).toBe(1);
      expect(findings(ran)['git']).toMatchObject({
        status: 'wrong',
        code: 'git-missing',
        text: expect.stringContaining(words) as string,
        fix: 'Install git 2.31 or newer.',
      });
    }
  });

  test('that is missing where there is no repository is said, and is not wrong', async () => {
    const ran = await staffetta(['doctor', '--dry-run', '--json'], { cwd: newFolder(), env: none });
    expect(ran.status).toBe(0);
    expect(findings(ran)['git']).toMatchObject({ status: 'untried' });
  });
});
