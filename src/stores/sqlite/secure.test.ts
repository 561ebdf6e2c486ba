import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from './open.ts';
import { journalModeOf } from './secure.ts';

const folder = mkdtempSync(join(tmpdir(), 'staffetta-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('with a rollback journal a change waits for readers as long as it may, and is then refused and not made', async () => {
  const path = join(folder, 'waits.db');
  const store = await openSqliteStore(path, { create: true, journal: 'rollback', busyMs: 150 });
  const reader = new DatabaseSync(path);
  reader.exec('BEGIN; SELECT * FROM meta');
  await expect(store.upkeep.secret()).rejects.toMatchObject({ code: 'store-busy' });
  reader.exec('COMMIT');
  expect(reader.prepare("SELECT * FROM meta WHERE key = 'secret'").all()).toEqual([]);
  reader.close();
  expect(await store.upkeep.secret()).toHaveLength(32);
  await store.close();
  // Another that asks for a log does not get one.
  await (await openSqliteStore(path, { journal: 'log' })).close();
  expect(journalModeOf(path)).toBe('rollback');
});

test('of several that make a store and want it otherwise, one decides for all', async () => {
  for (const asked of [['rollback', 'log'] as const, ['log', 'rollback'] as const]) {
    const path = join(folder, `${asked.join('-')}.db`);
    const opened = asked.map(async (journal) => await openSqliteStore(path, { create: true, journal }));
    const stores = await Promise.all(opened);
    const secrets = await Promise.all(stores.map(async ({ upkeep }) => await upkeep.secret()));
    expect(secrets[0]).toEqual(secrets[1]);
    for (const store of stores) await store.close();
    const db = new DatabaseSync(path);
    const isRollback = db.prepare("SELECT 1 FROM meta WHERE key = 'journal'").get() !== undefined;
    db.close();
    expect(journalModeOf(path)).toBe(isRollback ? 'rollback' : 'log');
  }
});

test('a folder, nothing and an empty file have no journal', () => {
  expect([folder, join(folder, 'none.db')].map(journalModeOf)).toEqual([undefined, undefined]);
});
