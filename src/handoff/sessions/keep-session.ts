/**
 * What a session knows is kept although nobody opened a task for it: one is drafted from what the session itself says, held in its
 * name, and a checkpoint is sealed. The task is bound to the session, so the next call adds to it. A task that the session was
 * bound to and gave away stays where it went; what users say in the session after that is work for another task.
 */
import type { Digest } from '../../core/journal/digest.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { Held } from '../verbs/carry.ts';
import type { Context } from '../record/context.ts';
import { draftClaims } from '../../core/reasoning/draft.ts';
import { draftedContract } from './draft-session.ts';
import { adoptSession, checkpointSession, type Adopted } from './from-session.ts';
import { searchedWords } from '../sealing/searched-words.ts';
import { lookUnasked } from './session-look.ts';
import { sessionPlace, type SessionMeant } from './session-place.ts';

export interface KeepSession extends SessionMeant {
  readonly trigger: Trigger;
  /** Called with the leg before anything is sealed. */
  readonly before?: (held: Adopted) => Promise<void>;
}

export type KeptSession =
  | ({ readonly outcome: 'kept'; readonly packet: Digest | null; readonly workspace: Digest | null } & Held)
  /** Its task is with somebody else now, or waits for one. */
  | { readonly outcome: 'given-away' }
  | { readonly outcome: 'nothing-said' };

export async function keepSession(
  context: Context,
  runtimes: readonly Runtime[],
  given: KeepSession,
): Promise<KeptSession> {
  const runtime = runtimes.find(({ name }) => name === given.runtime);
  if (runtime === undefined) return { outcome: 'nothing-said' };
  const card = await sessionPlace(runtimes, given);
  const look = await lookUnasked(context, { runtime, card }, runtimes);
  if (look.given) return { outcome: 'given-away' };
  if (!look.transcript.steps.some(({ source }) => source === 'user')) return { outcome: 'nothing-said' };
  const said = await searchedWords(context, look);

  const adopted = await adoptSession(context, look, () => draftedContract(said.work, said).contract);
  await given.before?.(adopted);
  const { state } = await checkpointSession(context, look, adopted, {
    trigger: given.trigger,
    words: { claims: draftClaims(said.work) },
  });
  const { task, packet, generation } = state;
  return { outcome: 'kept', task, generation, packet, workspace: state.sealed?.workspace ?? null };
}
