/** A plan that was looked at: what was found in it, where, and what would start first. */
import { counted } from '../../core/base/counted.ts';
import { waitWords } from '../../core/plan/plan-wait.ts';
import type { PlanWait } from '../../core/plan/plan-wait.ts';
import type { PlannedLeg } from '../../core/plan/room.ts';
import { line } from '../frame/output.ts';
import type { PlacedFinding } from '../plan/plan-file.ts';
import { bySeverity, findingCounts } from './findings-page.ts';

export interface LookedAtPlan {
  readonly file: string;
  /** Null where its form is wrong. */
  readonly tasks: number | null;
  readonly findings: readonly PlacedFinding[];
  readonly starts: readonly PlannedLeg[];
  readonly waits: readonly PlanWait[];
  /** Nobody is known who could work on it. */
  readonly isUnstaffed: boolean;
}

const shownMax = 25;

export function planText({ file, tasks, findings, starts, waits, isUnstaffed }: LookedAtPlan): string {
  const found = findings.length === 0 ? 'nothing was found' : findingCounts(findings);
  return [
    `${line(file)}: ${tasks === null ? 'no plan yet' : counted(tasks, 'task')}, ${found}.`,
    ...upTo((bySeverity(findings) as PlacedFinding[]).map((finding) => findingLines(finding).join('\n'))),
    ...(isUnstaffed
      ? ['No coding agent is installed: who works on it was not checked. Name a crew with --crew FILE.']
      : []),
    ...upTo([
      ...starts.map(
        ({ task, agent, runtime }) =>
          `  ${task} starts with ${agent}${runtime === null || runtime === agent ? '' : ` in ${runtime}`}`,
      ),
      ...waits.map((wait) => line(`  ${wait.task} ${waitWords(wait)}`)),
    ]),
  ].join('\n');
}

function findingLines({ severity, file, line: at, text, fix }: PlacedFinding): string[] {
  return [
    `  ${severity}: ${line(file)}${at === null ? '' : `:${at}`}`,
    `    ${line(text)}`,
    `    → ${line(fix)}`,
  ];
}

function upTo(lines: readonly string[]): string[] {
  const left = lines.length - shownMax;
  return [...lines.slice(0, shownMax), ...(left > 0 ? [`  and ${left} more, with --json`] : [])];
}
