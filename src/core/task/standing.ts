import { isFinal, type TaskState } from './state.ts';

/**
 * A lease of generation 0 is nobody's leg. A store keeps it beside the head of a journal that was written elsewhere, or that
 * somebody outside of it has just come to rely on; `until` is when that was. Sweeping takes such a time for a touch.
 */
export const nobodysGeneration = 0;

interface LeaseBeside {
  readonly generation: number;
  readonly until: number;
}

/** When the task was last touched from outside its journal. */
export function touchedAt(lease: LeaseBeside | null): number | null {
  return lease?.generation === nobodysGeneration ? lease.until : null;
}

/** The lease of a leg; nobody's lease is not shown to anybody. */
export function legLease<T extends LeaseBeside>(lease: T | null): T | null {
  return lease?.generation === nobodysGeneration ? null : lease;
}

/**
 * How a task stands in this store. A copy of a task that is not over stands nowhere: its holder, or the one it is offered to, is
 * elsewhere, and nothing can happen to it here. What is over is over everywhere.
 */
export function standingHere(state: TaskState, lease: LeaseBeside | null): TaskState {
  if (isFinal(state) || (touchedAt(lease) === null && state.away === undefined)) return state;
  return { ...state, status: 'elsewhere', leg: null, offer: null };
}
