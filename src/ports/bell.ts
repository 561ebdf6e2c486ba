import type { TaskId } from '../core/journal/id.ts';
import type { Address } from '../core/task/address.ts';

/**
 * Hurries those who wait for work. Nothing depends on it: who waits also looks from time to time, and a bell that is broken is silent.
 * BL1 `wait` returns when its signal is aborted, at once if it is already, and never fails.
 * BL2 A hint that is sent, alone or with an append, on any connection, ends the waits for its address; also one that was sent since this connection waited last.
 * BL3 A wait for other addresses goes on.
 */
export interface Bell {
  wait(addresses: readonly Address[], signal: AbortSignal): Promise<void>;
  /** Undefined where nothing is kept of a call that nobody answered. */
  readonly dead?: DeadRings;
}

/** Called for again and again, and nobody could take it. The task itself is where its journal says. */
export interface DeadRing {
  readonly task: TaskId;
  readonly offer: number;
}

export interface DeadRings {
  /** The oldest of them; none where they cannot be asked for. */
  list(): Promise<readonly DeadRing[]>;
  /** Calls for the task once more, and keeps nothing of it. False: there was nothing to call for. */
  redrive(task: TaskId): Promise<boolean>;
}
