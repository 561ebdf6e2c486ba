import { existsSync } from 'node:fs';
import { chartOf } from '../../../core/plan/chart.ts';
import type { Crew } from '../../../core/plan/crew.ts';
import { plannedReviews } from '../../../core/plan/planned-reviews.ts';
import { schedule } from '../../../core/plan/schedule.ts';
import { plannedTasks, type WorkPlan } from '../../../core/plan/work-plan.ts';
import { exits } from '../../frame/fail.ts';
import { refuseStray, text } from '../../frame/values.ts';
import type { Invocation } from '../../frame/spec.ts';
import type { Session } from '../../call/session.ts';
import { sayChange } from '../../plan/change.ts';
import { nothingYet, planText, type LookedAtPlan } from '../../pages/plan-page.ts';
import { findPlan, isPlanError } from '../../plan/looked-at.ts';

export async function run(invocation: Invocation, session: Session): Promise<number> {
  const { positionals, values } = invocation;
  const file = positionals[0] ?? '';
  if (/\s/.test(file.trim()) && !existsSync(file)) {
    const { proposePlan } = await import('../crew/propose-plan.ts');
    return await proposePlan(file.trim(), invocation, session);
  }
  refuseStray(values, ['out', 'agent', 'within', 'run'], 'a goal in place of a file');
  const { plan, crew, findings, here, isProposed } = await findPlan(file, text(values, 'crew'), session.env);
  const isRunnable = plan !== undefined && crew !== undefined && !findings.some(isPlanError);
  const first = isRunnable ? firstLook(plan, crew, here.installed) : nothingYet;
  const tasks = plan === undefined ? null : Object.keys(plan.tasks).length;
  const looked = { file, tasks, findings, ...first };
  if (plan !== undefined && crew !== undefined)
    await sayChange(session, { plan, crew, name: text(values, 'name') });
  session.output.data({ ...looked, crew: crew ?? null }, () =>
    planText({
      ...looked,
      isUnstaffed: tasks !== null && crew === undefined && isProposed,
      proposed: isProposed && isRunnable ? crew : undefined,
    }),
  );
  return findings.some(isPlanError) ? exits.findings : exits.ok;
}

type FirstLook = Pick<LookedAtPlan, 'starts' | 'waits' | 'reviews'>;

function firstLook(plan: WorkPlan, crew: Crew, installed: readonly string[]): FirstLook {
  const tasks = plannedTasks(plan, crew);
  const chart = chartOf(tasks, plan.phases);
  const { starts, waits } = schedule({ chart, crew, installed, standings: new Map() }, crew.limits ?? {}, 0);
  return { starts, waits: waits(), reviews: plannedReviews(tasks, crew) };
}
