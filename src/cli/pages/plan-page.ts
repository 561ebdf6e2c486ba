/** A plan that was looked at: what was found in it, where, and what would start first. */
import { counted } from '../../core/base/counted.ts';
import { waitWords } from '../../core/plan/plan-wait.ts';
import type { PlanWait } from '../../core/plan/plan-wait.ts';
import type { Crew } from '../../core/plan/crew.ts';
import { agentsOf } from '../../core/plan/fitting-agents.ts';
import type { PlannedReview } from '../../core/plan/planned-reviews.ts';
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
  readonly reviews: readonly PlannedReview[];
  /** Nobody is known who could work on it. */
  readonly isUnstaffed: boolean;
  /** The crew, where nobody named one. */
  readonly proposed?: Crew | undefined;
}

/** Of a plan that cannot be run as it is. */
export const nothingYet = { starts: [], waits: [], reviews: [] } as const;

const shownMax = 25;

export function planText(looked: LookedAtPlan): string {
  const { file, tasks, findings, starts, waits, reviews, isUnstaffed, proposed } = looked;
  const found = findings.length === 0 ? 'no faults' : findingCounts(findings);
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
    ...upTo(reviews.map((review) => line(`  ${reviewWords(review)}`))),
    ...(proposed === undefined
      ? []
      : [`Crew, of what is installed: ${crewWords(proposed)}. Another: --crew FILE`]),
  ].join('\n');
}

const namedMax = 5;

function reviewWords({ agents, person, apart, tasks }: PlannedReview): string {
  const whole = tasks.length > namedMax ? ` and ${tasks.length - namedMax} more` : '';
  const which = `${tasks.slice(0, namedMax).join(', ')}${whole}`;
  const agentsOrNone = agents.length === 0 ? [] : [agents.join(' or ')];
  const who = [...agentsOrNone, ...(person ? ['a person'] : [])];
  if (who.length === 0) return `${which}: reviewed by nobody, done when what proves it has passed`;
  return `${which}: reviewed by ${who.join(' and ')}${apart ? ', in another program than the author’s' : ''}`;
}

function crewWords(crew: Crew): string {
  const lanes = Map.groupBy(agentsOf(crew), ({ lane }) => lane);
  return [...lanes]
    .map(([lane, agents]) => `${lane} ${agents.map(({ name }) => name).join(', ')}`)
    .join('; ');
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
