import { StaffettaError } from '../../../core/base/error.ts';
import { refuseLease, refuseNonHolder } from '../../../core/decide/guard.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import type { TaskState } from '../../../core/task/state.ts';
import { renew } from '../../../handoff/verbs/carry.ts';
import { formatLeft, timeWords } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import { parseLease } from '../../call/lease.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { text } from '../../frame/values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const given = text(values, 'lease');
  const asked = given === undefined ? undefined : parseLease(given);
  const { task, state, lease, generation } = await session.held(positionals[0]);
  const context = await session.context();
  const now = context.clock.now();
  const leaseMs = asked ?? state.leg?.leaseMs ?? 0;
  const by = session.actor;
  const refusal =
    refuseNonHolder(state, { by, now, leaseUntil: lease?.until ?? null }, generation) ?? refuseLease(leaseMs);
  if (refusal?.code === 'not-holder') throw lost(task, state, lease?.until ?? null);
  if (refusal !== undefined) throw refusal;
  const until = session.dryRun
    ? Math.max(lease?.until ?? 0, now + leaseMs)
    : await renew(context, { task, generation }, leaseMs);
  if (until === null) {
    throw new StaffettaError('stale-generation', `Task ${task} changed hands just now.`, {
      details: { task, yours: generation },
      hint: 'Stop working on this task. Take it again if it is offered to you.',
    });
  }
  session.output.data(
    { task, generation, leaseUntil: until, ...(session.dryRun ? { dryRun: true } : {}) },
    () =>
      `${session.dryRun ? 'Would be done: ' : ''}${task} is yours until ${timeWords(until, now)}: ${formatLeft(until, now)}.`,
  );
  return exits.ok;
}

/** Somebody else holds it: for the caller that means that it is lost. */
function lost(task: TaskId, { leg }: TaskState, until: number | null): StaffettaError {
  const holder = leg?.holder.name ?? 'somebody else';
  const ends = until === null ? '' : ` until ${timeWords(until)}`;
  return new StaffettaError('stale-generation', `Task ${task} is not yours: ${holder} holds it${ends}.`, {
    details: { task, holder, leaseUntil: until },
    hint: 'Stop working on this task. Take it again if it is offered to you.',
  });
}
