/** Which session *the latest* means, and that nobody can say where two changed together. */
import { defined } from '../../core/base/defined.ts';
import { programMeant } from '../../core/resume/runtime-names.ts';
import { findSessions } from '../../handoff/sessions/sessions.ts';
import type { Runtime, SessionCard } from '../../ports/runtime.ts';

/** Sessions that changed within so little time of each other are equally recent. */
const equallyMs = 1000;

/** The latest session, or the latest two where nobody can say which is; newest first as they were found. */
export function mostRecent(sessions: readonly SessionCard[]): readonly SessionCard[] {
  const [latest, second] = sessions.filter(({ parent }) => parent === null);
  if (latest === undefined) return [];
  return second !== undefined && latest.updatedAt - second.updatedAt < equallyMs
    ? [latest, second]
    : [latest];
}

/** The same for a word that means the latest, of a program or of all; undefined for one that names a session. */
export async function latestMeant(
  runtimes: readonly Runtime[],
  { given, folder }: { readonly given: string; readonly folder: string },
): Promise<readonly SessionCard[] | undefined> {
  const program = programMeant(given.replace(/:latest$/, ''));
  if (given !== 'latest' && program === undefined) return undefined;
  return mostRecent(
    (await findSessions(runtimes, { folder, limit: 20, ...defined({ runtime: program }) })).sessions,
  );
}
