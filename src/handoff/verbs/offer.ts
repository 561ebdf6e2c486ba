import { defined } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import type { OfferTerms } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
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
  const rung = options.to === undefined ? await ringAgain(context, task, call) : undefined;
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

/** Work that stands on offer, and of which only the call is dead: nothing is to be written, somebody is to be called. */
async function ringAgain(context: Context, task: TaskId, call: Call): Promise<Recorded | undefined> {
  const dead = context.store.bell?.dead;
  if (dead === undefined) return undefined;
  const { state, lease } = await load(context, task);
  if (state.offer === null) return undefined;
  const isCalled =
    call.dryRun === true ? (await dead.list()).some((ring) => ring.task === task) : await dead.redrive(task);
  return isCalled ? { state, entry: null, leaseUntil: lease?.until ?? null, repeated: false } : undefined;
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
