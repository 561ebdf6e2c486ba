import { mayDirect, type Lane } from '../task/actor.ts';
import { addressedLane, isAddressedTo, type Address } from '../task/address.ts';
import type { Asked, Command, Decision, OfferTerms, Sealed } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import { reasonVersion } from '../journal/event-versions.ts';
import type { EscalationReason, Event, EventOf, OfferCause } from '../journal/event.ts';
import { isExpired, isPausedForGood, isResting } from '../task/lapse.ts';
import { timeText } from '../task/lease.ts';
import type { TaskState } from '../task/state.ts';
import { counted } from '../base/counted.ts';
import { defined } from '../base/defined.ts';
import { cut } from '../base/text.ts';
import type { WorkStart } from '../task/start.ts';
import {
  isOneOf,
  refuseFinal,
  refuseFull,
  refuseLease,
  refuseLost,
  refuseNonHolder,
  someOf,
  standingDetails,
  wrongState,
} from './guard.ts';
import { spentBudget } from './budget.ts';
import { refuseTaker } from './edges.ts';
import { notAddressed } from './not-addressed.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function offerEvent(
  state: Pick<TaskState, 'offers' | 'packet'>,
  cause: OfferCause,
  offer: OfferTerms & { readonly attempt?: number },
): EventOf<'offer-made'> {
  return {
    type: 'offer-made',
    v: 1,
    offer: state.offers + 1,
    to: offer.to,
    lane: offer.lane,
    packet: state.packet,
    cause,
    attempt: offer.attempt ?? 1,
    ...defined({
      trigger: offer.trigger,
      why: offer.why,
      notBefore: offer.notBefore,
      expiresMs: offer.expiresMs,
    }),
  };
}

export function sealedEvent(state: Pick<TaskState, 'packet'>, sealed: Sealed): EventOf<'checkpoint-sealed'> {
  return {
    type: 'checkpoint-sealed',
    v: 1,
    packet: sealed.packet,
    parent: state.packet,
    certification: sealed.certification,
    ...defined({ workspace: sealed.workspace, findings: sealed.findings }),
    ...(sealed.demands === undefined || sealed.demands.length === 0 ? {} : { demands: [...sealed.demands] }),
  };
}

export function escalatedEvent(reason: EscalationReason, text: string): EventOf<'escalated'> {
  return { type: 'escalated', v: reasonVersion(reason), reason, text };
}

/** An offer of work that nobody holds: the first one, or a new one after a refusal. */
export function decideOffer(state: TaskState, command: Of<'offer'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (!isOneOf(state.status, ['open', 'declined', 'escalated']))
    return wrongState(state, asked, 'only open, declined or escalated work can be offered.');
  const { by } = asked;
  if (!mayDirect(by) && state.status === 'escalated') {
    return new StaffettaError(
      'denied',
      `Task ${state.task} waits for a decision by a person or a supervisor.`,
      {
        details: standingDetails(state, asked),
        hint: 'Ask one of them to offer it, or take other work.',
      },
    );
  }
  if (!mayDirect(by) && by.name !== state.openedBy && by.name !== state.custody?.agent) {
    return new StaffettaError('denied', `${by.name} neither opened nor last held task ${state.task}.`, {
      details: standingDetails(state, asked),
      hint: 'Its opener, its last holder, a supervisor or a person can offer it.',
    });
  }
  const lost = refuseLost(state.task, command.lost);
  if (lost !== undefined) return lost;
  // Only a person or a supervisor forgives attempts.
  const attempt = mayDirect(by) ? 1 : state.attempts + 1;
  return [offerEvent(state, state.generation === 0 ? 'opened' : 'redrive', { ...command.offer, attempt })];
}

/** A giver that withdraws carries on under a new generation; anyone else leaves the task open. */
export function decideWithdraw(state: TaskState, command: Of<'withdraw'>, asked: Asked): Decision {
  const refusal = refuseFinal(state, asked) ?? refuseLease(command.leaseMs);
  if (refusal !== undefined) return refusal;
  if (state.offer === null) return wrongState(state, asked, 'there is no offer to withdraw.');
  const { by, now } = asked;
  const giver = state.giver === by.name;
  if (!giver && !mayDirect(by)) {
    return new StaffettaError(
      'denied',
      `Only ${state.offer.by}, a supervisor or a person can withdraw this offer.`,
      {
        details: standingDetails(state, asked),
        hint: `Leave them a message: staffetta tell ${state.task} TEXT`,
      },
    );
  }
  const withdrawn: Event = {
    type: 'offer-withdrawn',
    v: 1,
    offer: state.offer.offer,
    ...defined({ why: command.why }),
  };
  const resumes =
    giver && state.offer.cause === 'handoff' && state.custody?.agent === by.name && state.unmet.length === 0;
  if (!resumes) return [withdrawn];
  return [
    withdrawn,
    legStartEvent(state, { lane: state.custody.lane, leaseMs: command.leaseMs, now, offer: null }),
  ];
}

