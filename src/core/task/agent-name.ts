import type { Actor } from './actor.ts';

/** The agent that speaks in a session, where nobody has named it. Ids of some programs begin alike; their ends differ. */
export function agentOf({ runtime, id }: { readonly runtime: string; readonly id: string }): Actor {
  const end = id.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(-8);
  return { name: `${runtime}-${end === '' ? 'session' : end}`, kind: 'agent', runtime, session: id };
}
