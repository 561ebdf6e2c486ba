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
import type { DatabaseHolder } from '../process-files.ts';

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

export function lifeOf(turn: WrittenTurn, holders: readonly DatabaseHolder[] | null): Life {
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
