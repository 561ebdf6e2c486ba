/** What waits for a person, with commands that name programs which are here. */
import { loadRuntimes } from '../../compose/runtimes.ts';
import { wholeInbox } from '../../desk/crew/run-inbox.ts';
import { usablePrograms } from '../../desk/sessions/installed-programs.ts';
import type { InboxItem } from '../../handoff/views/inbox.ts';
import type { Session } from './session.ts';

export async function waiting(session: Session): Promise<readonly InboxItem[]> {
  if (!session.storeExists) return [];
  const context = await session.context();
  const programs = await usablePrograms(context, await loadRuntimes(session.env));
  return (await wholeInbox(context, undefined, programs)).items;
}
