/** What a run is to do now: the latest plan that its record names, worked out once, and how much of it is open. */
import { StaffettaError } from '../core/base/error.ts';
import { chartOf, type Chart } from '../core/plan/chart.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import { plannedTasks, type NamedTask } from '../core/plan/work-plan.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import { changePlanned, openingOrder, openPlanned } from './reconcile.ts';
import { readRun, type RunRecord } from './run-record.ts';
import type { RunWatch } from './run-watch.ts';

const openAtOnce = 100;

export interface PlanInForce {
  readonly document: RunDocument;
  readonly digest: string | undefined;
  readonly chart: Chart;
  readonly tasks: ReadonlyMap<string, NamedTask>;
  /** Needs first. What is opened is taken out. */
  readonly unopened: NamedTask[];
  /** Accounts that were exhausted when the record was read, until when. */
  readonly exhausted: ReadonlyMap<string, number>;
  readonly routed: RunRecord['routed'];
  /** How long supervisors before this one were at it. */
  readonly ms: number;
}

/** Also does to tasks that are there what another plan means for them. */
export async function readPlanInForce(context: Context, leg: Leg, watch: RunWatch): Promise<PlanInForce> {
  const { documents, exhausted, digest, routed, ms } = await readRun(context, watch.run);
  const document = documents.at(-1);
  if (document === undefined)
    throw new StaffettaError('wrong-state', `The run ${watch.run} has no plan.`, {
      hint: 'Give it one: staffetta run PLAN',
    });
  const tasks = plannedTasks(document.plan, document.crew);
  const chart = chartOf(tasks, document.plan.phases);
  const earlier = documents.slice(0, -1);
  await watch.know(
    tasks.map(({ name }) => name),
    chart,
    earlier.flatMap(({ plan }) => Object.keys(plan.tasks)),
  );
  if (earlier.length > 0) {
    const stateOf = watch.stateOf.bind(watch);
    const { refused } = await changePlanned(context, document, { earlier, stateOf });
    for (const { task, why } of refused)
      await leg.note(`The plan says otherwise of ${task} now, and it stays as it is: ${why}`);
  }
  const unopened = openingOrder(document).filter(({ name }) => !watch.statuses.has(name));
  return {
    document,
    digest,
    chart,
    tasks: new Map(tasks.map((task) => [task.name, task])),
    unopened,
    exhausted,
    routed,
    ms,
  };
}

/** Some at a time, so that what is ready need not wait for all. */
export async function openSome(context: Context, { document, unopened }: PlanInForce): Promise<void> {
  for (let opened = 0; opened < openAtOnce; opened += 1) {
    const [task] = unopened;
    if (task === undefined) return;
    await openPlanned(context, document, task);
    unopened.shift();
  }
}
