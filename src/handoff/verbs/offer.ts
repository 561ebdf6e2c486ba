import { defined } from '../../core/base/defined.ts';
import type { Address } from '../../core/task/address.ts';
import type { OfferTerms } from '../../core/task/command.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { leaseMsOf, type Context } from '../record/context.ts';
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

/** Dead letters, escalated and declined work go out again. */
export async function redrive(
  context: Context,
  task: TaskId,
  options: { readonly to?: Address; readonly why?: string },
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { redrive: options },
    prepare: async (state) => ({
      command: { type: 'redrive', ...options, lost: await lostNeeds(context, state?.unmet) },
    }),
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
