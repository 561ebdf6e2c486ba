/** Which session Cline goes on with, by its id. It has no option for a copy: two processes could write one session. The ids of new ones it makes itself. */
import type { Start } from '../../ports/runtime.ts';
import { refuseAlive, refusal } from '../spoken.ts';

/** Null for a new one. */
export function resume(start: Start): string | null {
  if (start.kind === 'new') return null;
  const { session, fork = false } = start;
  if ((session.parent ?? null) !== null)
    throw refusal(
      `The session ${session.id} is an agent's that another session started; Cline cannot go on with it alone.`,
      `Go on with ${session.parent}, or write its history as a new session.`,
    );
  if (fork)
    throw refusal(
      'Cline cannot go on in a copy of a session.',
      'Go on with the session itself, or write its history as a new session.',
    );
  refuseAlive(session);
  return session.id;
}
