/** What a plan would change in a run that is under way. */
import type { Crew } from '../../core/plan/crew.ts';
import { diffPlan } from '../../core/plan/diff-plan.ts';
import type { RunDocument } from '../../core/plan/run-document.ts';
import { plannedTasks, type WorkPlan } from '../../core/plan/work-plan.ts';
import { isFinal } from '../../core/task/state.ts';
import { runState, tasksOfRun } from '../../crew/open-run.ts';
import { readRun } from '../../crew/run-record.ts';
import type { Session } from '../call/session.ts';
import { planChangeText } from '../pages/run-page.ts';

/** What the run of that name is told to do; undefined where there is none, or it is over. */
export async function runningPlan(
  session: Session,
  name: string | undefined,
): Promise<RunDocument | undefined> {
  if (name === undefined) return undefined;
  const context = await session.context({ create: true });
  const state = await runState(context, name);
  if (state === undefined || isFinal(state)) return undefined;
  return (await readRun(context, state.task)).documents.at(-1);
}

export async function sayChange(
  session: Session,
  { plan, crew, name }: { readonly plan: WorkPlan; readonly crew: Crew; readonly name: string | undefined },
): Promise<void> {
  const running = await runningPlan(session, name);
  if (running === undefined) return;
  const context = await session.context();
  const steps = diffPlan(plannedTasks(plan, crew), await tasksOfRun(context, running));
  session.output.say(steps.length === 0 ? `The run ${running.name} has this plan.` : planChangeText(steps));
}
