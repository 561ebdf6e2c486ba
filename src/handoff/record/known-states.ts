import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Head } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';

/**
 * The states that this process has just stored, so that its next change of the same task need not read them again (20 µs of a
 * transfer). A head's digest stands for the whole journal before it, so a state with the digest of the head
 * is the state, no matter who wrote since. They are frozen: callers get the same object.
 */
const known = new WeakMap<Store, Map<TaskId, TaskState>>();
const tasksMax = 64;

export function keepState(store: Store, state: TaskState): void {
  let states = known.get(store);
  if (states === undefined) known.set(store, (states = new Map()));
  states.delete(state.task);
  for (const oldest of states.keys()) {
    if (states.size < tasksMax) break;
    states.delete(oldest);
  }
  states.set(state.task, freezeWhole(state));
}

export function knownState(store: Store, { task, digest }: Head): TaskState | undefined {
  const state = known.get(store)?.get(task);
  return state?.head === digest ? state : undefined;
}

/** The head that this process left behind in a leg, where it was the last to write: whether it was, the append tells. */
export function headLeft(store: Store, task: TaskId, generation: number): Head | undefined {
  const state = known.get(store)?.get(task);
  if (state?.leg?.generation !== generation) return undefined;
  const { seq, head: digest, leg } = state;
  return { task, seq, digest, snapshot: '', lease: { generation, until: leg.leaseUntil } };
}

/** To its last leaf. What is frozen already is so: a state shares most of itself with the one before. */
export function freezeWhole<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value;
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) freezeWhole(part as object);
  return Object.freeze(value);
}
