/**
 * Whether a process is at work on a session. `<session>.json` has a status and a process; but a session that was gone on with keeps the
 * process that began it. So where that one is gone, another may be at it: one that has the program's database open, in the session's folder.
 *
 *   running   alive with its process; unknown with another; else dead
 *   idle      its turn is over: ended, unless somebody may sit before it
 */
import { join } from 'node:path';
import { countIn, textIn, type Fields } from '../../core/transcript/loose-json.ts';
import type { SessionCard } from '../../ports/runtime.ts';
import { databaseHolders, isRunningSince, type DatabaseHolder } from '../process-files.ts';
import { dataIn, type Env } from './locate.ts';

type Life = Pick<SessionCard, 'liveness' | 'pid'>;

/** Asked once for a list of sessions, and only if one of them needs it. */
export class Holders {
  readonly #path: string;
  #found: readonly DatabaseHolder[] | null | undefined;

  constructor(env: Env) {
    this.#path = join(dataIn(env), 'db', 'sessions.db');
  }

  /** True too where the system does not tell. */
  mayBeIn(folder: string | null): boolean {
    if (this.#found === undefined) this.#found = databaseHolders(this.#path);
    if (this.#found === null) return true;
    return this.#found.some((one) => one.folder === null || folder === null || one.folder === folder);
  }
}

export function lifeOf(manifest: Fields | null, path: string, holders: Holders): Life {
  const status = textIn(manifest, 'status');
  const pid = countIn(manifest, 'pid') ?? 0;
  const isOpen = status === 'running' || status === 'pending';
  if (!isOpen && status !== 'idle') return { liveness: status === null ? 'unknown' : 'ended', pid: null };
  const isThere = pid > 1 && isRunningSince(pid, path);
  if (isOpen && isThere) return { liveness: 'alive', pid };
  if (isThere || holders.mayBeIn(textIn(manifest, 'cwd'))) return { liveness: 'unknown', pid: null };
  return { liveness: isOpen ? 'dead' : 'ended', pid: null };
}
