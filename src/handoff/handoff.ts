import type { Lane } from '../core/actor.ts';
import type { Address } from '../core/address.ts';
import { assert } from '../core/assert.ts';
import type { OfferTerms } from '../core/command.ts';
import { StaffettaError } from '../core/error.ts';
import type { Trigger } from '../core/event.ts';
import type { TaskId } from '../core/id.ts';
import type { Context } from './context.ts';
import { record, type Call, type Recorded } from './record.ts';
import { gather, seal, type PacketInput } from './seal.ts';

export interface HandoffInput extends PacketInput {
  readonly to: Address;
  /** What the next leg is for; by default the lane addressed, else the giver's own. */
  readonly lane?: Lane;
  readonly trigger?: Trigger;
  readonly why?: string;
  readonly expiresMs?: number;
}

/**
 * Seal, end the leg and offer it, in one entry. If the move would only send unchanged work back, or goes over a cap, the
 * same entry escalates instead: `state.status` is then `escalated`, and a person decides.
 */
export async function handoff(
  context: Context,
  task: TaskId,
  generation: number,
  input: HandoffInput,
  call: Call,
): Promise<Recorded> {
  const material = await gather(context, input, call.dryRun);
  const recorded = await record(context, {
    task,
    call,
    request: { handoff: { ...input, transcript: material.chunks }, generation },
    prepare: (state, now) => {
      const offer = offerTerms(input, state?.leg?.lane ?? 'execute');
      if (state === undefined) return { command: { type: 'handoff', generation, offer, sealed: null } };
      const occasion = { trigger: input.trigger ?? 'planned', to: offer.to, lane: offer.lane };
      const { sealed, blobs } = seal(context, material, { state, now, call, occasion });
      return { command: { type: 'handoff', generation, offer, sealed }, blobs };
    },
  });
  context.reached('handoff:offered');
  assert(recorded.entry !== null, 'a handoff always writes');
  return recorded;
}

function offerTerms(input: HandoffInput, ownLane: Lane): OfferTerms {
  const addressed = input.to.startsWith('lane:') ? (input.to.slice(5) as Lane) : undefined;
  if (addressed !== undefined && input.lane !== undefined && input.lane !== addressed) {
    throw new StaffettaError('invalid-input', `${input.to} cannot take a leg in the ${input.lane} lane.`, {
      hint: 'Leave the lane out, or address an agent, a runtime or anyone.',
    });
  }
  return {
    to: input.to,
    lane: input.lane ?? addressed ?? ownLane,
    trigger: input.trigger ?? 'planned',
    ...(input.why === undefined ? {} : { why: input.why }),
    ...(input.expiresMs === undefined ? {} : { expiresMs: input.expiresMs }),
  };
}
