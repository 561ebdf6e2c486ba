/**
 * A plan: tasks by name, each with the fields of a contract, what it waits for, and how it is scheduled. `defaults` stand for what
 * a task leaves out. Names of tasks are kept where contracts have ids: a plan is written before there are any.
 */
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { limits } from '../base/limits.ts';
import { Text, Title, titleFrom } from '../base/text.ts';
import { Lane } from '../task/actor.ts';
import { Contract, Validation } from '../contract/contract.ts';
import { Crew, PlanBudget, PlanName } from './crew.ts';

const planTasksMax = 20_000;

const agreed = z.omit(Contract, { v: true, title: true, goal: true, needs: true });

const shared = z.extend(agreed, {
  agent: z.optional(PlanName),
  lane: z.optional(Lane),
  /** Globs of what it changes. No other task that may change one of them runs beside it. */
  paths: z.optional(z.array(Text).check(z.maxLength(limits.listItemsMax))),
  /** The higher goes first. */
  priority: z.optional(z.int().check(z.minimum(-1000), z.maximum(1000))),
  phase: z.optional(Title),
  /** How often it is tried again after it failed, and how long after. */
  retry: z.optional(
    z.strictObject({
      times: z.int().check(z.minimum(0), z.maximum(100)),
      afterMs: z.optional(z.int().check(z.minimum(1))),
    }),
  ),
  budget: z.optional(PlanBudget),
  /** Whether approved work is brought into the branch of the run before it counts as done; by default it is. */
  integrate: z.optional(z.boolean()),
  /** How long it takes, compared to others. */
  estimate: z.optional(z.number().check(z.positive(), z.maximum(1_000_000))),
});

export const PlanTask = z.extend(shared, {
  title: z.optional(Title),
  goal: Text,
  needs: z.optional(z.array(PlanName).check(z.maxLength(limits.needsMax))),
});
export type PlanTask = z.infer<typeof PlanTask>;

/** Tasks of a phase start when all of the phases before it are done and, where one of these asks for a person, a person has looked at it. */
export const PlanPhase = z.strictObject({ name: Title, human: z.optional(z.literal(true)) });
export type PlanPhase = z.infer<typeof PlanPhase>;

export const WorkPlan = z.strictObject({
  goal: Text,
  /** Where work starts: a branch, a tag or a commit. */
  base: z.optional(Title),
  /** Commands that are run once in every new worktree. */
  setup: z.optional(z.array(Validation).check(z.maxLength(limits.listItemsMax))),
  phases: z.optional(z.array(PlanPhase).check(z.maxLength(limits.phasesMax))),
  /** What the whole run may use, before a person is asked. */
  budget: z.optional(PlanBudget),
  defaults: z.optional(shared),
  tasks: z.record(PlanName, PlanTask).check(
    z.refine((tasks) => Object.keys(tasks).length > 0, 'expected at least one task'),
    z.refine(
      (tasks) => Object.keys(tasks).length <= planTasksMax,
      `expected at most ${planTasksMax} tasks; make two plans`,
    ),
  ),
  crew: z.optional(Crew),
});
export type WorkPlan = z.infer<typeof WorkPlan>;

export interface NamedTask extends PlanTask {
  readonly name: string;
  readonly lane: Lane;
}

/** In the order of the plan, with what the defaults say. An agent that is known works in its own lane, any other in `execute`. */
export function plannedTasks({ tasks, defaults = {} }: WorkPlan, crew?: Crew): NamedTask[] {
  return Object.entries(tasks).map(([name, own]) => {
    const task = { ...defaults, ...own };
    const agents = crew?.agents ?? {};
    const agent =
      task.agent !== undefined && Object.hasOwn(agents, task.agent) ? agents[task.agent] : undefined;
    return { ...task, name, lane: own.lane ?? agent?.lane ?? task.lane ?? 'execute' };
  });
}

/** Whether to integrate is the plan's word; where to is known to the run. */
const contractFields: ReadonlySet<string> = new Set(
  Object.keys(Contract.shape).filter((field) => field !== 'integrate'),
);

/** Whether it is agreed on with its holder; the rest is between the plan and the schedule. */
export function isContractField(field: string): boolean {
  return contractFields.has(field);
}

/** Who plans changes nothing but what the plan names. */
export function changesInPlanLane({ lane, paths = [] }: Pick<NamedTask, 'lane' | 'paths'>): boolean {
  return lane === 'plan' && paths.length > 0;
}

/** The contract under which a task is opened, without its needs: they are known by their ids once these are open. */
export function plannedContract(task: NamedTask): Contract {
  const { needs: _needs, ...rest } = task;
  const said = Object.fromEntries(Object.entries(rest).filter(([field]) => isContractField(field)));
  const attempts = task.retry === undefined ? undefined : task.retry.times + 1;
  const caps = defined({ attempts, ...task.caps });
  return {
    ...said,
    v: 1,
    title: task.title ?? titleFrom(task.goal),
    goal: task.goal,
    ...(task.lane === 'plan' && task.paths === undefined ? { paths: [] } : {}),
    ...(Object.keys(caps).length === 0 ? {} : { caps }),
  };
}
