/** All that speaks against running a plan with a crew, told at once. Errors keep it from running; warnings are shown. */
import type { Finding } from '../gate/finding.ts';
import { lintContract } from '../gate/lint-contract.ts';
import { checkCrew, type Surroundings } from './check-crew.ts';
import { checkNeeds, checkPhases, planError } from './check-needs.ts';
import { checkPaths } from './check-paths.ts';
import { checkStaffing } from './check-staffing.ts';
import type { Crew } from './crew.ts';
import {
  changesInPlanLane,
  plannedContract,
  plannedTasks,
  type NamedTask,
  type WorkPlan,
} from './work-plan.ts';

export function checkPlan(plan: WorkPlan, crew: Crew, here: Surroundings = {}): Finding[] {
  const tasks = plannedTasks(plan, crew);
  const isChanging = tasks.some(changesInPlanLane);
  const held: Surroundings['enforced'] = (agent, program) =>
    here.enforced?.(isChanging && agent.lane === 'plan' ? { ...agent, lane: 'execute' } : agent, program);
  return [
    ...checkNeeds(tasks),
    ...checkPhases(plan, tasks),
    ...checkCrew(crew, { ...here, enforced: held }),
    ...checkStaffing(tasks, crew, here),
    ...tasks.flatMap((task) => checkContract(task, here)),
    ...checkPaths(tasks),
  ];
}

/** By the rules of the gate, so that no task is started whose packets would be refused for what its contract lacks. */
function checkContract(task: NamedTask, { runnable, strict }: Surroundings): Finding[] {
  const contract = { ...plannedContract(task), ...(strict === true ? { strict } : {}) };
  const found = lintContract({ contract, author: null, runnable: runnable ?? (() => undefined) });
  const findings = found.map((finding) => ({
    ...finding,
    path: finding.path.replace(/^contract\b/, `tasks.${task.name}`),
    text: `Task ${task.name}: ${finding.text}`,
  }));
  if (task.retry === undefined || task.caps?.attempts === undefined) return findings;
  return [
    ...findings,
    planError('retry-twice', `tasks.${task.name}.retry`, {
      text: `Task ${task.name} says twice how often it is tried: retry.times and caps.attempts.`,
      fix: 'Keep one of the two.',
    }),
  ];
}