export function legStartEvent(
  state: Pick<TaskState, 'generation'>,
  leg: {
    readonly lane: Lane;
    readonly leaseMs: number;
    readonly now: number;
    readonly offer: number | null;
    readonly start?: WorkStart | undefined;
  },
): EventOf<'leg-started'> {
  return {
    type: 'leg-started',
    v: 1,
    generation: state.generation + 1,
    offer: leg.offer,
    lane: leg.lane,
    leaseMs: leg.leaseMs,
    leaseUntil: leg.now + leg.leaseMs,
    ...defined({ start: leg.start }),
  };
}

export function decideAccept(state: TaskState, command: Of<'accept'>, asked: Asked): Decision {
  const { by, now } = asked;
  const refusal = refuseFinal(state, asked) ?? refuseLease(command.leaseMs);
  if (refusal !== undefined) return refusal;
  const { offer, leg } = state;
  if (leg !== null) {
    const until = asked.leaseUntil === null ? '' : ` until ${timeText(asked.leaseUntil)}`;
    return new StaffettaError('held', `Task ${state.task} is held by ${leg.holder.name}${until}.`, {
      details: standingDetails(state, asked),
      hint: 'Wait for it to be offered, or take another task.',
    });
  }
  if (offer === null) return wrongState(state, asked, 'it is not on offer.');
  if (command.offer !== null && command.offer !== offer.offer) {
    return new StaffettaError(
      'unknown-offer',
      command.offer > state.offers
        ? `Task ${state.task} has had no offer ${command.offer}; offer ${offer.offer} stands.`
        : `Offer ${command.offer} of task ${state.task} is over; offer ${offer.offer} stands.`,
      {
        details: { ...standingDetails(state, asked), offer: offer.offer },
        hint: `See what it asks now, then take that one: staffetta show ${state.task}`,
      },
    );
  }
  if (offer.declinedBy.includes(by.name)) {
    return new StaffettaError(
      'not-addressed',
      `${by.name} declined offer ${offer.offer} of task ${state.task}.`,
      {
        details: standingDetails(state, asked),
        hint: 'It stands for the others; ask for a new offer if you can take it now.',
      },
    );
  }
  if (!isAddressedTo(offer.to, offer.lane, by)) return notAddressed(state, offer, asked);
  const taker = refuseTaker(state, offer, by);
  if (taker !== undefined) return taker;
  const done = new Set(command.met);
  const unmet = state.unmet.filter((need) => !done.has(need));
  if (unmet.length > 0) {
    return new StaffettaError('needs-unmet', `Task ${state.task} waits for ${someOf(unmet)}.`, {
      details: { ...standingDetails(state, asked), unmet },
      hint: 'It can be taken when those tasks are done.',
    });
  }
  if (isResting(offer.notBefore, now)) {
    return new StaffettaError(
      'too-early',
      isPausedForGood(offer.notBefore, now)
        ? `Task ${state.task} is paused.`
        : `Task ${state.task} rests until ${timeText(offer.notBefore)}${offer.cause === 'retry' ? ' after a failed attempt' : ''}.`,
      {
        details: { ...standingDetails(state, asked), notBefore: offer.notBefore },
        hint: `${isPausedForGood(offer.notBefore, now) ? '' : 'Try again then, or wait for it: staffetta take --wait TIME. '}A person ends a pause with: staffetta continue ${state.task}`,
      },
    );
  }
  if (offer.expiresAt !== null && isExpired(offer.expiresAt, now)) {
    return new StaffettaError(
      'unknown-offer',
      `Offer ${offer.offer} of task ${state.task} expired at ${timeText(offer.expiresAt)}.`,
      {
        details: standingDetails(state, asked),
        hint: 'Run: staffetta recover',
      },
    );
  }
  if (offer.notTo === by.name) {
    return new StaffettaError(
      'bounce',
      `${by.name} handed this task to ${offer.by}, and nothing has changed since.`,
      {
        details: standingDetails(state, asked),
        hint: `Another agent can take it, or a person can decide: staffetta resume ${state.task} --in PROGRAM`,
      },
    );
  }
  const met: Event[] = state.unmet.map((task) => ({ type: 'need-met', v: 1, task }));
  const { leaseMs, start } = command;
  return [...met, legStartEvent(state, { lane: offer.lane, leaseMs, now, offer: offer.offer, start })];
}

