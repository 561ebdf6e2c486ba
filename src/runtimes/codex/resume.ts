/**
 * Which session Codex goes on with. It refuses a session that another process writes to ("already has an active writer"): that is
 * said here before it is started. Names are allowed in place of an id, and one that begins with `-` would be an option.
 */
import { StaffettaError } from '../../core/error.ts';
import type { Start } from '../../ports/runtime.ts';
import { refuseAlive, refused } from '../spoken.ts';
import { isThreadId } from './schema.ts';

/** The session, or null for a new one, whose id the program chooses. */
export function resume(start: Start): string | null {
  if (start.kind === 'new') return null;
  const { session, fork = false } = start;
  if (fork)
    throw refused(
      'A session of Codex is not copied from here.',
      'Write its history as a new session, or go on in it.',
    );
  refuseAlive(session);
  if (isThreadId(session.id)) return session.id;
  throw new StaffettaError(
    'invalid-input',
    `${JSON.stringify(session.id)} is not the id of a session of Codex.`,
    { hint: 'Give the id as it is listed.' },
  );
}
