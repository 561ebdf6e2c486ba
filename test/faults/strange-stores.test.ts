/** What is found where a store was expected. Every refusal has a code that says what is wrong, and changes nothing. */
import { spawnSync } from 'node:child_process';
import {
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
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStaffetta } from '../../src/library/staffetta.ts';
import { isStaffettaError } from '../../src/core/base/error.ts';
import { schemaNumber } from '../../src/stores/sqlite/schema.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open.ts';
import { notProven } from './not-proven.ts';

let folder = '';
let store = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffetta-strange-'));
  store = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function makeStore(): Promise<void> {
  const staffetta = await openStaffetta({ gate: 'record', store, as: 'ada' });
  await staffetta.open({ goal: 'Be here.' }, { key: 'here' });
  await staffetta.close();
}

function change(sql: string): void {
  const db = new DatabaseSync(store);
  db.exec(sql);
  db.close();
}

/** How opening it ends: the code of the refusal, and whether any file is other than before. */
async function opening(path = store): Promise<string> {
  const before = JSON.stringify(contents());
  try {
    const staffetta = await openStaffetta({ gate: 'record', store: path });
    await staffetta.close();
    return 'opened';
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return JSON.stringify(contents()) === before ? error.code : `${error.code}, and something was changed`;
  }
}

/** A store that cannot be written can still be read: how the first write to it ends. */
async function writing(): Promise<string> {
  const before = JSON.stringify(contents());
  const staffetta = await openStaffetta({ gate: 'record', store });
  try {
    await staffetta.open({ goal: 'One more' });
    return 'written';
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return JSON.stringify(contents()) === before ? error.code : `${error.code}, and something was changed`;
  } finally {
    await staffetta.close();
  }
}

function contents(): Record<string, string> {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

test('a store from before the index of who waits has it when it is opened, by two at once', async () => {
  const before = await openStaffetta({ gate: 'record', store, as: 'ada' });
  const [need, done] = [await before.begin({ goal: 'First.' }), await before.begin({ goal: 'Zeroth.' })];
  const { task } = await before.open({ goal: 'Second.', needs: [need.task, done.task] });
  await before.close();
  change(
    `DROP INDEX task_of_run; DROP TABLE wait; DROP TABLE ended; UPDATE meta SET value = '1' WHERE key = 'readable_by'; PRAGMA user_version = 1;
     UPDATE task SET status = 'done' WHERE id = '${done.task}'`,
  );
  const stores = await Promise.all([openSqliteStore(store), openSqliteStore(store)]);
  const [{ catalog }] = stores;
  const all = [need.task, done.task].toSorted().map((one) => ({ need: one, task }));
  expect(await catalog.waits({ limit: 10 })).toEqual(all);
  expect(await catalog.waits({ over: true, limit: 10 })).toEqual([{ need: done.task, task }]);
  for (const one of stores) await one.close();
});

describe('a store that this program cannot use', () => {
  test('one that a newer program brought up to date while it was open is not written any more', async () => {
    await makeStore();
    const [running, watching] = [await openSqliteStore(store), await openStaffetta({ store, as: 'ada' })];
    change(`PRAGMA user_version = ${schemaNumber + 1}; CREATE TABLE novelty(a)`);
    await watching.open({ goal: 'It kept the old ways.' });
    change(
      `PRAGMA user_version = ${schemaNumber + 2}; UPDATE meta SET value = '${schemaNumber + 2}' WHERE key = 'readable_by'`,
    );
    const refused = { code: 'store-newer', message: expect.stringContaining(`schema ${schemaNumber + 2}`) };
    await expect(watching.open({ goal: 'One more' })).rejects.toMatchObject(refused);
    await expect(running.blobs.put(Buffer.from('more'), 0)).rejects.toMatchObject(refused);
    expect((await watching.list()).cards).toHaveLength(2);
    await watching.close();
    await running.close();
  });

  test('one from a future with breaking changes is refused and left alone', async () => {
    await makeStore();
    change(
      `PRAGMA user_version = ${schemaNumber + 1}; UPDATE meta SET value = '${schemaNumber + 1}' WHERE key = 'readable_by'`,
    );
    expect(await opening()).toBe('store-newer');
  });

  test('one from a future that kept the old ways is used, and keeps its version', async () => {
    await makeStore();
    change(`PRAGMA user_version = ${schemaNumber + 1}; CREATE TABLE novelty(a)`);
    const staffetta = await openStaffetta({ gate: 'record', store, as: 'ada' });
    await staffetta.open({ goal: 'Be here too.' });
    expect((await staffetta.verify()).faults).toEqual([]);
    await staffetta.close();
    const db = new DatabaseSync(store);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: schemaNumber + 1 });
    db.close();
  });

  test('a database of somebody else is refused and left alone', async () => {
    change('CREATE TABLE theirs(a); INSERT INTO theirs VALUES (1)');
    expect(await opening()).toBe('store-unsupported');
  });

  test('a database of somebody else that only has an id is refused and left alone', async () => {
    change('PRAGMA application_id = 77');
    expect(await opening()).toBe('store-unsupported');
  });

  test.each([
    ['a short text', 'Not a database.'],
    ['a long text', 'Not a database.\n'.repeat(1000)],
    ['zeros', '\0'.repeat(8192)],
  ])('%s is refused and left alone', async (_name, text) => {
    writeFileSync(store, text);
    expect(await opening()).toBe('corrupt');
  });

  test('a folder is refused', async () => {
    mkdirSync(store);
    expect(await opening()).toBe('store-io');
  });

  test('a place beneath a file is refused', async () => {
    writeFileSync(join(folder, 'file'), 'text');
    expect(await opening(join(folder, 'file', 'store.db'))).toBe('store-io');
  });

  test('an empty file is a store to be made, and no store to be read', async () => {
    writeFileSync(store, '');
    await expect(openSqliteStore(store)).rejects.toSatisfy((error) =>
      isStaffettaError(error, 'store-missing'),
    );
    await makeStore();
    expect(statSync(store).size).toBeGreaterThan(0);
  });

  test('an empty file beside a log is a loss, not a beginning', async () => {
    const staffetta = await openStaffetta({ gate: 'record', store, as: 'ada' });
    await staffetta.open({ goal: 'Be remembered.' });
    const log = readFileSync(`${store}-wal`);
    await staffetta.close();
    writeFileSync(store, '');
    writeFileSync(`${store}-wal`, log);
    expect(await opening()).toBe('corrupt');
  });
});

