import { defined, filled } from '../../core/base/defined.ts';
import type { Lane } from '../../core/task/actor.ts';
import type { Address } from '../../core/task/address.ts';
import { assert } from '../../core/base/assert.ts';
import type { OfferTerms } from '../../core/task/command.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Trigger } from '../../core/journal/event.ts';
import { claimText, type PacketWords } from '../../core/packet/packet.ts';
import { findingFrom } from '../../core/task/finding-words.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import type { Held } from './carry.ts';
import type { PacketInput } from '../sealing/gather.ts';
import type { Call } from '../record/record.ts';
import { sealAndRecord, type SealedRecord } from '../sealing/sealing.ts';

export interface HandoffInput extends PacketInput {
  readonly to: Address;
  /** What the next leg is for; by default the lane addressed, else the giver's own. */
  readonly lane?: Lane;
  readonly trigger?: Trigger;
  readonly why?: string;
  readonly expiresMs?: number;
}

export interface OutsideHandoff extends HandoffInput {
  /** A person hands over what an agent holds: it need not have been acknowledged, and going back is no bounce. */
  readonly outside?: boolean;
  /** The tool hands it over alone: nobody could be asked for what it lacks. */
  readonly unasked?: boolean;
  /** What somebody said in this call, where the rest was drawn from a session. */
  readonly spoken?: PacketWords;
}

/**
 * Seal, end the leg and offer it, in one entry. From an audit leg, with blockers and to another lane, that sends the work back: the
 * blockers are its findings. If the move would only send unchanged work back, or goes over a cap, the
 * same entry escalates instead: `state.status` is then `escalated`, and a person decides.
 */
export async function handoff(
  context: Context,
  held: Held,
  input: OutsideHandoff,
  call: Call,
): Promise<SealedRecord> {
  const trigger = input.trigger ?? 'planned';
  const terms = (state: TaskState): OfferTerms => offerTerms(input, laneFor(input, state));
  const { to, lane, why, expiresMs, trigger: _trigger, outside = false, unasked, spoken, ...packet } = input;
  const recorded = await sealAndRecord(context, held, {
    occasion: 'handoff',
    input: packet,
    call,
    trigger,
    unasked,
    spoken,
    asked: { to, lane, why, expiresMs, trigger },
    aim: (state) => ({ to, lane: terms(state).lane, why }),
    command: (sealed, state) => ({
      type: 'handoff',
      generation: held.generation,
      offer: terms(state),
      sealed,
      findings: (input.claims?.blockers ?? []).map((blocker) => findingFrom(claimText(blocker))),
      ...filled({ outside }),
    }),
  });
  context.reached('handoff:offered');
  assert(recorded.entry !== null, 'a handoff always writes');
  return recorded;
}

/** An author that gets its work back with findings mends it; anybody else goes on with what the giver did. */
function laneFor({ to, claims }: HandoffInput, { leg, authors }: TaskState): Lane {
  const lane = leg?.lane ?? 'execute';
  const hasFindings = lane === 'audit' && (claims?.blockers ?? []).length > 0;
  return hasFindings && authors.some((author) => to === `agent:${author}`) ? 'execute' : lane;
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
    ...defined({ why: input.why, expiresMs: input.expiresMs }),
  };
}
