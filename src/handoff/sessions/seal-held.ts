/** Seals what a session has so far into the task that it holds, and leaves the work with it. */
import { defined } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { Runtime } from '../../ports/runtime.ts';
import type { Held } from '../verbs/carry.ts';
import { claimsOfLeg } from './capture-leg.ts';
import type { Context } from '../record/context.ts';
import { checkpoint } from '../verbs/finish.ts';
import { legOfSession } from '../views/greet.ts';
import { load } from '../record/load.ts';
import { bindSession } from '../sealing/native-session.ts';
import { sessionPlace, type SessionMeant } from './session-place.ts';
import { taskOfSession } from './session-task.ts';

export interface SealHeld extends SessionMeant {
  readonly by: Actor;
  readonly trigger: Trigger;
  /** The folder that it was started in. */
  readonly worksIn: string;
  /** A workspace that is as it was when the latest packet was sealed is no reason for another. */
  readonly unlessUnchanged: boolean;
  /** Called with the leg before anything is sealed. */
  readonly before?: (held: Held & { readonly holder: Actor }) => Promise<void>;
}

export async function sealHeldSession(
  context: Context,
  runtimes: readonly Runtime[],
  given: SealHeld,
): Promise<'sealed' | 'unchanged' | 'not-held'> {
  const { by, session, trigger } = given;
  const held = await legOfSession(context, by);
  if (held === null) return 'not-held';
  await given.before?.(held);
  const { state } = await load(context, held.task);
  if (given.unlessUnchanged && (await isUnchanged(context, state.sealed?.workspace ?? null)))
    return 'unchanged';
  const place = await sessionPlace(runtimes, given);
  const runtime = runtimes.find(({ name }) => name === given.runtime);
  const { bound, key } = await taskOfSession(context, { runtime: given.runtime, id: session });
  const claims = await claimsOfLeg(context, held, state);
  await checkpoint(
    context,
    held,
    {
      trigger,
      unasked: true,
      hurried: true,
      ...(runtime === undefined ? {} : { session: bindSession(runtime, place, given.worksIn) }),
      ...defined({ claims }),
    },
    { by: held.holder, ...(bound?.task === held.task ? {} : { key }) },
  );
  return 'sealed';
}

export async function isUnchanged(context: Context, sealed: string | null): Promise<boolean> {
  if (sealed === null || context.workspace === undefined) return false;
  return (await (await context.workspace()).probe()).digest === sealed;
}
