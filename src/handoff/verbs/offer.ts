import { defined } from '../../core/base/defined.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { mayDirect } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import type { OfferTerms } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { TaskState } from '../../core/task/state.ts';
import { leaseMsOf, type Context } from '../record/context.ts';
import { load } from '../record/load.ts';
import { lostNeeds } from './needs.ts';
import { record, type Call, type Recorded } from '../record/record.ts';

/** Offers work that nobody holds. */
export async function offer(
  context: Context,
  task: TaskId,
  terms: OfferTerms,
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { offer: terms },
    prepare: async (state) => ({
      command: { type: 'offer', offer: terms, lost: await lostNeeds(context, state?.unmet) },
    }),
  });
}

interface RedriveOptions {
  readonly to?: Address;
  readonly why?: string;
}

/** Dead letters, escalated and declined work go out again. */
export async function redrive(
  context: Context,
  task: TaskId,
  options: RedriveOptions,
  call: Call,
): Promise<Recorded> {
  const rung = options.to === undefined ? await ringAgain(context, task, options, call) : undefined;
  if (rung !== undefined) return rung;
  return await record(context, {
    task,
    call,
    request: { redrive: options },
    prepare: async (state) => ({
      command: { type: 'redrive', ...options, lost: await lostNeeds(context, state?.unmet) },
    }),
  });
}

/** Work that stands on offer, and of which only the call is dead. Who had it called again, and why, is told to its receiver; then it is called. */
async function ringAgain(
  context: Context,
  task: TaskId,
  options: RedriveOptions,
  call: Call,
): Promise<Recorded | undefined> {
  const dead = context.store.bell?.dead;
  if (dead === undefined || !(await dead.list()).some((ring) => ring.task === task)) return undefined;
  const { state } = await load(context, task);
  if (state.offer === null) return undefined;
  refuseUndirected(state, call, 'Having somebody called again');
  const text = `Called again${options.why === undefined ? '.' : `: ${options.why}`}`;
  const recorded = await record(context, {
    task,
    call,
    request: { redrive: options },
    prepare: () => ({ command: { type: 'message', text } }),
  });
  if (call.dryRun !== true) await dead.redrive(task);
  return recorded;
}

export function refuseUndirected({ task }: TaskState, { by }: Call, what: string): void {
  if (mayDirect(by)) return;
  throw new StaffettaError('denied', `${what} takes a person or a supervisor.`, {
    details: { task },
    hint: `Ask one of them, and say why: staffetta tell ${task} TEXT`,
  });
}

export async function withdraw(
  context: Context,
  task: TaskId,
  options: { readonly why?: string; readonly leaseMs?: number },
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { withdraw: options },
    prepare: () => ({
      command: {
        type: 'withdraw',
        leaseMs: options.leaseMs ?? leaseMsOf(context),
        ...defined({ why: options.why }),
      },
    }),
  });
}
