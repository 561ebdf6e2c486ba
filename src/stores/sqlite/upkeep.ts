import { counted } from '../../core/base/counted.ts';
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { StorageFault, Upkeep } from '../../ports/store.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import type { Connection } from './connection.ts';
import { syncFolder, syncPath } from './durable.ts';
import { entryBody } from './journal.ts';
import { nodeSqlite, sqliteVersion } from './needed-version.ts';
import { journalModeOf } from './secure.ts';

export function sqliteUpkeep(connection: Connection, path: string): Upkeep {
  return {
    async check() {
      return [
        ...(await pageFaults(connection)),
        ...(await rowFaults(connection)),
        ...(await columnFaults(connection)),
      ];
    },
    async backup(to) {
      return await backup(connection, to);
    },
    async compact() {
      // As a statement, and not by `exec`, which translates: "busy" must reach the loop that tries again.
      await connection.read(() => connection.sql('VACUUM').run());
    },
    async removed(task) {
      return await connection.read(
        () =>
          connection
            .sql(
              'SELECT 1 FROM removed WHERE task = ?1 AND NOT EXISTS (SELECT 1 FROM task WHERE id = ?1) LIMIT 1',
            )
            .get(task) !== undefined,
      );
    },
    async secret() {
      const held = (): Uint8Array | undefined => {
        const row = connection.sql("SELECT value FROM meta WHERE key = 'secret'").get() as
          | { value: string }
          | undefined;
        return row === undefined ? undefined : Buffer.from(row.value, 'hex');
      };
      const known = await connection.read(held);
      if (known !== undefined) return known;
      return await connection.write(() => {
        // The first process decides; SQLite draws from the system's source of chance.
        connection
          .sql("INSERT OR IGNORE INTO meta(key, value) VALUES ('secret', lower(hex(randomblob(32))))")
          .run();
        return held() ?? new Uint8Array();
      });
    },
    async facts() {
      const count = (table: string): number =>
        (connection.sql(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
      return await connection.read(() => ({
        store: 'sqlite',
        path,
        sqlite: sqliteVersion() ?? '',
        journal: journalModeOf(path) ?? '',
        bytes: statSync(path).size,
        tasks: count('task'),
        entries: count('entry'),
        blobs: count('blob WHERE digest IS NOT NULL'),
        hints: count('hint'),
      }));
    },
  };
}

function damage(text: string): StorageFault {
  return { kind: 'integrity', text };
}

async function pageFaults(connection: Connection): Promise<StorageFault[]> {
  const rows = await connection.read(
    () => connection.sql('PRAGMA integrity_check(20)').all() as unknown as { integrity_check: string }[],
  );
  return rows
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok')
    .map(damage);
}

/** Entries are numbered without gaps across the store, so what is gone without a trace of a sweep can be counted. */
async function rowFaults(connection: Connection): Promise<StorageFault[]> {
  const row = await connection.read(
    () =>
      connection
        .sql(
          `SELECT (SELECT count(*) FROM entry) AS entries, (SELECT coalesce(max(position), 0) FROM entry) AS top,
             (SELECT coalesce(max(top), 0) FROM removed) AS floor,
             (SELECT coalesce(sum(entries), 0) FROM removed) AS removed,
             (SELECT count(*) FROM entry WHERE task NOT IN (SELECT n FROM task)) AS stray`,
        )
        .get() as { entries: number; top: number; floor: number; removed: number; stray: number },
  );
  const faults: StorageFault[] = [];
  const given = Math.max(row.top, row.floor);
  const lost = given - row.removed - row.entries;
  if (lost > 0)
    faults.push({
      kind: 'completeness',
      text: `${lost} of ${given} journal entries are missing from the store.`,
    });
  if (lost < 0) faults.push(damage(`The store holds ${-lost} journal entries more than it wrote.`));
  if (row.stray > 0) faults.push(...(await strayFaults(connection)));
  return faults;
}

/** The row of a task is gone, but each of its entries still says whose it is. */
async function strayFaults(connection: Connection): Promise<StorageFault[]> {
  const rows = await connection.read(
    () =>
      connection
        .sql(
          `SELECT count(*) AS entries, (SELECT body FROM entry e WHERE e.task = entry.task ORDER BY seq LIMIT 1) AS body
             FROM entry WHERE task NOT IN (SELECT n FROM task) GROUP BY task LIMIT 20`,
        )
        .all() as { entries: number; body: string | Uint8Array }[],
  );
  return rows.map(({ entries, body }) => {
    const task = taskIn(body);
    const kept = counted(entries, 'journal entry', 'journal entries');
    return task === undefined
      ? damage(`The row of a task is missing: ${kept} belong to no task.`)
      : damage(`The row of task ${task} is missing; ${kept} of it ${entries === 1 ? 'is' : 'are'} left.`);
  });
}

function taskIn(body: string | Uint8Array): TaskId | undefined {
  try {
    const { task } = JSON.parse(entryBody(body)) as { task?: unknown };
    return typeof task === 'string' && isTaskId(task) ? task : undefined;
  } catch {
    return undefined;
  }
}

/** What is searched by stands in columns of its own, and must say the same as what is shown. */
async function columnFaults(connection: Connection): Promise<StorageFault[]> {
  const rows = await connection.read(
    () =>
      connection
        .sql(
          `SELECT id FROM task WHERE CASE WHEN json_valid(card) THEN (card ->> 'task', card ->> 'seq', card ->> 'status', card ->> 'lane',
             card ->> 'holder', card ->> 'dead', card ->> 'openedAt') IS NOT (id, seq, status, lane, holder, dead, opened_at)
             ELSE TRUE END LIMIT 20`,
        )
        .all() as { id: unknown }[],
  );
  const keys = await connection.read(
    () =>
      connection
        .sql(
          `SELECT count(*) AS n FROM entry_key k
           WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.task = k.task AND e.seq = k.seq)`,
        )
        .get() as { n: number },
  );
  const faults = rows.map(({ id }) => damage(`The row of task ${String(id)} contradicts its card.`));
  if (keys.n > 0) faults.push(damage(`${keys.n} idempotency keys belong to no entry.`));
  return faults;
}

/** Written under another name, checked, synced, then renamed: the target is whole or absent. */
async function backup(connection: Connection, to: string): Promise<{ bytes: number }> {
  if (existsSync(to)) throw backupExists(to);
  // Not the process id: in a container it is often the same again, and would meet what a crash left.
  const partial = `${to}.partial-${globalThis.crypto.randomUUID()}`;
  try {
    // Made here so that the copy is as private as the original from its first byte on.
    closeSync(openSync(partial, 'wx', 0o600));
    await connection.read(() => connection.sql('VACUUM INTO ?').run(partial));
    checkCopy(partial);
    syncPath(partial);
    connection.reached('backup:copied');
    putInPlace(partial, to);
    connection.reached('backup:renamed');
    syncFolder(dirname(to));
  } catch (cause) {
    for (const left of [partial, `${partial}-journal`]) rmSync(left, { force: true });
    if (cause instanceof StaffettaError) throw cause;
    throw new StaffettaError('store-io', `The backup to ${to} failed: ${(cause as Error).message}`, {
      cause,
      hint: 'Nothing was left behind.',
    });
  }
  return { bytes: statSync(to).size };
}

/** Unlike a rename, a second name is refused where one came into being meanwhile. */
function putInPlace(partial: string, to: string): void {
  try {
    linkSync(partial, to);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw backupExists(to);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw cause;
    // A file system without second names: as near as it can be.
    if (existsSync(to)) throw backupExists(to);
    renameSync(partial, to);
    return;
  }
  rmSync(partial);
}

function backupExists(to: string): StaffettaError {
  return new StaffettaError('store-exists', `${to} exists already; a backup never overwrites.`, {
    hint: 'Choose another file name.',
  });
}

function checkCopy(path: string): void {
  const copy = new (nodeSqlite().DatabaseSync)(path, { readOnly: true });
  try {
    const row = copy.prepare('PRAGMA quick_check(1)').get() as { quick_check: string } | undefined;
    if (row?.quick_check !== 'ok')
      throw new Error(`the copy is damaged: ${row?.quick_check ?? 'unreadable'}`);
  } finally {
    copy.close();
  }
}
