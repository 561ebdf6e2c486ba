/** The leg of a session that is over goes on offer again, with what was sealed last: nobody is left who could hand it on. */
import { defined } from '../../core/base/defined.ts';
import type { Actor, Lane } from '../../core/task/actor.ts';
import { addressedLane, type Address } from '../../core/task/address.ts';
import type { Trigger } from '../../core/journal/event.ts';
import type { Held } from './carry.ts';
import type { Context } from '../record/context.ts';
import { record, type Recorded } from '../record/record.ts';

export interface Leaving {
  readonly to: Address;
  readonly trigger: Trigger;
  readonly why: string;
  readonly notBefore?: number;
  /** The one of the leg, unless told. */
  readonly lane?: Lane;
  /** A person has decided it: moving in circles is no reason to ask one. */
  readonly outside?: true;
}

export async function leave(
  context: Context,
  { task, generation, holder }: Held & { readonly holder: Actor },
  { to, trigger, why, outside, notBefore, lane }: Leaving,
): Promise<Recorded> {
  return await record(context, {
    task,
    call: { by: holder },
    request: { leave: { to, trigger, why, ...defined({ notBefore, lane }) }, generation },
    prepare: (state) => ({
      command: {
        type: 'handoff',
        generation,
        offer: {
          to,
          lane: addressedLane(to) ?? lane ?? state?.leg?.lane ?? 'execute',
          trigger,
          why,
          ...defined({ notBefore }),
        },
        sealed: null,
        left: true,
        ...defined({ outside }),
      },
    }),
  });
}
