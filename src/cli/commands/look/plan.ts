import type { Finding } from '../../../core/gate/finding.ts';
import { chartOf } from '../../../core/plan/chart.ts';
import { checkPlan } from '../../../core/plan/check-plan.ts';
import { permissionsOf, type Crew } from '../../../core/plan/crew.ts';
import type { PlanWait } from '../../../core/plan/plan-wait.ts';
import { proposeCrew } from '../../../core/plan/propose-crew.ts';
import type { PlannedLeg } from '../../../core/plan/room.ts';
import { schedule } from '../../../core/plan/schedule.ts';
import { plannedTasks, type WorkPlan } from '../../../core/plan/work-plan.ts';
import { runnersHere, type RunnersHere } from '../../../compose/runners.ts';
import { exits } from '../../frame/fail.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import type { Invocation } from '../../frame/spec.ts';
import type { Session } from '../../call/session.ts';
import { planText } from '../../pages/plan-page.ts';
import { readCrewFile, readPlanFile, type PlacedFinding, type PlanFile } from '../../plan/plan-file.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const file = positionals[0] ?? '';
  const crewFile = text(values, 'crew');
  const here = await runnersHere(session.env);
  const { installed } = here;
  const plan = await readPlanFile(file);
  const crew = crewFile === undefined ? undefined : await readCrewFile(crewFile);
  if (crew !== undefined && plan.value?.crew !== undefined)
    throw new UsageError(
      `${file} has a crew already.`,
      'Leave --crew out, or take the crew out of the plan.',
    );
  const by = crew === undefined ? (plan.value?.crew ?? proposeCrew(installed)) : crew.value;
  const findings = [...plan.findings, ...(crew?.findings ?? [])];
  let first: FirstLook = { starts: [], waits: [] };
  if (plan.value !== undefined && by !== undefined) {
    findings.push(...(await meantFindings(plan.value, by, { plan, crew, here })));
    if (!findings.some(isError)) first = firstLook(plan.value, by, installed);
  }
  const tasks = plan.value === undefined ? null : Object.keys(plan.value.tasks).length;
  const looked = { file, tasks, findings, ...first };
  session.output.data({ ...looked, crew: by ?? null }, () =>
    planText({ ...looked, isUnstaffed: tasks !== null && by === undefined && crew === undefined }),
  );
  return findings.some(isError) ? exits.findings : exits.ok;
}

function isError({ severity }: PlacedFinding): boolean {
  return severity === 'error';
}

interface Files {
  readonly plan: PlanFile<WorkPlan>;
  readonly crew: PlanFile<Crew> | undefined;
  readonly here: RunnersHere;
}

/** What is said of a crew stands in its own file, or inside the plan. */
async function meantFindings(plan: WorkPlan, by: Crew, files: Files): Promise<PlacedFinding[]> {
  const { installed, enforced } = files.here;
  const findings = checkPlan(plan, by, {
    installed,
    enforced: (agent, program) => enforced(agent, program, permissionsOf(by, agent)),
  });
  const ofCrew = findings.filter((finding) => !isOfPlan(finding));
  return [
    ...(await files.plan.place(findings.filter(isOfPlan))),
    ...(files.crew === undefined
      ? await files.plan.place(ofCrew.map((finding) => ({ ...finding, path: `crew.${finding.path}` })))
      : await files.crew.place(ofCrew)),
  ];
}

interface FirstLook {
  readonly starts: readonly PlannedLeg[];
  readonly waits: readonly PlanWait[];
}

function firstLook(plan: WorkPlan, crew: Crew, installed: readonly string[]): FirstLook {
  const chart = chartOf(plannedTasks(plan, crew), plan.phases);
  const { starts, waits } = schedule({ chart, crew, installed, standings: new Map() }, crew.limits ?? {}, 0);
  return { starts, waits: waits() };
}

function isOfPlan({ path }: Finding): boolean {
  return /^(?:tasks|phases)\b/.test(path);
}
