/**
 * Takes one offer after another and runs a handler for each, renewing the lease meanwhile.
 *
 *   handler returns, leg ended     the next offer
 *   handler returns, leg still on  counts as a failed attempt: silence is not an outcome
 *   handler throws                 the attempt failed; the work rests (backoff with jitter) and is offered again, until its
 *                                  attempts are used up and it joins the dead letters
 *   task damaged                   it is passed over, and named once
 *   lease lost                     the handler's signal is aborted; whatever it still writes is refused
 */
import type { Actor } from '../core/task/actor.ts';
import { mailboxesOf } from '../core/task/address.ts';
import { refuseLease } from '../core/decide/guard.ts';
import { isStaffettaError, StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import { leaseMsOf, type Context } from '../handoff/record/context.ts';
import { isDamage, type DamagedTask } from '../handoff/record/damage.ts';
import { idle, keepLease } from '../handoff/record/keep-lease.ts';
import { Leg } from '../handoff/verbs/leg.ts';
import { load } from '../handoff/record/load.ts';
import { recover } from '../handoff/verbs/recover.ts';
import { takeNext } from '../handoff/verbs/take.ts';
import { whyFailed } from './why-failed.ts';

export type Handler = (leg: Leg, signal: AbortSignal) => Promise<unknown>;

export interface WorkerOptions {
  readonly leaseMs?: number;
  /** How long an idle worker waits before it looks again. */
  readonly pollMs?: number;
  /** How often it also puts right what others left: lapsed leases, lost hints. */
  readonly recoverMs?: number;
  /** Hears of every failed attempt. What it throws itself ends the worker, after the leg was given back. */
  readonly onError?: (error: unknown, leg: Leg) => void;
  /** Hears once of each task that is damaged: the worker passes it over and goes on with the others. */
  readonly onDamaged?: (damaged: DamagedTask) => void;
}

export interface Worker {
  /** Works until the signal is aborted, or for ever without one; a leg that is under way is finished first. */
  run(signal?: AbortSignal): Promise<void>;
  /** Works until nothing is offered to this actor. Returns how many legs it carried. */
  drain(): Promise<number>;
  /** Takes and carries one leg, if there is one. */
  once(): Promise<boolean>;
}

export function createWorker(
  context: Context,
  by: Actor,
  options: WorkerOptions & { readonly handler: Handler },
): Worker {
  const leaseMs = options.leaseMs ?? leaseMsOf(context);
  const pollMs = (): number => options.pollMs ?? context.store.pollMs ?? 500;
  const recoverMs = (): number => options.recoverMs ?? Math.max(30_000, 5 * (context.store.pollMs ?? 0));
  const refusal =
    refuseLease(leaseMs) ?? refuseWait('pollMs', pollMs()) ?? refuseWait('recoverMs', recoverMs());
  if (refusal !== undefined) throw refusal;

  const told = new Set<TaskId>();
  const onDamaged = (damaged: DamagedTask): void => {
    if (told.has(damaged.task)) return;
    told.add(damaged.task);
    options.onDamaged?.(damaged);
  };

  const once = async (): Promise<boolean> => {
    const taken = await takeNext(context, { leaseMs, onDamaged }, { by });
    if (taken === undefined) return false;
    await carryOut(context, await Leg.from(context, taken.state, taken.read), { ...options, onDamaged });
    // A store that answers at once would keep timers and signals waiting until the last offer is taken.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return true;
  };

  return {
    once,
    async drain() {
      let legs = 0;
      while (await once()) legs += 1;
      return legs;
    },
    async run(signal = new AbortController().signal) {
      checkSignal(signal);
      let recovered = 0;
      while (!signal.aborted) {
        try {
          const now = context.clock.now();
          if (now - recovered >= recoverMs()) {
            // Of all that share a store one is enough, where the store can say which.
            if ((await context.store.upkeep.turn?.('recover', now, recoverMs())) !== false)
              for (const damaged of (await recover(context)).damaged) onDamaged(damaged);
            recovered = context.clock.now();
          }
          if (await once()) continue;
        } catch (error) {
          // A store that is busy now will not be for ever.
          if (!isStaffettaError(error) || !error.retryable) throw error;
        }
        await idleOrRung({ context, by }, pollMs() * (0.5 + context.entropy.fraction()), signal);
      }
    },
  };
}

/** Until the time is over or something is sent to this actor, whichever comes first. */
async function idleOrRung(
  { context, by }: { readonly context: Context; readonly by: Actor },
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const wake = (): void => over.abort();
  // Not as one signal of two: a worker waits for ever and has one signal, to which Node would tie each wait.
  signal.addEventListener('abort', wake);
  const rung = context.store.bell?.wait(mailboxesOf(by), over.signal).then(wake);
  if (!signal.aborted) await idle(context, ms, over.signal);
  signal.removeEventListener('abort', wake);
  wake();
  await rung;
}

function refuseWait(name: string, ms: number): StaffettaError | undefined {
  if (Number.isFinite(ms) && ms >= 0) return undefined;
  return new StaffettaError('invalid-input', `worker: ${name}: ${ms} is no number of milliseconds to wait.`, {
    hint: 'Give 0 or more.',
  });
}

/** From a caller that no compiler checked. */
function checkSignal(signal: unknown): void {
  if (signal instanceof AbortSignal) return;
  throw new StaffettaError('invalid-input', 'run: expected an AbortSignal, or nothing.', {
    hint: 'Give the signal of an AbortController: run(controller.signal).',
  });
}

async function carryOut(
  context: Context,
  leg: Leg,
  options: WorkerOptions & Required<Pick<WorkerOptions, 'onDamaged'>> & { readonly handler: Handler },
): Promise<void> {
  const { task, generation, leaseMs } = leg;
  const alive = keepLease(context, { task, generation, leaseMs });
  try {
    await options.handler(leg, alive.lost);
    if (await stillHeld(context, leg))
      throw new Error('the handler returned without handing off, submitting, completing or failing');
  } catch (error) {
    try {
      options.onError?.(error, leg);
    } finally {
      await giveUp(leg, error, options.onDamaged);
    }
  } finally {
    await alive.release();
  }
}

async function stillHeld(context: Context, leg: Leg): Promise<boolean> {
  const { state } = await load(context, leg.task);
  return state.leg?.generation === leg.generation;
}

async function giveUp(leg: Leg, error: unknown, onDamaged: (damaged: DamagedTask) => void): Promise<void> {
  try {
    await leg.retry(whyFailed(error));
  } catch (refused) {
    // Ended by the handler before it threw, or lapsed meanwhile: the task is in other hands, which is an answer.
    if (isStaffettaError(refused, 'stale-generation') || isStaffettaError(refused, 'wrong-state')) return;
    if (!isDamage(refused)) throw refused;
    onDamaged({ task: leg.task, why: refused.message });
  }
}
