/** A plan and its crew as the files say it, with all that speaks against running them here. */
import { StaffettaError } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { checkPlan } from '../../core/plan/check-plan.ts';
import { permissionsOf, type Crew } from '../../core/plan/crew.ts';
import { proposeCrew } from '../../core/plan/propose-crew.ts';
import type { WorkPlan } from '../../core/plan/work-plan.ts';
import { runnersHere, type RunnersHere } from '../../compose/runners.ts';
import type { Session } from '../call/session.ts';
import { UsageError } from '../frame/usage.ts';
import { nothingYet, planText } from '../pages/plan-page.ts';
import { readCrewFile, readPlanFile, type PlacedFinding, type PlanFile } from './plan-file.ts';

export interface FoundPlan {
  /** Undefined where its form is wrong. */
  readonly plan: WorkPlan | undefined;
  /** Undefined where its form is wrong, or nobody is here. */
  readonly crew: Crew | undefined;
  /** It was proposed from what is installed. */
  readonly isProposed: boolean;
  readonly findings: readonly PlacedFinding[];
  readonly here: RunnersHere;
}

export async function findPlan(
  file: string,
  crewFile: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<FoundPlan> {
  const here = await runnersHere(env);
  const plan = await readPlanFile(file);
  const crew = crewFile === undefined ? undefined : await readCrewFile(crewFile);
  if (crew !== undefined && plan.value?.crew !== undefined)
    throw new UsageError(
      `${file} has a crew already.`,
      'Leave --crew out, or take the crew out of the plan.',
    );
  const isProposed = crew === undefined && plan.value?.crew === undefined;
  const by = isProposed ? proposeCrew(here.installed) : crew === undefined ? plan.value?.crew : crew.value;
  const findings = [...plan.findings, ...(crew?.findings ?? [])];
  if (plan.value !== undefined && by !== undefined)
    findings.push(...(await meantFindings(plan.value, by, { plan, crew, here })));
  return { plan: plan.value, crew: by, isProposed, findings, here };
}

export interface SoundPlan extends FoundPlan {
  readonly plan: WorkPlan;
  readonly crew: Crew;
}

/** One that can be run here; else what speaks against it is told, and there is none. */
export async function findSoundPlan(
  file: string,
  crewFile: string | undefined,
  { env, output }: Pick<Session, 'env' | 'output'>,
): Promise<SoundPlan | undefined> {
  const found = await findPlan(file, crewFile, env);
  const { plan, crew, findings, isProposed } = found;
  if (plan !== undefined && crew !== undefined && !findings.some(isPlanError))
    return { ...found, plan, crew };
  if (plan !== undefined && isProposed && crew === undefined && !findings.some(isPlanError))
    throw new StaffettaError('runtime-missing', 'Nobody can work on it: no coding agent is installed.', {
      hint: 'Install one, or name a crew: --crew FILE',
    });
  const tasks = plan === undefined ? null : Object.keys(plan.tasks).length;
  const looked = { file, tasks, findings, ...nothingYet };
  output.data({ ...looked, crew: crew ?? null }, () => planText({ ...looked, isUnstaffed: false }));
  return undefined;
}

export function isPlanError({ severity }: PlacedFinding): boolean {
  return severity === 'error';
}

interface Files {
  readonly plan: PlanFile<WorkPlan>;
  readonly crew: PlanFile<Crew> | undefined;
  readonly here: RunnersHere;
}

/** What is said of a crew stands in its own file, or inside the plan. */
async function meantFindings(plan: WorkPlan, by: Crew, files: Files): Promise<PlacedFinding[]> {
  const { installed, enforced, startable } = files.here;
  const findings = checkPlan(plan, by, {
    installed,
    startable,
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

function isOfPlan({ path }: Finding): boolean {
  return /^(?:tasks|phases)\b/.test(path);
}
