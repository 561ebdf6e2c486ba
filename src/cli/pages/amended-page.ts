/** What was agreed after the work was submitted, before anything else that a reviewer reads: its author never saw it. */
import type { ContractPart } from '../../core/contract/contract-changes.ts';
import type { Amended } from '../../handoff/views/amended.ts';
import type { TaskView } from '../../handoff/views/task-view.ts';
import { formatAgo } from '../frame/duration.ts';
import type { Paint } from '../frame/output.ts';
import { section } from '../frame/section.ts';

export const partTitles: Readonly<Record<ContractPart, string>> = {
  title: 'Title',
  goal: 'Goal',
  kind: 'Kind',
  strict: 'Strict',
  acceptance: 'Accepted when',
  constraints: 'Constraints',
  nonGoals: 'Not part of it',
  protectedPaths: 'Protected paths',
  validation: 'Proven by',
  phases: 'Phases',
  skills: 'Skills',
  review: 'Reviewed by',
  needs: 'Waits for',
  caps: 'Limits',
  paths: 'May be changed',
  integrate: 'Goes onto',
  budget: 'Budget',
  edges: 'Handed on',
};

export function amendedPart({ amended }: TaskView, paint: Paint, now: number): string {
  if (amended === null) return '';
  const { amendments, changes } = amended;
  return section(paint.warn('The contract was amended after the work was submitted'), [
    ...amendments.map(({ by, at, why }) => `${by}, ${formatAgo(at, now)}: ${why}`),
    ...changes.flatMap(({ part, added, removed }) => [
      ...added.map((text) => `new, under ${partTitles[part]}: ${text}`),
      ...removed.map((text) => `gone, from ${partTitles[part]}: ${text}`),
    ]),
  ]);
}

/** The lines of a part of the contract; those that the author of the work never saw say so. */
export function marked(
  lines: readonly string[] | undefined,
  part: ContractPart,
  amended: Amended | null,
): readonly string[] | undefined {
  const added = amended?.changes.find((change) => change.part === part)?.added ?? [];
  return lines?.map((text) => (added.includes(text) ? `${text} (new since it was submitted)` : text));
}
