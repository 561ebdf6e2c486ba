import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { renewEveryMs } from '../../core/task/lease.ts';
import { limits } from '../../core/base/limits.ts';
import type { LeaseToKeep } from '../../ports/store.ts';
import { renew } from '../verbs/carry.ts';
import type { Context } from './context.ts';

export type LeaseKept = Omit<LeaseToKeep, 'now'>;

export interface KeptLease {
  /** Aborted once the leg is over. */
  readonly lost: AbortSignal;
  release(): Promise<void> | void;
}

/** Renews a lease until it is released: by the store's own thread where it has one, else by a timer of this event loop. */
export function keepLease(context: Context, lease: LeaseKept): KeptLease {
  const { renewer } = context.store;
  if (renewer !== undefined) return renewer.keep({ ...lease, now: context.clock.now() });
  return keepByTimer(context, lease);
}

function keepByTimer(context: Context, lease: LeaseKept): KeptLease {
  const lost = new AbortController();
  const finished = new AbortController();
  const renewing = renewAgainAndAgain(context, lease, { lost, finished: finished.signal });
  return {
    lost: lost.signal,
    async release() {
      finished.abort('finished');
      await renewing;
    },
  };
}

/**
 * Runs something long under the leg of a holder, whose lease must not run out meanwhile. Where the leg is lost all the same, because
 * a person or another clock ended it, what runs is told to stop, and whatever it answers then is not this leg's: the call fails.
 */
export async function whileHeld<T>(
  context: Context,
  lease: LeaseKept | undefined,
  run: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  if (lease === undefined) return await run(new AbortController().signal);
  if (!(await isLegHeld(context, lease))) throw lostLeg(lease);
  // What is run is another process: this event loop is free, and needs no thread.
  const kept = keepByTimer(context, lease);
  const [ran] = await Promise.allSettled([run(kept.lost)]);
  await kept.release();
  if (kept.lost.aborted) throw lostLeg(lease);
  if (ran.status === 'rejected') throw ran.reason;
  return ran.value;
}

async function isLegHeld(
  context: Context,
  { task, generation }: Omit<LeaseKept, 'leaseMs'>,
): Promise<boolean> {
  return (await context.store.journal.head(task))?.lease?.generation === generation;
}

function lostLeg({ task, generation }: LeaseKept): StaffettaError {
  return new StaffettaError(
    'stale-generation',
    `Generation ${generation} of task ${task} no longer holds it: the leg ended while its work was under way. What was running was stopped, and nothing of it was recorded.`,
    {
      details: { task, yours: generation },
      hint: `Stop working on this task. Take it again if it is offered to you. See: staffetta show ${task}`,
    },
  );
}

/** Looks more often than it renews: a leg may be lost at any time, and two would change one workspace. */
async function renewAgainAndAgain(
  context: Context,
  lease: LeaseKept,
  signals: { readonly lost: AbortController; readonly finished: AbortSignal },
): Promise<void> {
  const { task, generation, leaseMs } = lease;
  const renewMs = renewEveryMs(leaseMs);
  // Each look goes over the network: as seldom as a tenth of its lease, where every leg of a machine would ask each second.
  const lookMs = Math.max(limits.lossLookMs, (context.store.leaseMs ?? 0) / 10);
  let waitedMs = 0;
  for (;;) {
    const waitMs = Math.min(renewMs - waitedMs, lookMs);
    await idle(context, waitMs, signals.finished);
    if (signals.finished.aborted) return;
    waitedMs += waitMs;
    const due = waitedMs >= renewMs;
    // What fails is tried again by the next look, not by the next renewal.
    if (due) waitedMs -= waitMs;
    try {
      const held = due
        ? (await renew(context, { task, generation }, leaseMs)) !== null
        : await isLegHeld(context, lease);
      if (held && due) waitedMs = 0;
      if (held) continue;
      signals.lost.abort(new Error(`generation ${generation} of task ${task} is over`));
      return;
    } catch (error) {
      // A busy or failing store now is no reason to stop: the lease still runs, and the next look may pass.
      if (!isStaffettaError(error)) throw error;
    }
  }
}

/** Sleeps until the time is over or the signal comes. */
export async function idle(
  { clock }: Pick<Context, 'clock'>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
