/**
 * Whether a process is at work on a session. opencode leaves no trace per session, so two things are put together:
 *
 *   the turn     open while the last message asks for an answer, is not completed, or ended in calls
 *   the holders  processes that have the database open: SQLite keeps a lock on it for as long as it is, and the kernel lists
 *                locks with their process in /proc/locks. A killed process has none. Where there is no such list
 *                (other systems than Linux), nothing can be said.
 *
 *   turn open     alive with a holder in the session's folder that was started before the last change; dead without any
 *                 holder that was; unknown with one elsewhere, since a server can work in any folder
 *   turn closed   ended without a holder in its folder; unknown with one, since it may sit there and wait for a prompt
 */
import { statSync } from 'node:fs';
import { bootTime, processFactsOf, folderOfProcess, readProc } from '../process-files.ts';

export interface Holder {
  readonly pid: number;
  /** Null where it may not be looked at. */
  readonly folder: string | null;
  readonly startedAt: number | null;
}

export interface Life {
  readonly liveness: 'alive' | 'dead' | 'ended' | 'unknown';
  readonly pid: number | null;
}

export interface WrittenTurn {
  readonly folder: string | null;
  readonly open: boolean;
  readonly updatedAt: number;
}

/** Process start is known to the second. */
const startSlackMs = 2000;

export function lifeOf(turn: WrittenTurn, holders: readonly Holder[] | null): Life {
  if (holders === null) return { liveness: 'unknown', pid: null };
  const able = turn.open
    ? holders.filter(({ startedAt }) => startedAt === null || startedAt <= turn.updatedAt + startSlackMs)
    : holders;
  const here = able.find(({ folder }) => folder !== null && folder === turn.folder);
  if (turn.open) {
    if (here !== undefined) return { liveness: 'alive', pid: here.pid };
    return { liveness: able.length === 0 ? 'dead' : 'unknown', pid: null };
  }
  const perhaps = here !== undefined || able.some(({ folder }) => folder === null);
  return { liveness: perhaps ? 'unknown' : 'ended', pid: null };
}

/** Null where the system does not tell. */
export function holdersOf(database: string, proc = '/proc'): Holder[] | null {
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
