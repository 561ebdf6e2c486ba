import { defined, filled } from '../../core/base/defined.ts';
import { refuseReviewer, refuseStale } from '../../core/decide/review.ts';
import type { Command, LookedAt, Restatement } from '../../core/task/command.ts';
import { backoffMs } from '../../core/base/backoff.ts';
import type { Address } from '../../core/task/address.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { ReviewFinding } from '../../core/task/review-finding.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { legBegan } from '../../core/task/lease.ts';
import { isFinal, type TaskState } from '../../core/task/state.ts';
import type { Held } from './carry.ts';
import type { Context } from '../record/context.ts';
import { refuseUnexplained } from './explained.ts';
import { freeDependents } from './needs.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import type { PacketInput } from '../sealing/gather.ts';
import { sealAndRecord, type SealedRecord, type SealingRequest } from '../sealing/sealing.ts';
import { duringLeg } from '../sealing/unwatched.ts';

export interface CheckpointInput extends PacketInput {
  /** Why now; anything but `planned` and `user` seals what there is, in a hurry. */
  readonly trigger?: Trigger;
}

export interface RestatedInput extends PacketInput {
  /** Words with which the leg is acknowledged along with it, where that was not done yet. */
  readonly restated?: Restatement | undefined;
}

/** Seals a packet and goes on carrying. `unasked`: the tool does it alone. */
export async function checkpoint(
  context: Context,
  held: Held,
  {
    trigger = 'planned',
    unasked,
    hurried,
    ...input
  }: CheckpointInput & Pick<SealingRequest, 'unasked' | 'hurried'>,
  call: Call,
): Promise<SealedRecord> {
  return await sealAndRecord(context, held, {
    occasion: 'checkpoint',
    input,
    call,
    trigger,
    unasked,
    hurried,
    command: (sealed) => ({ type: 'checkpoint', generation: held.generation, sealed }),
  });
}

/** Hands the work in for review. */
export async function submit(
  context: Context,
  held: Held,
  { restated, ...input }: RestatedInput,
  call: Call,
): Promise<SealedRecord> {
  return await sealAndRecord(context, held, {
    occasion: 'submit',
    input,
    call,
    trigger: 'planned',
    asked: restated,
    command: (sealed) => ({ type: 'submit', generation: held.generation, sealed, restated }),
  });
}

/** Ends the task, where no review is asked for or the holder is the reviewer. */
export async function complete(
  context: Context,
  held: Held,
  { restated, ...input }: RestatedInput,
  call: Call,
): Promise<SealedRecord> {
  const recorded = await sealAndRecord(context, held, {
    occasion: 'complete',
    input,
    call,
    trigger: 'planned',
    asked: restated,
    command: (sealed) => ({ type: 'complete', generation: held.generation, sealed, restated }),
  });
  if (call.dryRun !== true && isFinal(recorded.state)) await freeDependents(context, held.task);
  return recorded;
}

export async function fail(context: Context, held: Held, why: string, call: Call): Promise<Recorded> {
  const { task, generation } = held;
  const recorded = await record(context, {
    task,
    call,
    request: { fail: why, generation },
    prepare: () => ({ command: { type: 'fail', generation, why } }),
  });
  if (call.dryRun !== true) await freeDependents(context, task);
  return recorded;
}

/** Gives up this attempt; the work rests a while and is offered again, until its attempts are used up. */
export async function retry(context: Context, held: Held, why: string, call: Call): Promise<Recorded> {
  const { task, generation } = held;
  const fraction = context.entropy.fraction();
  return await record(context, {
    task,
    call,
    request: { retry: why, generation },
    prepare: (state) => {
      const delayMs = backoffMs((state?.attempts ?? 0) + 1, fraction);
      return { command: { type: 'retry', generation, why, delayMs } };
    },
  });
}

export type Verdict =
  | ({ readonly approve: true; readonly why?: string } & LookedAt)
  | ({
      readonly approve: false;
      readonly findings: readonly ReviewFinding[];
      readonly to?: Address;
      /** The fence of an audit leg, which ends when it sends back what it received. */
      readonly generation?: number;
    } & LookedAt);

/** Approves or sends back exactly the packet that was looked at. `explained`: an approval over what the gate found says why. */
export async function review(
  context: Context,
  task: TaskId,
  verdict: Verdict,
  call: Call & { readonly explained?: boolean },
): Promise<Recorded> {
  const { generation: _fence, ...asked } = { generation: undefined, ...verdict };
  const recorded = await record(context, {
    task,
    call,
    request: { review: asked },
    prepare: async (state) => {
      // A caller who may not approve at all is not asked why.
      const isFree = state?.status === 'submitted' && refuseReviewer(state, call.by) === undefined;
      if (call.explained === true && verdict.approve && isFree && refuseStale(state, verdict) === undefined) {
        const findings = state.submission?.packet === state.packet ? state.sealed?.findings : undefined;
        await refuseUnexplained(context, task, { findings: findings ?? null, why: verdict.why });
      }
      return { command: await verdictCommand(context, verdict, state) };
    },
  });
  if (isFinal(recorded.state) && call.dryRun !== true) await freeDependents(context, task);
  return recorded;
}

export interface IntegrateInput {
  /** The packet that was approved. */
  readonly packet: Digest | null;
  /** As the contract says. */
  readonly onto: string;
  /** What has the work, and the tree of it. */
  readonly commit: string;
  readonly tree: string;
}

/** Says that approved work is where its contract wants it: now it is done, and those that waited for it have it. */
export async function integrate(
  context: Context,
  task: TaskId,
  { packet, onto, commit, tree }: IntegrateInput,
  call: Call,
): Promise<Recorded> {
  const asked = { packet, onto, commit, tree };
  const recorded = await record(context, {
    task,
    call,
    request: { integrate: asked },
    prepare: () => ({ command: { type: 'integrate', ...asked } }),
  });
  if (call.dryRun !== true) await freeDependents(context, task);
  return recorded;
}

export async function verdictCommand(
  context: Context,
  verdict: Verdict,
  state: TaskState | undefined,
): Promise<Command> {
  return verdict.approve ? approval(verdict) : await sendingBack(context, verdict, state);
}

type Approval = Extract<Verdict, { approve: true }>;
type SendingBack = Extract<Verdict, { approve: false }>;

function approval({ packet, contract, why }: Approval): Command {
  return {
    type: 'approve',
    packet,
    ...defined({ contract, why }),
  };
}

async function sendingBack(
  context: Context,
  { packet, contract, findings, to, generation }: SendingBack,
  state: TaskState | undefined,
): Promise<Command> {
  const audits = state?.leg?.lane === 'audit';
  const workspace = audits ? await (await context.workspace?.())?.probe() : undefined;
  const { hidden } = audits ? await duringLeg(context, legBegan(state.leg)) : { hidden: [] };
  return {
    type: 'send-back',
    packet,
    ...defined({ contract }),
    findings,
    ...defined({ to, generation }),
    ...(workspace === undefined ? {} : { workspace: workspace.digest }),
    ...filled({ hidden }),
    ...(audits && context.gate === 'record' ? { ungated: true } : {}),
  };
}
