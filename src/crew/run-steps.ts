/** What the run's own record says of a leg, besides what the journal of its task does. */
import type { TaskId } from '../core/journal/id.ts';
import type { PlannedLeg } from '../core/plan/room.ts';
import type { CarryEvent } from '../core/task/command.ts';
import type { LegOver } from './work-leg.ts';

type RunStep = Extract<CarryEvent, { readonly type: 'run-step' }>;

/** An account that does not say when it can be used again is tried again after this. */
const exhaustedMs = 30 * 60 * 1000;

export function stepsOf(
  { id, agent, runtime }: PlannedLeg & { readonly id: TaskId },
  { exhausted, stalled, advice, kept }: LegOver,
  now: number,
): RunStep[] {
  const about = { type: 'run-step', task: id, agent, ...(runtime === null ? {} : { runtime }) } as const;
  const steps: RunStep[] = [];
  if (kept !== undefined) steps.push({ ...about, what: 'kept', why: kept });
  if (advice !== null) steps.push({ ...about, what: 'advised', why: advice });
  if (stalled)
    steps.push({ ...about, what: 'stalled', why: 'Nothing was seen of it for as long as the crew allows.' });
  if (exhausted !== null)
    steps.push({
      ...about,
      what: 'exhausted',
      until: exhausted.until ?? now + exhaustedMs,
      why: exhausted.until === null ? 'It does not say until when.' : 'It says so.',
    });
  return steps;
}
