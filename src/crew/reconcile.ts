/**
 * Makes the tasks of a run what its plan says: opens those that are not there, amends those that read otherwise, cancels those that the
 * plan has no more. All of it can be repeated, by a supervisor that starts again in the middle.
 */
import { defined } from '../core/base/defined.ts';
import { isStaffettaError } from '../core/base/error.ts';
import { canonical } from '../core/journal/canonical.ts';
import { graphOf, needsFirst } from '../core/plan/graph.ts';
import { runBranch, type RunDocument } from '../core/plan/run-document.ts';
import { plannedContract, plannedTasks, type NamedTask } from '../core/plan/work-plan.ts';
import type { Contract } from '../core/contract/contract.ts';
import { isFinal, type TaskState } from '../core/task/state.ts';
import { readContract } from '../handoff/history/history.ts';
import type { Context } from '../handoff/record/context.ts';
import { load } from '../handoff/record/load.ts';
import { amend } from '../handoff/verbs/amend.ts';
import { lostNeeds } from '../handoff/verbs/needs.ts';
import { redrive } from '../handoff/verbs/offer.ts';
import { open } from '../handoff/verbs/open.ts';
import { cancel } from '../handoff/verbs/outside.ts';
import { crewActor, plannedId, plannedKey } from './run-names.ts';

/** The contract of a task of a run: what the plan says of it, and what the crew and the run say of all. */
function crewContract(document: RunDocument, task: NamedTask): Contract {
  const { name, crew } = document;
  const { legs, tokens, cost } = {
    ...crew.limits,
    ...(task.agent === undefined ? undefined : crew.agents[task.agent]?.limits),
  };
  const budget = { ...defined({ legs, tokens, cost }), ...task.budget };
  const edges = crew.group ?? crew.edges;
  return {
    ...plannedContract(task),
    ...(task.needs === undefined || task.needs.length === 0
      ? {}
      : { needs: task.needs.map((need) => plannedId(name, need)) }),
    ...(isIntegrated(document, task) ? { integrate: { onto: runBranch(name) } } : {}),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...defined({ edges }),
  };
}

/** What an audit finds, or a task that may change nothing, goes nowhere. */
export function isIntegrated({ base }: RunDocument, { lane, integrate, paths }: NamedTask): boolean {
  return base !== undefined && integrate !== false && lane !== 'audit' && paths?.length !== 0;
}

/** Tasks of the plan in an order in which needs come first. */
export function openingOrder(document: RunDocument): readonly NamedTask[] {
  const tasks = plannedTasks(document.plan, document.crew);
  return needsFirst(graphOf(tasks)).flatMap((task) => tasks[task] ?? []);
}

export async function openPlanned(context: Context, document: RunDocument, task: NamedTask): Promise<void> {
  const { v: _v, ...contract } = crewContract(document, task);
  const to = task.agent === undefined ? (`lane:${task.lane}` as const) : (`agent:${task.agent}` as const);
  await open(
    context,
    contract,
    { to, lane: task.lane },
    { by: crewActor, key: plannedKey(document.name, task.name) },
  );
}

export interface PlanChange {
  readonly amended: readonly string[];
  readonly cancelled: readonly string[];
  /** With the reason: what is over, or submitted, keeps its contract. */
  readonly refused: readonly { readonly task: string; readonly why: string }[];
}

/** What a changed plan means for tasks that are there. `earlier` are the documents before this one. */
export async function changePlanned(
  context: Context,
  document: RunDocument,
  given: {
    readonly earlier: readonly RunDocument[];
    readonly stateOf: (task: string) => Promise<TaskState | undefined>;
  },
): Promise<PlanChange> {
  const tasks = new Map(plannedTasks(document.plan, document.crew).map((task) => [task.name, task]));
  const change = {
    amended: [] as string[],
    cancelled: [] as string[],
    refused: [] as { task: string; why: string }[],
  };
  for (const name of namesIn(given.earlier)) {
    const state = await given.stateOf(name);
    if (state === undefined || isFinal(state)) continue;
    const task = tasks.get(name);
    try {
      if (task === undefined) {
        await cancel(context, state.task, 'The plan has it no more.', { by: crewActor });
        change.cancelled.push(name);
      } else {
        if (await amendPlanned(context, document, { task, state })) change.amended.push(name);
        await offerAgain(context, state);
      }
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
      change.refused.push({ task: name, why: error.message });
    }
  }
  return change;
}

function namesIn(documents: readonly RunDocument[]): ReadonlySet<string> {
  return new Set(documents.flatMap(({ plan }) => Object.keys(plan.tasks)));
}

/** Says whether anything had to be changed. */
async function amendPlanned(
  context: Context,
  document: RunDocument,
  { task, state }: { readonly task: NamedTask; readonly state: TaskState },
): Promise<boolean> {
  const wanted = crewContract(document, task);
  const inForce = await readContract(context, state.contract);
  const change = changedFields(inForce, wanted);
  if (change === undefined) return false;
  const why = 'The plan was changed.';
  await amend(context, state.task, { change: () => wanted, asked: change, why }, { by: crewActor });
  return true;
}

/** What a person was asked about was a need that will not come, and the plan asks for it no more. */
async function offerAgain(context: Context, { task, escalation }: TaskState): Promise<void> {
  if (escalation?.reason !== 'need-failed') return;
  const { state } = await load(context, task);
  if (state.status !== 'escalated' || (await lostNeeds(context, state.unmet)).length > 0) return;
  await redrive(context, task, { why: 'The plan does without what will not come.' }, { by: crewActor });
}

function changedFields(inForce: Contract, wanted: Contract): readonly string[] | undefined {
  const [before, after] = [inForce, wanted].map((one) => new Map<string, unknown>(Object.entries(one)));
  // A project may make every contract strict; and a plan does not say that it is not.
  const fields = [...new Set([...Object.keys(inForce), ...Object.keys(wanted)])]
    .filter((field) => field !== 'strict')
    .filter((field) => textOf(before?.get(field)) !== textOf(after?.get(field)));
  return fields.length === 0 ? undefined : fields.toSorted();
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonical(value);
}
