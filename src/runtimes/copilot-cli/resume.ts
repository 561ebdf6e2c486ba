/** Which session Copilot CLI goes on with, by its id. It has no option for a copy: two processes could write one session. */
import type { Start } from '../../ports/runtime.ts';
import { refuseAlive, refusal } from '../spoken.ts';
import { isUuid } from '../new-id.ts';

export interface Resumed {
  readonly args: readonly string[];
  readonly session: string;
}

export function resume(start: Start): Resumed {
  if (start.kind === 'new') {
    if (isUuid(start.id)) return { args: [`--session-id=${start.id}`], session: start.id };
    throw refusal(`The id ${start.id} is no UUID, as Copilot CLI wants.`, 'Give a new UUID in lower case.');
  }
  const { session, fork = false } = start;
  if (fork)
    throw refusal(
      'Copilot CLI cannot go on in a copy of a session.',
      'Go on with the session itself, or write its history as a new session.',
    );
  refuseAlive(session);
  return { args: [`--resume=${session.id}`], session: session.id };
}
