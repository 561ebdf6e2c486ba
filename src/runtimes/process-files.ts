/** What the kernel tells of processes in /proc. Where there is none (other systems than Linux), nothing can be said. */
import { readFileSync, readlinkSync, statSync } from 'node:fs';

export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The folder that a process works in; null where it may not be looked at, or is gone. */
export function folderOfProcess(pid: number, proc: string): string | null {
  try {
    return readlinkSync(`${proc}/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** When the machine was started, by the text of /proc/stat. */
export function bootTime(stat: string | null): number | null {
  const match = /^btime (\d+)$/m.exec(stat ?? '');
  return match === null ? null : Number(match[1]) * 1000;
}

export interface ProcessFacts {
  readonly parent: number | null;
  /** To the second. */
  readonly startedAt: number | null;
}

/** Fields 4 and 22; a start is in hundredths of a second since that of the machine. The name before them may hold anything. */
export function processFactsOf(pid: number, proc: string, bootedAt: number | null): ProcessFacts {
  const stat = readProc(`${proc}/${pid}/stat`) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent, ticks] = [Number(fields[1]), Number(fields[19])];
  return {
    parent: Number.isSafeInteger(parent) ? parent : null,
    startedAt: bootedAt === null || !Number.isFinite(ticks) ? null : bootedAt + ticks * 10,
  };
}

/** A start is known to the second, and a file system may be as coarse. */
const apartMsMax = 3000;

/** Whether it is the process that wrote a file, as far as that can be told. */
export function isRunningSince(pid: number, file: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process lives too.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  // Killed, and its parent has not asked how it ended: the number is still taken, nothing runs.
  const stat = readProc(`/proc/${pid}/stat`) ?? '';
  if (/\) [ZX] /.test(stat)) return false;
  // A process that began after the file was written has only the same number.
  const { startedAt } = processFactsOf(pid, '/proc', bootTime(readProc('/proc/stat')));
  const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return startedAt === null || madeAt === undefined || startedAt <= madeAt + apartMsMax;
}

export interface DatabaseHolder {
  readonly pid: number;
  /** Null where it may not be looked at. */
  readonly folder: string | null;
  readonly startedAt: number | null;
}

/** Processes that have a database of SQLite open: it keeps a lock on it for as long as it is. Null where the system does not tell. */
export function databaseHolders(database: string, proc = '/proc'): DatabaseHolder[] | null {
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
