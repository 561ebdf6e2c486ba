/** What a person may do about the offer or the holder that stands between a task and a program: see `commands/resume.ts`. */
import type { Actor } from '../../core/task/actor.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { Status, TaskState } from '../../core/task/state.ts';
import type { Begin, ResumePlan } from '../../handoff/sessions/resume-in.ts';
import type { RuntimeName } from '../../ports/runtime.ts';
import { speakerAt } from '../../desk/speaker.ts';
import { usageError } from '../frame/usage.ts';
import type { Session } from './session.ts';

function callerOf(env: NodeJS.ProcessEnv): Actor {
  return speakerAt({ env, refuse: usageError });
}

/** Nobody is asked to do it: a person who goes on with it decides that. */
const offerable: ReadonlySet<Status> = new Set(['open', 'declined', 'escalated']);

/** A person may go on in another program than the one that was asked, and in the one that the work came from unchanged. */
export function redirecting(session: Session, { offer, status }: TaskState, by: Actor): Actor | undefined {
  if (offer === null && !offerable.has(status)) return undefined;
  const isOther = offer?.to.startsWith('runtime:') === true && offer.to !== `runtime:${by.runtime ?? ''}`;
  if (offer !== null && !isOther && offer.notTo !== by.name) return undefined;
  const caller = callerOf(session.env);
  return caller.kind === 'human' ? caller : undefined;
}

export function sayRedirected({ output, dryRun }: Session, { task, state }: ResumePlan, begin: Begin): void {
  if (begin.redirects === undefined) return;
  const done = dryRun ? 'would be' : 'is';
  const { offer } = state;
  if (offer === null)
    return output.say(
      `${task} was ${state.status}: it ${done} offered to runtime:${begin.by.runtime ?? ''}.`,
    );
  if (offer.notTo === begin.by.name)
    return output.say(
      `${offer.notTo} handed ${task} to ${offer.by}, and nothing has changed since. As you decide, the offer ${done} made anew, and it ${done} taken.`,
    );
  output.say(
    `${task} was offered to ${offer.to}: the offer ${done} withdrawn, and ${done} made to runtime:${begin.by.runtime ?? ''} instead.`,
  );
}

/** Somebody has it: a person can move it on from the session that it is in, whether anybody still works there or not. */
export function heldWords(
  { env }: Session,
  { task, state, latest }: ResumePlan,
  { error, runtime }: { readonly error: unknown; readonly runtime: RuntimeName },
): unknown {
  if (!isStaffettaError(error, 'held')) return error;
  if (callerOf(env).kind !== 'human' || state.leg === null) return error;
  const known = latest?.packet.generation === state.generation ? latest.packet.facts?.session : undefined;
  const way =
    known === undefined
      ? `staffetta reassign ${task} --to ${runtime} --why WHY`
      : `staffetta handoff --from ${known.runtime}:${known.id} --to ${runtime}`;
  const { code, message, details } = error;
  const hint = `To move it on from where it is, and then go on here: ${way}`;
  return new StaffettaError(code, message, { details, hint, cause: error });
}
