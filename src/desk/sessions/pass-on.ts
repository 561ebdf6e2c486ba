/**
 * Work goes on from a session though nobody prepared anything: its task is found or opened, the session sealed into it, and the task offered to
 * the program that is to go on. Doing it twice changes nothing: what is sealed and on offer stays as it is.
 */
import { filled } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Address } from '../../core/task/address.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { adoptSession, handoffSession } from '../../handoff/sessions/from-session.ts';
import { isSaid, saidBefore, triggerOf, type SessionLook } from '../../handoff/sessions/session-look.ts';
import { tasksOfSession } from '../../handoff/sessions/session-task.ts';
import { load } from '../../handoff/record/load.ts';
import type { Runtime } from '../../ports/runtime.ts';
import { draftSession, lookForHandoff, refuseUnfit } from '../handoff-from.ts';

export interface PassOn {
  /** A session, or `latest`. */
  readonly given: string;
  readonly folder: string;
  readonly to: Address;
  readonly trigger: Trigger | undefined;
  /** A person wants it, and not the agent in the session. */
  readonly outside: boolean;
  readonly dryRun: boolean;
  /** What is written to, where what it is looked at with ends with the call. */
  readonly writing?: () => Promise<Context>;
}

export interface PassedOn {
  /** Null where a dry run would open it. */
  readonly task: TaskId | null;
  readonly look: SessionLook;
  /** The folder that it worked in, if that is gone and this one is taken for it. */
  readonly movedFrom: string | null;
  /** There was nothing to seal: a packet has all of it. */
  readonly known: boolean;
}

export async function passOn(
  context: Context,
  runtimes: readonly Runtime[],
  { given, folder, to, dryRun, writing = async () => await Promise.resolve(context), ...asked }: PassOn,
): Promise<PassedOn> {
  const { look: seen, movedFrom } = await lookForHandoff(context, runtimes, { given, folder });
  const { bound } = seen;
  const isSealed = bound !== undefined && seen.fresh === 0 && bound.state.packet !== null;
  if (isSealed && bound.state.leg === null) return { task: bound.task, look: seen, movedFrom, known: true };
  if (bound === undefined) await refuseOver(context, seen);
  const forced = asked.trigger ?? triggerOf(seen.card, seen.condition) ?? undefined;
  refuseUnfit(seen, forced ?? 'planned');
  if (dryRun) return { task: bound?.task ?? null, look: seen, movedFrom, known: false };
  const { look, contract, claims } = await draftSession(context, seen);
  const written = await writing();
  const adopted = await adoptSession(written, look, () => contract);
  const { state } = await handoffSession(written, look, adopted, {
    to,
    trigger: forced ?? 'user',
    words: { claims },
    ...filled({ outside: asked.outside }),
  });
  return { task: state.task, look, movedFrom, known: false };
}

/** What the session was about is over, and nobody has said anything in it since. */
async function refuseOver(context: Context, look: SessionLook): Promise<void> {
  const { card, story } = look;
  const [task] = (await tasksOfSession(context, card)).toReversed();
  if (task === undefined) return;
  const { status } = (await load(context, task)).state;
  if (story.steps.filter(isSaid).length > (await saidBefore(context, task, look))) return;
  throw new StaffettaError(
    'wrong-state',
    `The session ${card.id} of ${card.runtime} is in task ${task}, which is ${status}; nothing was said in it since.`,
    {
      details: { task, session: card.id, runtime: card.runtime },
      hint: `New work: staffetta open "what should be done". To go on from there all the same: staffetta fork ${task} --at latest --why "…"`,
    },
  );
}
