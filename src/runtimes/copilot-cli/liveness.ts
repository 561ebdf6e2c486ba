/** Who holds a session: a running Copilot CLI keeps `inuse.<pid>.lock` in its folder, and takes it away when it ends; after a kill it stays. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionCard } from '../../ports/runtime.ts';
import { isRunningSince } from '../process-files.ts';

/** Of several the one that lives counts; null where there is none. */
export function holderOf(folder: string): Pick<SessionCard, 'liveness' | 'pid'> | null {
  const pids = namesIn(folder).flatMap((name) => {
    const pid = Number(/^inuse\.(\d{1,10})\.lock$/.exec(name)?.[1] ?? Number.NaN);
    return pid > 1 ? [pid] : [];
  });
  const alive = pids.find((pid) => isRunningSince(pid, join(folder, `inuse.${pid}.lock`)));
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
