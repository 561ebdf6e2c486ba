/**
 * Which session Qwen Code goes on with. It keeps no lock, so that two processes can write one session: one that is alive is refused, but may
 * be copied. It finds a session by its id, and only from the folder that it was made in: anywhere else it says that there is none, and ends.
 */
import type { Start } from '../../ports/runtime.ts';
import { refuseAlive, refusal } from '../spoken.ts';
import { isUuid } from '../new-id.ts';

export interface Resumed {
  readonly args: readonly string[];
  readonly session: string | null;
}

export function resume(start: Start): Resumed {
  if (start.kind === 'new') {
    if (isUuid(start.id)) return { args: ['--session-id', start.id], session: start.id };
    throw refusal(`The id ${start.id} is no UUID, as Qwen Code wants.`, 'Give a new UUID in lower case.');
  }
  const { session, fork = false } = start;
  if ((session.parent ?? null) !== null)
    throw refusal(
      `The session ${session.id} is an agent's that another session started; Qwen Code cannot go on with it alone.`,
      `Go on with ${session.parent}, or write its history as a new session.`,
    );
  if (!fork) refuseAlive(session);
  return {
    args: ['--resume', session.id, ...(fork ? ['--fork-session'] : [])],
    session: fork ? null : session.id,
  };
}
