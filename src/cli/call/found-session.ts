/** A session of a coding agent that was named, to be read without a store. */
import { passingRedactor } from '../../compose/redactor.ts';
import { loadRuntimes } from '../../compose/runtimes.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import { findSession, type FoundSession } from '../../handoff/sessions/find-session.ts';
import type { Session } from './session.ts';

export interface ReadableSession {
  readonly found: FoundSession;
  readonly redactor: Redactor;
}

/** `given`: an id or a part of it, RUNTIME:ID, or `latest`, which is that of the folder. */
export async function foundSession(
  session: Session,
  given: string,
  folder: string,
): Promise<ReadableSession> {
  const found = await findSession(await loadRuntimes(session.env), { given, folder });
  return { found, redactor: await passingRedactor(session.env) };
}
