import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Head, Lease } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';

/**
 * The states that this process has just stored, so that its next change of the same task need not read them again (20 µs of a
 * transfer). A head's digest stands for the whole journal before it, so a state with the digest of the head
 * is the state, no matter who wrote since. They are frozen: callers get the same object.
 */
const known = new WeakMap<Store, Map<TaskId, Known>>();
const tasksMax = 64;

interface Known {
  readonly state: TaskState;
  /** As the entry left it. It may have been renewed since. */
  readonly lease: Lease | null;
}

export function keepState(store: Store, state: TaskState, lease: Lease | null): void {
  let states = known.get(store);
  if (states === undefined) known.set(store, (states = new Map()));
  states.delete(state.task);
  for (const oldest of states.keys()) {
    if (states.size < tasksMax) break;
    states.delete(oldest);
  }
  states.set(state.task, { state: freezeWhole(state), lease });
}

/** Somebody else has written since. */
export function forgetState(store: Store, task: TaskId): void {
  known.get(store)?.delete(task);
}

export function knownState(store: Store, { task, digest }: Head): TaskState | undefined {
  const state = known.get(store)?.get(task)?.state;
  return state?.head === digest ? state : undefined;
}

/**
 * The head that this process left behind where it was the last to write, if the task stood there as the caller needs it. `record` goes by
 * it and need not read: the append tells whether anybody has written since, and a refusal is looked at again.
 */
export function headLeft(store: Store, task: TaskId, fits: (state: TaskState) => boolean): Head | undefined {
  const left = known.get(store)?.get(task);
  if (left === undefined || !fits(left.state)) return undefined;
  const { seq, head: digest } = left.state;
  return { task, seq, digest, snapshot: '', lease: left.lease };
}

/** The head that it left in a leg. */
export function headInLeg(store: Store, task: TaskId, generation: number): Head | undefined {
  return headLeft(store, task, ({ leg }) => leg?.generation === generation);
}

/** To its last leaf. What is frozen already is so: a state shares most of itself with the one before. */
export function freezeWhole<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) freezeWhole(part as object);
  return Object.freeze(value);
}
