/** Plans and crews from files: YAML or JSON, each finding with the file and the line that it is about. */
import { extname } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Crew } from '../../core/plan/crew.ts';
import { readCrew, readPlan, type FieldPath, type Readout } from '../../core/plan/read-plan.ts';
import type { WorkPlan } from '../../core/plan/work-plan.ts';
import { fieldsIn } from '../contract/fields-file.ts';
import { readText } from '../frame/input.ts';
import { spelledCrew, spelledPlan, type Spelled } from './plan-fields.ts';

/** A plan of 20,000 tasks with a few hundred bytes each. */
const planBytesMax = 16 * 1024 * 1024;

/** Where a finding stands. */
export interface PlacedFinding extends Finding {
  readonly file: string;
  readonly line: number | null;
}

export interface PlanFile<T> {
  /** Undefined where its form is wrong. */
  readonly value: T | undefined;
  readonly findings: readonly PlacedFinding[];
  /** Findings about what it means, with their lines. */
  readonly place: (findings: readonly Finding[]) => Promise<PlacedFinding[]>;
}

export async function readPlanFile(file: string): Promise<PlanFile<WorkPlan>> {
  return await readFields(file, 'plan', { spell: spelledPlan, read: readPlan });
}

export async function readCrewFile(file: string): Promise<PlanFile<Crew>> {
  return await readFields(file, 'crew', { spell: spelledCrew, read: readCrew });
}

async function readFields<T>(
  file: string,
  what: string,
  {
    spell,
    read,
  }: { readonly spell: (given: unknown) => Spelled; readonly read: (value: unknown) => Readout<T> },
): Promise<PlanFile<T>> {
  const source = await readText(file, planBytesMax);
  const kind = file === '-' ? (/^\s*[{[]/.test(source) ? '.json' : '.yaml') : extname(file).toLowerCase();
  const fields = await fieldsIn(file, kind, source);
  if (fields === undefined)
    throw new StaffettaError(
      'invalid-input',
      `${file} is no ${what}: its name ends in ${kind === '' ? 'nothing' : kind}.`,
      {
        hint: 'Use .yaml or .json.',
      },
    );
  const placed = async (finding: Finding, at: FieldPath): Promise<PlacedFinding> => ({
    ...finding,
    file,
    line: (await fields.lineOf(at)) ?? null,
  });
  const spelled = spell(fields.value);
  const readout = read(spelled.value);
  const told = spelled.findings.map(({ path }) => path);
  const wrong = 'findings' in readout ? readout.findings : [];
  const found = [
    ...spelled.findings,
    ...wrong.filter(({ path }) => !told.some((known) => path.startsWith(known))),
  ];
  return {
    value: found.length === 0 && 'value' in readout ? readout.value : undefined,
    findings: await Promise.all(found.map(async ({ at, ...finding }) => await placed(finding, at))),
    place: async (findings) =>
      await Promise.all(findings.map(async (finding) => await placed(finding, fieldPathOf(finding.path)))),
  };
}

/** `tasks.limiter.validation[0]` as names and places. */
function fieldPathOf(path: string): FieldPath {
  return path
    .split('.')
    .flatMap((part) => part.split(/(?=\[\d+\])/))
    .filter((part) => part !== '')
    .map((part) => (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part));
}
