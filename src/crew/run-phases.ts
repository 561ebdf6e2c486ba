/** The phases of a plan are phases of its run: verified when their tasks are over, and approved by a person where the plan asks for one. */
import type { NamedTask, PlanPhase } from '../core/plan/work-plan.ts';
import type { Status, TaskState } from '../core/task/state.ts';
import type { Leg } from '../handoff/verbs/leg.ts';

export interface PhasesNow {
  readonly phases: readonly PlanPhase[];
  readonly runState: TaskState;
  /** Whether every task of a phase is over. */
  readonly isOver: (phase: string) => boolean;
}

/** One step: the run is looked at again when that is on record. */
export async function advancePhases(leg: Leg, { phases, runState, isOver }: PhasesNow): Promise<void> {
  for (const { name, human } of phases) {
    const known = runState.phases.find((phase) => phase.name === name);
    if (known?.status === 'verified') {
      if (human === true && known.approved === undefined) return;
      continue;
    }
    if (!isOver(name)) return;
    if (known?.status !== 'started') await leg.startPhase(name);
    await leg.verifyPhase(name, { because: `Every task of ${name} is over.` });
    return;
  }
}

/** Says of a phase whether every task of it is over. */
export function phasesOver(
  tasks: Iterable<NamedTask>,
  statuses: ReadonlyMap<string, Status>,
): (phase: string) => boolean {
  const open = new Set<string>();
  for (const { name, phase } of tasks)
    if (phase !== undefined && !isSettled(statuses.get(name))) open.add(phase);
  return (phase) => !open.has(phase);
}

/** Nothing of the task is left for its phase. One that failed keeps its phase open until a person decides. */
function isSettled(status: Status | undefined): boolean {
  return status === 'done' || status === 'cancelled';
}

export function arePhasesOver(phases: readonly PlanPhase[] = [], runState: TaskState | undefined): boolean {
  return phases.every(({ name, human }) => {
    const known = runState?.phases.find((phase) => phase.name === name);
    return known?.status === 'verified' && (human !== true || known.approved !== undefined);
  });
}
