/** Opens a run, or gives one that is there another plan. Its supervisor does the rest. */
import { StaffettaError } from '../core/base/error.ts';
import { parse } from '../core/base/parse.ts';
import { defined } from '../core/base/defined.ts';
import { canonical } from '../core/journal/canonical.ts';
import { digestOf } from '../core/journal/digest.ts';
import type { RunningTask } from '../core/plan/diff-plan.ts';
import { RunDocument, sealRunDocument } from '../core/plan/run-document.ts';
import { plannedTasks } from '../core/plan/work-plan.ts';
import { isFinal, type TaskState } from '../core/task/state.ts';
import type { Contract } from '../core/contract/contract.ts';
import { readContract } from '../handoff/history/history.ts';
import { amend } from '../handoff/verbs/amend.ts';
import type { Context } from '../handoff/record/context.ts';
import { findState } from '../handoff/record/load.ts';
import type { Call } from '../handoff/record/record.ts';
import { redactedTexts } from '../handoff/record/redacted.ts';
import { open } from '../handoff/verbs/open.ts';
import { steer } from '../handoff/verbs/outside.ts';
import { crewActor, plannedId, runId, runKey } from './run-names.ts';

export interface OpenedRun {
  readonly state: TaskState;
  /** What became of the plan: the run is new, has another plan now, or had this one already. */
  readonly plan: 'new' | 'changed' | 'same';
}

export async function openRun(
  context: Context,
  given: RunDocument,
  call: Call & { readonly why: string },
): Promise<OpenedRun> {
  const document = await redactedTexts(await context.redactor(), parse(RunDocument, given, 'run'));
  const bytes = sealRunDocument(document);
  const before = await runState(context, document.name);
  if (before !== undefined && isFinal(before))
    throw new StaffettaError('wrong-state', `The run ${document.name} is ${before.status}.`, {
      details: { run: document.name, task: before.task, status: before.status },
      hint: 'Give the new one another name: --name NAME',
    });
  if (before === undefined) await openRunTask(context, document);
  else if (before.steering?.plan === digestOf(bytes)) return { state: before, plan: 'same' };
  else await amendRunTask(context, before, document);
  const { why, ...by } = call;
  const { budget } = document.plan;
  const steering = { plan: bytes, why, ...defined({ caps: budget }) };
  const { state } = await steer(context, runId(document.name), steering, by);
  return { state, plan: before?.steering?.plan === undefined ? 'new' : 'changed' };
}

export async function runState(context: Context, run: string): Promise<TaskState | undefined> {
  return await findState(context, runId(run));
}

/** The run is agreed on anew where its goal or its phases are others: it moves by the phases of its own contract. */
async function amendRunTask(
  context: Context,
  { task, contract }: TaskState,
  { plan }: RunDocument,
): Promise<void> {
  const inForce = await readContract(context, contract);
  const wanted = { goal: plan.goal, phases: plan.phases ?? [] };
  if (canonical({ goal: inForce.goal, phases: inForce.phases ?? [] }) === canonical(wanted)) return;
  const { phases: _phases, ...rest } = inForce;
  const change = (): Contract => ({ ...rest, goal: plan.goal, ...defined({ phases: plan.phases }) });
  await amend(context, task, { change, asked: wanted, why: 'The plan was changed.' }, { by: crewActor });
}

async function openRunTask(context: Context, { name, plan }: RunDocument): Promise<void> {
  await open(
    context,
    {
      title: `Run ${name}`,
      goal: plan.goal,
      acceptance: ['Every task of the plan is done.'],
      // A supervisor that is killed and started again has not failed.
      caps: { attempts: 1_000_000 },
      ...defined({ phases: plan.phases }),
    },
    { to: 'lane:supervise', lane: 'supervise' },
    { by: crewActor, key: runKey(name) },
  );
}

/** As the plan of a run has them, and how they stand. */
export async function tasksOfRun(
  context: Context,
  { name, plan, crew }: RunDocument,
): Promise<RunningTask[]> {
  const running: RunningTask[] = [];
  for (const planned of plannedTasks(plan, crew)) {
    const state = await findState(context, plannedId(name, planned.name));
    if (state === undefined) continue;
    const holder = state.leg?.holder.name;
    const { status: stands } = state;
    const isOver = stands === 'done' || stands === 'failed' || stands === 'cancelled';
    const status = isOver ? stands : holder === undefined ? 'open' : 'held';
    running.push({ planned, status, ...defined({ holder }) });
  }
  return running;
}
