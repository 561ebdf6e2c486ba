/** Commands that get work moving again which waits for a person. */
import type { EscalationReason } from '../../core/journal/event.ts';
import type { TaskState } from '../../core/task/state.ts';

/** A command that works on an escalated task; capitals stand for what a person fills in. */
export interface WayOut {
  readonly command: string;
  readonly does: string;
}

export type EscalatedTask = Pick<TaskState, 'task' | 'status' | 'escalation' | 'unmet'>;

/** What has to change first, or the same would happen again. */
const remedies: Readonly<
  Record<EscalationReason, (about: Pick<TaskState, 'task' | 'unmet'>) => readonly WayOut[]>
> = {
  'attempts-cap': () => [],
  asked: () => [],
  bounce: () => [],
  budget: ({ task }) => [
    {
      command: `staffetta amend ${task} --file FILE --why TEXT`,
      does: 'first: allow more, with a budget in a contract file',
    },
  ],
  conflict: () => [],
  stalled: () => [],
  'idle-hops': () => [],
  'hop-cap': ({ task }) => [
    { command: `staffetta amend ${task} --hops N --why TEXT`, does: 'first: allow more handoffs' },
  ],
  'rework-cap': ({ task }) => [
    { command: `staffetta amend ${task} --rework N --why TEXT`, does: 'first: allow more rounds of review' },
  ],
  'need-failed': ({ task, unmet }) => [
    {
      command: `staffetta amend ${task} --drop-need ${unmet.length === 1 ? unmet[0] : 'TASK'} --why TEXT`,
      does: 'first: go on without what will not come',
    },
  ],
};

/** What has to be done first, where something has. */
export function remedyFor({
  task,
  escalation,
  unmet,
}: Pick<EscalatedTask, 'task' | 'escalation' | 'unmet'>): WayOut | undefined {
  return escalation === null ? undefined : remedies[escalation.reason]({ task, unmet })[0];
}

export function waysOut({ task, status, escalation, unmet }: EscalatedTask): readonly WayOut[] {
  if (status !== 'escalated' || escalation === null) return [];
  return [
    { command: `staffetta tell ${task} TEXT`, does: 'say what was decided, for the next holder' },
    ...remedies[escalation.reason]({ task, unmet }),
    {
      command: `staffetta dead ${task} --again --why WHY`,
      does: 'offer it again as before, its attempts forgiven',
    },
    { command: `staffetta offer ${task} --to WHO`, does: 'offer it to somebody else' },
  ];
}
