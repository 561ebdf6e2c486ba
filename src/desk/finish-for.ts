/**
 * A person says that a task is done on which nobody works: an agent that never heard of the protocol ended there. The person takes it as its
 * reviewer, what proves it runs, and it is completed: each step is one that reviewers have anyway. Where that is refused the work is on offer as it was; a crash in between leaves a review leg.
 */
import type { Actor } from '../core/task/actor.ts';
import type { Validation } from '../core/contract/contract.ts';
import type { TaskId } from '../core/journal/id.ts';
import { defined, filled } from '../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { isLeftOver, type TaskState } from '../core/task/state.ts';
import { readCheckedPacket } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { load } from '../handoff/record/load.ts';
import type { PacketInput } from '../handoff/sealing/gather.ts';
import type { SealedRecord } from '../handoff/sealing/sealing.ts';
import { agreeFirst, type ContractGiven } from './agree-first.ts';
import { acknowledge } from '../handoff/verbs/carry.ts';
import { reassign } from '../handoff/verbs/direct.ts';
import { checkpoint, complete } from '../handoff/verbs/finish.ts';
import { leave } from '../handoff/verbs/leave.ts';
import { accept } from '../handoff/verbs/take.ts';
import type { RecordedRun } from '../handoff/verbs/run.ts';
import { validate } from '../handoff/verbs/validate.ts';
import { supposing } from '../handoff/record/supposing.ts';
import { readStanding } from '../handoff/views/standing-contract.ts';

const leaseMs = limits.sessionLeaseMs;
const why = 'A person looks at it and says that it is done.';

export interface Finishing {
  readonly person: Actor;
  readonly input: PacketInput;
  /** What the person says of the contract: it is agreed first. */
  readonly part?: ContractGiven;
  readonly signal?: AbortSignal;
  /** Told before each command that proves it starts, and of how they ended. */
  readonly starting?: (validation: Validation) => void;
  readonly ran?: (runs: readonly RecordedRun[]) => void;
}

export async function finishFor(context: Context, task: TaskId, finishing: Finishing): Promise<SealedRecord> {
  const { person, input, signal, starting, ran } = finishing;
  const by = reviewing(person);
  const { state: seen } = await load(context, task);
  const { state, isOwn } = await takeUp(context, seen, person);
  const held = { task, generation: state.generation };
  try {
    const proving = await takeOn(context, state, finishing);
    if (proving.length > 0) {
      const runs = await validate(context, task, { ...held, ...defined({ signal, starting }) }, { by });
      ran?.(runs);
    }
    return await complete(context, held, input, { by });
  } catch (error) {
    if (!isOwn && isStaffettaError(error)) await giveBack(context, seen, { by, ...held });
    throw error;
  }
}

export interface FinishRehearsed {
  /** What would run first. Whether it passes decides, so where there is any nothing more is said. */
  readonly proving: readonly Validation[];
  /** Null where something would run first. */
  readonly sealed: SealedRecord | null;
}

/** Refuses as it would be refused up to the commands that prove the work, and changes and runs nothing. */
export async function rehearseFinish(
  context: Context,
  task: TaskId,
  finishing: Finishing,
): Promise<FinishRehearsed> {
  const trial = supposing(context);
  const { state: seen } = await load(context, task);
  const { state } = await takeUp(trial, seen, finishing.person);
  const proving = await takeOn(trial, state, finishing);
  const held = { task, generation: state.generation };
  const by = reviewing(finishing.person);
  return {
    proving,
    sealed: proving.length > 0 ? null : await complete(trial, held, finishing.input, { by }),
  };
}

function reviewing(person: Actor): Actor {
  return { ...person, lane: 'audit' };
}

/** The person holds it, as its reviewer unless they held it before. */
async function takeUp(
  context: Context,
  seen: TaskState,
  person: Actor,
): Promise<{ readonly state: TaskState; readonly isOwn: boolean }> {
  if (seen.leg?.holder.name === person.name) return { state: seen, isOwn: true };
  refuseUnlessLeft(seen, person);
  if (await isChanged(context, seen)) await sealAsItLies(context, seen, person);
  else await reassign(context, seen, { to: 'lane:audit', why }, { by: person });
  const { state } = await accept(context, seen.task, { leaseMs }, { by: reviewing(person) });
  return { state, isOwn: false };
}

/** What is said of the contract is agreed, and the work acknowledged; the commands that prove it are given back. */
async function takeOn(
  context: Context,
  state: TaskState,
  { person, part = {} }: Finishing,
): Promise<readonly Validation[]> {
  const { task, generation } = state;
  const by = reviewing(person);
  const held = { task, generation };
  await agreeFirst(context, { ...held, state }, part, { by });
  const { goal, validation = [] } = await readStanding(context, (await load(context, task)).state);
  if (state.leg?.acknowledged !== true)
    await acknowledge(context, held, { goal, gate: why, next: 'complete it' }, { by });
  return validation;
}

/** What is not done after all is on offer as it was. */
async function giveBack(
  context: Context,
  { task, offer }: TaskState,
  { by, generation }: { readonly by: Actor; readonly generation: number },
): Promise<void> {
  if (offer === null) return;
  const { to, lane, cause, notBefore } = offer;
  const why = 'It is not done after all.';
  const trigger = offer.trigger ?? (cause === 'lapse' ? 'timeout' : 'planned');
  const terms = { to, lane, trigger, outside: true, why, ...filled({ notBefore }) } as const;
  await leave(context, { task, generation, holder: by }, terms).catch((error: unknown) => {
    // The refusal that came first says more.
    if (!isStaffettaError(error)) throw error;
  });
}

function refuseUnlessLeft(state: TaskState, { name, kind }: Actor): void {
  const { task, status, leg } = state;
  if (kind === 'human' && isLeftOver(state)) return;
  const holder = leg?.holder.name ?? null;
  const what =
    kind !== 'human'
      ? `${name} is no person: who does not hold a task cannot complete it.`
      : holder !== null
        ? `Task ${task} is held by ${holder}, not by ${name}.`
        : `Task ${task} is ${status}: there is nothing that somebody left for you to complete.`;
  throw new StaffettaError(kind !== 'human' ? 'denied' : 'wrong-state', what, {
    details: { task, status, holder },
    hint:
      holder === null
        ? `See how it stands: staffetta show ${task}`
        : `If nobody is at it any more, take it back first: staffetta pause ${task}`,
  });
}

/** Since the latest packet: committed, or worked on by hand. A reviewer receives what lies there now. */
async function isChanged(context: Context, { sealed }: TaskState): Promise<boolean> {
  const now = await (await context.workspace?.())?.probe();
  return now !== undefined && now.digest !== sealed?.workspace;
}

/** Neither the agent that worked there nor the person who judges it says what is in it: the tool seals what it finds. */
async function sealAsItLies(context: Context, seen: TaskState, person: Actor): Promise<void> {
  const { task } = seen;
  const by: Actor = { name: 'staffetta', kind: 'system', lane: 'execute' };
  await reassign(context, seen, { to: 'agent:staffetta', why }, { by: person });
  const { state } = await accept(context, task, { leaseMs }, { by });
  const held = { task, generation: state.generation };
  const claims = state.packet === null ? undefined : (await readCheckedPacket(context, state.packet)).claims;
  await checkpoint(context, held, { trigger: 'user', unasked: true, ...defined({ claims }) }, { by });
  await leave(context, { ...held, holder: by }, { to: 'lane:audit', trigger: 'user', why, outside: true });
}
