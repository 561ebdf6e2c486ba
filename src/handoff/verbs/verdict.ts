/** A verdict by somebody who looked at a page: bound to every digest that the page showed, and refused if one of them is another now. */
import type { Digest } from '../../core/journal/digest.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { isFinal, type TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { refuseUnexplained } from './explained.ts';
import { verdictCommand, type Verdict } from './finish.ts';
import { readPacket } from '../history/history.ts';
import { freeDependents } from './needs.ts';
import { record, type Call, type Recorded } from '../record/record.ts';

/** What a verdict on a submission is about. */
export interface VerdictBinding {
  readonly packet: Digest | null;
  readonly contract: Digest;
  readonly diff: Digest | null;
  /** What the gate found when the packet was sealed. */
  readonly findings: Digest | null;
}

/** Null where nothing waits for a verdict. */
export async function bindingOf(context: Context, state: TaskState): Promise<VerdictBinding | null> {
  const { submission, contract, sealed } = state;
  if (state.status !== 'submitted' || submission === null) return null;
  const { packet } = submission;
  const facts = packet === null ? undefined : (await readPacket(context, packet)).facts;
  return {
    packet,
    contract,
    diff: facts?.diff?.blob ?? null,
    findings: packet === state.packet ? (sealed?.findings ?? null) : null,
  };
}

export interface JudgeInput {
  readonly looked: VerdictBinding;
  readonly verdict: Verdict;
}

/** Approves or sends back exactly what was looked at. An approval over warnings says why. */
export async function judge(
  context: Context,
  task: TaskId,
  { looked, verdict }: JudgeInput,
  call: Call,
): Promise<Recorded> {
  const recorded = await record(context, {
    task,
    call,
    request: { judge: verdict, looked },
    prepare: async (state) => {
      const now = state === undefined ? null : await bindingOf(context, state);
      if (now !== null) refuseChanged(task, looked, now);
      if (now !== null && verdict.approve)
        await refuseUnexplained(context, task, { findings: now.findings, why: verdict.why });
      return { command: await verdictCommand(context, { ...verdict, contract: looked.contract }, state) };
    },
  });
  if (isFinal(recorded.state) && call.dryRun !== true) await freeDependents(context, task);
  return recorded;
}

const parts = ['packet', 'contract', 'diff', 'findings'] as const;

function refuseChanged(task: TaskId, looked: VerdictBinding, now: VerdictBinding): void {
  const changed = parts
    .filter((part) => looked[part] !== now[part])
    .map((part) => ({ part, looked: looked[part], now: now[part] }));
  if (changed.length === 0) return;
  throw new StaffettaError(
    'review-stale',
    `Task ${task} changed since it was looked at: ${changed.map(({ part }) => part).join(', ')}.`,
    {
      details: { task, changed },
      hint: 'Look at the latest submission and decide again.',
    },
  );
}
