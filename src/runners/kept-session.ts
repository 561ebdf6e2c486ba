import type { Runtime, SessionPlace } from '../ports/runtime.ts';

/** Where a program keeps a session that it names; null while it has written nothing of it. */
export async function keptSession(
  runtime: Pick<Runtime, 'sessions'>,
  folder: string,
  id: string,
): Promise<SessionPlace | null> {
  for await (const card of runtime.sessions({ folder }))
    if (card.id === id) return { runtime: card.runtime, id, path: card.path };
  return null;
}
