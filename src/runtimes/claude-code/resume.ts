/**
 * Which session Claude Code goes on with. It lets two processes write one session, and the conversation breaks into branches: a
 * session that is alive is refused, but may be copied. It finds a session by its id from any folder, and any other file by its path.
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
    throw refusal(`The id ${start.id} is no UUID, as Claude Code wants.`, 'Give a new UUID in lower case.');
  }
  const { session, fork = false } = start;
  if ((session.parent ?? null) !== null)
    throw refusal(
      `The session ${session.id} is an agent's that another session started; Claude Code cannot go on with it alone.`,
      `Go on with ${session.parent}, or write its history as a new session.`,
    );
  if (!fork) refuseAlive(session);
  const name = isUuid(session.id) ? session.id : session.path;
  return { args: ['--resume', name, ...(fork ? ['--fork-session'] : [])], session: fork ? null : session.id };
}
