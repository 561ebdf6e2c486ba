import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StaffettaError } from '../../core/error.ts';
import type { Upkeep } from '../../ports/store.ts';
import type { Connection } from './connection.ts';

export function sqliteUpkeep(connection: Connection, path: string): Upkeep {
  return {
    async check() {
      return [...(await pageFaults(connection)), ...(await rowFaults(connection))];
    },
    async backup(to) {
      return await backup(connection, to);
    },
    async compact() {
      await connection.read(() => connection.exec('VACUUM'));
    },
    async facts() {
      const count = (table: string): number =>
        (connection.sql(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
      return await connection.read(() => ({
        store: 'sqlite',
        path,
        sqlite: process.versions['sqlite'] ?? '',
        bytes: statSync(path).size,
        tasks: count('task'),
        entries: count('entry'),
        blobs: count('blob'),
        hints: count('hint'),
      }));
    },
  };
}

async function pageFaults(connection: Connection): Promise<string[]> {
  const rows = await connection.read(
    () => connection.sql('PRAGMA integrity_check(20)').all() as unknown as { integrity_check: string }[],
  );
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
}

/** Entries are numbered without gaps across the store, so what is gone without a trace of a sweep can be counted. */
async function rowFaults(connection: Connection): Promise<string[]> {
  const row = await connection.read(
    () =>
      connection
        .sql(
          `SELECT (SELECT count(*) FROM entry) AS entries, (SELECT coalesce(max(position), 0) FROM entry) AS top,
             (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'entry') AS given,
             (SELECT coalesce(sum(entries), 0) FROM removed) AS removed,
             (SELECT count(*) FROM entry WHERE task NOT IN (SELECT n FROM task)) AS stray`,
        )
        .get() as { entries: number; top: number; given: number; removed: number; stray: number },
  );
  const faults: string[] = [];
  const lost = row.given - row.removed - row.entries;
  if (lost > 0) faults.push(`${lost} of ${row.given} journal entries are missing from the store.`);
  if (lost < 0) faults.push(`The store holds ${-lost} journal entries more than it wrote.`);
  if (row.stray > 0) faults.push(`${row.stray} journal entries belong to no task.`);
  return faults;
}

/** Written under another name, synced, checked, then renamed: the target is whole or absent. */
async function backup(connection: Connection, to: string): Promise<{ bytes: number }> {
  if (existsSync(to)) {
    throw new StaffettaError('store-exists', `${to} exists already; a backup never overwrites.`, {
      hint: 'Choose another file name.',
    });
  }
  const partial = `${to}.partial-${process.pid}`;
  try {
    // Made here so that the copy is as private as the original from its first byte on.
    closeSync(openSync(partial, 'wx', 0o600));
    await connection.read(() => connection.sql('VACUUM INTO ?').run(partial));
    syncPath(partial);
    renameSync(partial, to);
    syncPath(dirname(to));
  } catch (cause) {
    rmSync(partial, { force: true });
    if (cause instanceof StaffettaError) throw cause;
    throw new StaffettaError('store-io', `The backup to ${to} failed: ${(cause as Error).message}`, {
      cause,
      hint: 'Nothing was left behind.',
    });
  }
  return { bytes: statSync(to).size };
}

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
