/** Processes that have a database of SQLite open: it keeps a lock for as long as it is, and the kernel lists locks with their process in /proc/locks. */
import { statSync } from 'node:fs';
import { bootTime, processFactsOf, folderOfProcess, readProc } from './process-files.ts';

export interface Holder {
  readonly pid: number;
  /** Null where it may not be looked at. */
  readonly folder: string | null;
  readonly startedAt: number | null;
}

/** Null where the system does not tell. */
export function databaseHolders(database: string, proc = '/proc'): Holder[] | null {
  const locks = readProc(`${proc}/locks`);
  if (locks === null) return null;
  const bootedAt = bootTime(readProc(`${proc}/stat`));
  return lockPids(locks, inodesOf(database))
    .filter((pid) => pid !== process.pid)
    .map((pid) => ({
      pid,
      folder: folderOfProcess(pid, proc),
      startedAt: processFactsOf(pid, proc, bootedAt).startedAt,
    }));
}

/** `2: POSIX  ADVISORY  READ 10966 fe:00:2433225 1073741826 1073742335`; a waiting one has an arrow after the number. */
export function lockPids(locks: string, inodes: ReadonlySet<string>): number[] {
  const pids = locks.split('\n').flatMap((line) => {
    const match = /\s(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s/.exec(line);
    return match !== null && inodes.has(match[2] ?? '') ? [Number(match[1])] : [];
  });
  return [...new Set(pids)].filter((pid) => pid > 0);
}

function inodesOf(database: string): Set<string> {
  const stats = [database, `${database}-shm`].map((path) =>
    statSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  return new Set(stats.flatMap((stat) => (stat === undefined ? [] : [String(stat.ino)])));
}
