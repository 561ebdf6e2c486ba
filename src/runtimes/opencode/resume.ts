/**
 * Which session opencode goes on with. Two processes may write to one session, and the program keeps nobody out: the first then never
 * gives its last answer. The caller that starts it must hold the task; a session that is seen to be alive is refused.
 */
import type { Start } from '../../ports/runtime.ts';
import { refuseAlive, refusal } from '../spoken.ts';

export interface Resumed {
  readonly args: readonly string[];
  readonly session: string | null;
}

export function resume(start: Start): Resumed {
  // The program chooses the id of a new session.
  if (start.kind === 'new') return { args: [], session: null };
  const { session, fork = false } = start;
  if (!/^ses_[0-9A-Za-z]+$/.test(session.id))
    throw refusal(
      `${JSON.stringify(session.id)} is not the id of a session of opencode.`,
      'Give the id as it is listed.',
    );
  if (!fork) refuseAlive(session);
  return {
    args: ['--session', session.id, ...(fork ? ['--fork'] : [])],
    session: fork ? null : session.id,
  };
}