/** Runs a command of the system; false if it cannot be done here. */
function can(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

describe('a store that cannot be written', () => {
  test('a file that may not be changed can be read, and refuses to be written', async ({ skip }) => {
    await makeStore();
    if (!can('chattr', '+i', store)) {
      notProven('that a read-only file is refused', 'chattr +i does not work here');
      skip();
    }
    try {
      const staffetta = await openStaffetta({ gate: 'record', store, as: 'ada' });
      expect((await staffetta.list()).cards.length).toBe(1);
      await expect(staffetta.open({ goal: 'No.' })).rejects.toSatisfy((error) =>
        isStaffettaError(error, 'store-readonly'),
      );
      await staffetta.close();
    } finally {
      can('chattr', '-i', store);
    }
  });

  test('a folder that may not be changed is called read-only, for an old store and a new one', async ({
    skip,
  }) => {
    await makeStore();
    if (!can('chattr', '+i', folder)) {
      notProven('that a read-only folder is refused', 'chattr +i does not work here');
      skip();
    }
    try {
      expect(await writing()).toBe('store-readonly');
      expect(await opening(join(folder, 'new.db'))).toBe('store-readonly');
      expect(await opening(join(folder, 'new', 'store.db'))).toBe('store-readonly');
    } finally {
      can('chattr', '-i', folder);
    }
  });

  test('a disk that is mounted read-only is called read-only', async ({ skip }) => {
    if (!can('mount', '-t', 'tmpfs', 'tmpfs', folder)) {
      notProven('that a read-only disk is refused', 'nothing can be mounted here (that takes root)');
      skip();
    }
    try {
      await makeStore();
      expect(can('mount', '-o', 'remount,ro', folder)).toBe(true);
      expect(await writing()).toBe('store-readonly');
      expect(await opening(join(folder, 'new.db'))).toBe('store-readonly');
      expect(can('mount', '-o', 'remount,rw', folder)).toBe(true);
      const staffetta = await openStaffetta({ gate: 'record', store });
      expect((await staffetta.verify()).faults).toEqual([]);
      await staffetta.close();
    } finally {
      can('umount', folder);
    }
    expect(existsSync(store)).toBe(false);
  });
});