export function decideDecline(state: TaskState, command: Of<'decline'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  const { by } = asked;
  const declined = (offer: number): Event => ({
    type: 'offer-declined',
    v: 1,
    offer,
    reasons: [...command.reasons],
  });
  if (state.leg !== null) {
    const refusal = refuseNonHolder(state, asked, command.generation ?? state.generation);
    if (refusal !== undefined) return refusal;
    if (state.leg.acknowledged)
      return wrongState(
        state,
        asked,
        'it was acknowledged, and can no longer be declined. Hand it off, or escalate it, instead.',
      );
    return [
      { type: 'leg-ended', v: 1, generation: state.generation, outcome: 'declined' },
      declined(state.offers),
    ];
  }
  if (state.offer === null) return wrongState(state, asked, 'there is no offer to decline.');
  if (!isAddressedTo(state.offer.to, state.offer.lane, by)) return notAddressed(state, state.offer, asked);
  if (state.offer.declinedBy.includes(by.name)) return [];
  return refuseFull(state, state.offer.declinedBy.length, 'refusals') ?? [declined(state.offer.offer)];
}

/** Work that failed to be carried goes out again, until its attempts are used up and a person must look. */
export function offerAgain(
  state: TaskState,
  cause: OfferCause,
  again: {
    readonly to: Address;
    readonly lane: Lane;
    readonly why: string;
    readonly notBefore?: number;
    readonly expiresMs?: number;
    readonly now: number;
  },
): Event[] {
  const attempts = state.attempts + 1;
  if (attempts >= state.terms.attemptsMax) {
    const text = `${counted(attempts, 'attempt')} failed; the last: ${cut(again.why, 4000)}`;
    return [
      {
        type: 'offer-dead',
        v: 1,
        to: again.to,
        lane: again.lane,
        packet: state.packet,
        attempts,
        why: again.why,
      },
      escalatedEvent('attempts-cap', text),
    ];
  }
  const spent = spentBudget(state, again.now);
  if (spent !== undefined) return [escalatedEvent('budget', spent)];
  return [offerEvent(state, cause, { ...again, attempt: attempts + 1 })];
}

export function decideExpire(state: TaskState, asked: Asked): Decision {
  const { offer } = state;
  // A blocked offer cannot be taken, so it cannot be late.
  if (
    offer === null ||
    state.status === 'blocked' ||
    offer.expiresAt === null ||
    !isExpired(offer.expiresAt, asked.now)
  ) {
    return wrongState(state, asked, 'no offer of it has expired.');
  }
  const why = `Nobody took offer ${offer.offer} in time.`;
  const expiresMs = offer.expiresMs ?? undefined;
  const again = { to: offer.to, lane: offer.lane, why, now: asked.now, ...defined({ expiresMs }) };
  return [{ type: 'offer-expired', v: 1, offer: offer.offer }, ...offerAgain(state, 'expiry', again)];
}

/** Dead letters, declined and escalated work go out again with their attempts forgiven. */
export function decideRedrive(state: TaskState, command: Of<'redrive'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (!isOneOf(state.status, ['escalated', 'declined']))
    return wrongState(state, asked, 'only escalated or declined work is re-driven.');
  if (!mayDirect(asked.by)) {
    return new StaffettaError('denied', `Re-driving task ${state.task} takes a person or a supervisor.`, {
      details: standingDetails(state, asked),
      hint: `Ask one of them, and say why: staffetta tell ${state.task} TEXT`,
    });
  }
  const lost = refuseLost(state.task, command.lost);
  if (lost !== undefined) return lost;
  const before = state.dead?.lane ?? state.declined?.lane ?? state.custody?.lane ?? 'execute';
  const to = command.to ?? state.dead?.to ?? state.declined?.to ?? `lane:${before}`;
  // Nobody in another lane could take what is offered to a lane.
  const lane = addressedLane(to) ?? before;
  return [offerEvent(state, 'redrive', { to, lane, ...defined({ why: command.why }) })];
}
