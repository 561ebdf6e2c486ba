/** Where a session is that its own program told of: the file it named, else the one that is found. */
import type { Runtime, RuntimeName, SessionCard } from '../../ports/runtime.ts';
import { findSession } from './find-session.ts';

export interface SessionMeant {
  readonly runtime: RuntimeName;
  readonly session: string;
  /** Where the program keeps it, if that was told. */
  readonly path: string | null;
  readonly folder: string;
}

/** Looking for it would list every session of the folder. */
export async function sessionPlace(runtimes: readonly Runtime[], given: SessionMeant): Promise<SessionCard> {
  const { runtime, session, path, folder } = given;
  if (path === null) return (await findSession(runtimes, { given: `${runtime}:${session}`, folder })).card;
  return {
    runtime,
    id: session,
    path,
    folder,
    startedAt: null,
    updatedAt: 0,
    bytes: null,
    lastPrompt: null,
    title: null,
    liveness: 'unknown',
    pid: null,
    parent: null,
    pointerOnly: null,
    version: null,
  };
}
