/**
 * Work rests until a time, or until somebody continues it: what is held is sealed as it lies and given back, and the offer stands from then on
 * for those it was for. Only offers and legs that stand are touched, each with an entry of its own; repeating it goes on after a crash.
 */
import { defined } from '../core/base/defined.ts';
import { StaffettaError } from '../core/base/error.ts';
import { joinedClaims } from '../core/files/notes.ts';
import { isResting } from '../core/task/lapse.ts';
import { legBegan } from '../core/task/lease.ts';
import { mayDirect, type Actor } from '../core/task/actor.ts';
import type { TaskId } from '../core/journal/id.ts';
import { isFinal, type TaskState } from '../core/task/state.ts';
import { readCheckedPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { load } from '../handoff/record/load.ts';
import type { Recorded } from '../handoff/record/record.ts';
import { carry } from '../handoff/verbs/carry.ts';
import { checkpoint } from '../handoff/verbs/finish.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { offer, withdraw } from '../handoff/verbs/offer.ts';
import { isFurtherOn, movedFrom } from './progress.ts';

export interface Pause {
  readonly by: Actor;
  readonly until: number;
  readonly why?: string | undefined;
}

export async function pauseTask(
  context: Context,
  task: TaskId,
  { by, until, why = 'Paused.' }: Pause,
): Promise<Recorded> {
  const { state } = await load(context, task);
  refuseUnless(state, by, 'paused');
  if (state.leg === null) return await offerAgain(context, state, { by, why, notBefore: until });
  const { holder, generation } = state.leg;
  const isOwn = holder.name === by.name;
  if (!isOwn && !mayDirect(by)) throw notTheirs(state, by);
  const held = { task, generation };
  const said = state.packet === null ? undefined : (await readCheckedPacket(context, state.packet)).claims;
  const { claims: written, moved } = (await context.progressTold?.(legBegan(state.leg))) ?? {};
  const { progress } =
    moved !== undefined && isFurtherOn(state.progress, moved)
      ? (await carry(context, held, [movedFrom(state.progress, moved)], { by: holder })).state
      : state;
  const next = said?.next ?? nextIn(progress);
  const words = { ...said, ...defined({ next }) };
  const claims = written === undefined ? words : joinedClaims(words, written);
  await checkpoint(context, held, { trigger: 'user', unasked: true, claims }, { by: holder });
  return await leave(
    context,
    { ...held, holder },
    { to: receiverOf(holder), trigger: 'user', why, outside: true, notBefore: until },
  );
}

/** Where it stopped is where it goes on, if nobody named a step. */
function nextIn(progress: TaskState['progress']): string | undefined {
  if (progress === null) return undefined;
  const { at, of, unit, cursor } = progress;
  const place = [at, ...(of === null ? [] : ['of', of]), ...(unit === null ? [] : [unit])].join(' ');
  return `Go on at ${place}${cursor === null ? '' : `, with ${cursor}`}.`;
}

/** At once, to those it was for. */
export async function continueTask(
  context: Context,
  task: TaskId,
  { by, why = 'It goes on.' }: Omit<Pause, 'until'>,
): Promise<Recorded> {
  const { state } = await load(context, task);
  refuseUnless(state, by, 'continued');
  if (!isResting(state.offer?.notBefore, context.clock.now()))
    throw new StaffettaError('wrong-state', `Task ${task} is not paused: it is ${state.status}.`, {
      details: { task, status: state.status },
      hint: `To go on with it in a program: staffetta resume ${task} --in PROGRAM`,
    });
  return await offerAgain(context, state, { by, why });
}

async function offerAgain(
  context: Context,
  { task, offer: standing, custody }: TaskState,
  { by, ...terms }: { readonly by: Actor; readonly why: string; readonly notBefore?: number },
): Promise<Recorded> {
  const to = standing?.to ?? 'anyone';
  const leg =
    standing === null ? null : (await withdraw(context, task, { why: terms.why }, { by })).state.leg;
  // Who takes back what they gave away holds it again.
  if (leg !== null)
    return await leave(
      context,
      { task, generation: leg.generation, holder: leg.holder },
      { to, trigger: 'user', outside: true, ...terms },
    );
  return await offer(
    context,
    task,
    { to, lane: standing?.lane ?? custody?.lane ?? 'execute', ...terms },
    { by },
  );
}

/** The agent itself where it was started by name, else whatever runs in its program. */
function receiverOf({ runtime }: Actor): `runtime:${string}` | 'anyone' {
  return runtime === undefined ? 'anyone' : `runtime:${runtime}`;
}

function refuseUnless(state: TaskState, by: Actor, done: string): void {
  const { task, status } = state;
  const isOpen = !isFinal(state) && status !== 'submitted' && status !== 'approved';
  if (isOpen && (state.leg !== null || mayDirect(by))) return;
  if (isOpen) throw notTheirs(state, by);
  throw new StaffettaError('wrong-state', `Task ${task} is ${status}, and cannot be ${done}.`, {
    details: { task, status },
    hint: `See how it stands: staffetta show ${task}`,
  });
}

function notTheirs({ task, leg }: TaskState, by: Actor): StaffettaError {
  return new StaffettaError(
    'denied',
    `${by.name} does not hold task ${task}: its holder, a supervisor or a person can pause and continue it.`,
    {
      details: { task, holder: leg?.holder.name ?? null },
      hint: `Say it in a message: staffetta tell ${task} TEXT`,
    },
  );
}
