/**
 * Which session Codex goes on with. It refuses a session that another process writes to ("already has an active writer"): that is
 * said here before it is started. A copy of it can be made all the same. Names are allowed in place of an id, and one that begins with `-` would be an option.
 */
import { StaffettaError } from '../../core/base/error.ts';
import type { Start } from '../../ports/runtime.ts';
import { refuseAlive } from '../spoken.ts';
import { isThreadId } from './read/schema.ts';

export interface Resumed {
  readonly args: readonly string[];
  /** The program chooses the id of a new session and of a copy. */
  readonly session: string | null;
}

export function resume(start: Start): Resumed {
  if (start.kind === 'new') return { args: [], session: null };
  const { session, fork = false } = start;
  if (!fork) refuseAlive(session);
  if (isThreadId(session.id))
    return fork
      ? { args: ['fork', session.id], session: null }
      : { args: ['resume', session.id], session: session.id };
  throw new StaffettaError(
    'invalid-input',
    `${JSON.stringify(session.id)} is not the id of a session of Codex.`,
    { hint: 'Give the id as it is listed.' },
  );
}
