import { isStaffettaError } from '../core/error.ts';
import { renewEveryMs } from '../core/lease.ts';
import type { LeaseToKeep } from '../ports/store.ts';
import { renew } from './carry.ts';
import type { Context } from './context.ts';

export type Lease = Omit<LeaseToKeep, 'now'>;

export interface KeptLease {
  /** Aborted once the leg is over. */
  readonly lost: AbortSignal;
  release(): Promise<void> | void;
}

/** Renews a lease until it is released: by the store's own thread where it has one, else by a timer of this event loop. */
export function keepLease(context: Context, lease: Lease): KeptLease {
  const { renewer } = context.store;
  if (renewer !== undefined) return renewer.keep({ ...lease, now: context.clock.now() });
  return keepByTimer(context, lease);
}

function keepByTimer(context: Context, lease: Lease): KeptLease {
  const lost = new AbortController();
  const finished = new AbortController();
  const renewing = renewAgainAndAgain(context, lease, { lost, finished: finished.signal });
  return {
    lost: lost.signal,
    async release() {
      finished.abort();
      await renewing;
    },
  };
}

/** Runs something long under the leg of a holder, whose lease must not run out meanwhile. */
export async function whileHeld<T>(
  context: Context,
  lease: Lease | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (lease === undefined) return await run();
  // What is run is another process: this event loop is free, and needs no thread.
  const kept = keepByTimer(context, lease);
  try {
    return await run();
  } finally {
    await kept.release();
  }
}

async function renewAgainAndAgain(
  context: Context,
  lease: Lease,
  signals: { readonly lost: AbortController; readonly finished: AbortSignal },
): Promise<void> {
  const { task, generation, leaseMs } = lease;
  for (;;) {
    await idle(context, renewEveryMs(leaseMs), signals.finished);
    if (signals.finished.aborted) return;
    try {
      if ((await renew(context, { task, generation }, leaseMs)) !== null) continue;
      signals.lost.abort(new Error(`generation ${generation} of task ${task} is over`));
      return;
    } catch (error) {
      // A busy or failing store now is no reason to stop: the lease still runs, and the next renewal may pass.
      if (!isStaffettaError(error)) throw error;
    }
  }
}

/** Sleeps until the time is over or the signal comes. */
export async function idle(context: Context, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await context.clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
