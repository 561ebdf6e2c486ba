/** Who holds a session: a running Copilot CLI keeps `inuse.<pid>.lock` in its folder, and takes it away when it ends; after a kill it stays. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionCard } from '../../ports/runtime.ts';
import { bootTime, processFactsOf, readProc } from '../process-files.ts';

/** Of several the one that lives counts; null where there is none. */
export function holderOf(folder: string): Pick<SessionCard, 'liveness' | 'pid'> | null {
  const pids = namesIn(folder).flatMap((name) => {
    const pid = Number(/^inuse\.(\d{1,10})\.lock$/.exec(name)?.[1] ?? Number.NaN);
    return pid > 1 ? [pid] : [];
  });
  const alive = pids.find((pid) => isRunning(pid, join(folder, `inuse.${pid}.lock`)));
  if (alive !== undefined) return { liveness: 'alive', pid: alive };
  const [first] = pids;
  return first === undefined ? null : { liveness: 'dead', pid: first };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A start is known to the second, and a file system may be as coarse. */
const apartMsMax = 3000;

function isRunning(pid: number, lock: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process lives too.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  // Killed, and its parent has not asked how it ended: the number is still taken, nothing runs.
  const stat = readProc(`/proc/${pid}/stat`) ?? '';
  if (/\) [ZX] /.test(stat)) return false;
  // A process that began after the lock was made has only the same number.
  const { startedAt } = processFactsOf(pid, '/proc', bootTime(readProc('/proc/stat')));
  const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return startedAt === null || madeAt === undefined || startedAt <= madeAt + apartMsMax;
}
