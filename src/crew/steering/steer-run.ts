/** Tasks of a run, told by the names that they have in its plan, while the run goes on: taken out, or given to somebody. */
import { defined } from '../../core/base/defined.ts';
import type { NamedTask } from '../../core/plan/work-plan.ts';
import { plannedTasks } from '../../core/plan/work-plan.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { RunDocument } from '../../core/plan/run-document.ts';
import { isFinal, type TaskState } from '../../core/task/state.ts';
import type { TaskBudget } from '../../core/contract/terms.ts';
import type { Context } from '../../handoff/record/context.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { findState } from '../../handoff/record/load.ts';
import type { Call, Recorded } from '../../handoff/record/record.ts';
import { reassign } from '../../handoff/verbs/direct.ts';
import { cancel, steer } from '../../handoff/verbs/outside.ts';
import { runState } from '../open-run.ts';
import { plannedId } from '../run-names.ts';
import { openingOrder } from '../reconcile.ts';
import { readRun } from '../run-record.ts';

/** A run that goes on; of any other there is nothing to be told. */
export async function runToSteer(context: Context, run: string): Promise<TaskState> {
  const state = await runState(context, run);
  if (state === undefined)
    throw new StaffettaError('unknown-task', `There is no run ${run} in this store.`, {
      hint: 'Runs are the tasks in the supervise lane: staffetta ls --lane supervise --all',
    });
  if (['done', 'failed', 'cancelled'].includes(state.status))
    throw new StaffettaError('wrong-state', `The run ${run} is ${state.status}: nothing of it goes on.`, {
      details: { run, task: state.task, status: state.status },
      hint: `See what came of it: staffetta show ${state.task}`,
    });
  return state;
}

export async function cancelPlanned(
  context: Context,
  run: string,
  { task, why }: { readonly task: string; readonly why: string },
  call: Call,
): Promise<Recorded> {
  const { state } = await plannedIn(context, run, task);
  return await cancel(context, state.task, why, call);
}

/** A task; of a run also what is left of it. Who supervises it stops its agents, and does the rest where this was cut short. */
export async function cancelWhole(
  context: Context,
  task: TaskId,
  why: string,
  call: Call,
): Promise<Recorded> {
  const recorded = await cancel(context, task, why, call);
  if (call.dryRun !== true && recorded.state.steering?.plan !== undefined)
    await cancelLeft(context, task, { why, by: call.by });
  return recorded;
}

/** Those that wait for others come first: nobody is asked what becomes of them without what they wait for. */
export async function cancelLeft(
  context: Context,
  run: TaskId,
  { why, by }: { readonly why: string; readonly by: Call['by'] },
): Promise<void> {
  const { documents } = await readRun(context, run);
  const tasks = documents.toReversed().flatMap((document) =>
    openingOrder(document)
      .toReversed()
      .map(({ name }) => plannedId(document.name, name)),
  );
  for (const task of new Set(tasks)) {
    const state = await findState(context, task);
    if (state === undefined || isFinal(state)) continue;
    try {
      await cancel(context, task, why, { by });
    } catch (error) {
      // It came to its end meanwhile.
      if (!isStaffettaError(error, 'wrong-state')) throw error;
    }
  }
}

/** The agent that is at it is stopped, and what it did is there for the next. Without an agent it is whom the plan gives it to. */
export async function givePlanned(
  context: Context,
  run: string,
  { task, agent, why }: { readonly task: string; readonly agent?: string | undefined; readonly why: string },
  call: Call,
): Promise<Recorded> {
  const { state, planned, document } = await plannedIn(context, run, task);
  const { agents } = document.crew;
  const name = agent ?? planned.agent;
  const member = name === undefined || !Object.hasOwn(agents, name) ? undefined : agents[name];
  if (name === undefined)
    return await reassign(context, state.task, { to: `lane:${planned.lane}`, why }, call);
  if (member === undefined)
    throw new StaffettaError('invalid-input', `The crew of the run ${run} has no agent ${name}.`, {
      hint: `It has: ${Object.keys(agents).join(', ')}`,
    });
  const lane = state.offer?.lane ?? state.leg?.lane ?? planned.lane;
  if (member.lane !== lane)
    throw new StaffettaError(
      'lane-denied',
      `${task} is in the lane ${lane}, and ${name} in ${member.lane}.`,
      {
        hint: `In that lane: ${
          Object.keys(agents)
            .filter((one) => agents[one]?.lane === lane)
            .join(', ') || 'nobody'
        }`,
      },
    );
  return await reassign(context, state.task, { to: `agent:${name}`, why }, call);
}

/** Caps that are not named stay as they were. */
export async function steerRun(
  context: Context,
  { task, steering }: Pick<TaskState, 'task' | 'steering'>,
  { caps, ...how }: SteerRun,
  call: Call,
): Promise<Recorded> {
  const all = caps === undefined ? {} : { caps: { ...steering?.caps, ...caps } };
  return await steer(context, task, { ...defined(how), ...all, why: how.why }, call);
}

export interface SteerRun {
  readonly paused?: boolean | undefined;
  readonly parallel?: number | undefined;
  readonly caps?: TaskBudget | undefined;
  readonly why: string;
}

interface PlannedNow {
  readonly state: TaskState;
  readonly planned: NamedTask;
  readonly document: RunDocument;
}

async function plannedIn(context: Context, run: string, task: string): Promise<PlannedNow> {
  const { task: id } = await runToSteer(context, run);
  const document = (await readRun(context, id)).documents.at(-1);
  const planned =
    document === undefined
      ? undefined
      : plannedTasks(document.plan, document.crew).find(({ name }) => name === task);
  if (document === undefined || planned === undefined)
    throw new StaffettaError('unknown-task', `The plan of the run ${run} has no task ${task}.`, {
      hint: `It has: ${Object.keys(document?.plan.tasks ?? {})
        .slice(0, 20)
        .join(', ')}`,
    });
  const state = await findState(context, plannedId(run, task));
  if (state === undefined)
    throw new StaffettaError('wrong-state', `${task} of the run ${run} is not open yet.`, {
      hint: `It is opened when somebody supervises the run: staffetta run --name ${run}`,
    });
  return { state, planned, document };
}
