import type { Entry } from '../journal/entry.ts';
import type { EventOf } from '../journal/event.ts';
import { sameMark, type Custody, type Status, type TaskState } from '../task/state.ts';
import { law } from './law.ts';
import { withoutApproval } from './review.ts';

export function foldOfferMade(state: TaskState, event: EventOf<'offer-made'>, entry: Entry): TaskState {
  law(state.leg === null, 'work is offered only when nobody holds it.');
  law(state.offer === null, 'one offer stands at a time.');
  law(event.offer === state.offers + 1, 'offers are counted without gaps.');
  law(event.packet === state.packet, 'an offer carries the latest packet.');
  const custody = state.custody;
  const handed = event.cause === 'handoff' && custody !== null;
  // The giver keeps its say when an expired offer is made again; a holder that fell silent or failed has none.
  const giver = event.cause === 'expiry' ? state.giver : giverOf(event, entry);
  return {
    ...withoutApproval(state),
    status: offerStatus(event.cause, state.unmet.length > 0),
    offers: event.offer,
    attempts: event.attempt - 1,
    dead: null,
    escalation: null,
    submission: null,
    declined: null,
    giver,
    offer: {
      offer: event.offer,
      to: event.to,
      lane: event.lane,
      packet: event.packet,
      cause: event.cause,
      trigger: event.trigger ?? null,
      attempt: event.attempt,
      by: giver ?? entry.by.name,
      at: entry.at,
      notBefore: event.notBefore ?? null,
      expiresMs: event.expiresMs ?? null,
      expiresAt:
        event.expiresMs === undefined ? null : Math.max(entry.at, event.notBefore ?? 0) + event.expiresMs,
      notTo: handed && sameMark(custody.mark, state.mark) ? bouncedTo(custody) : null,
      declinedBy: [],
    },
  };
}

/** An agent that goes on with its own work, after a limit or a crash, returns it to nobody. */
function bouncedTo({ from, agent }: Custody): string | null {
  return from === agent ? null : from;
}

function giverOf(event: EventOf<'offer-made'>, entry: Entry): string | null {
  return event.cause === 'lapse' || event.cause === 'retry' || entry.by.kind === 'system'
    ? null
    : entry.by.name;
}

export function offerStatus(cause: EventOf<'offer-made'>['cause'], blocked: boolean): Status {
  if (blocked) return 'blocked';
  if (cause === 'review') return 'rework';
  return cause === 'lapse' ? 'lapsed' : 'offered';
}

/** Withdrawn or expired: nobody is asked any more, and nobody holds it. */
export function offerClosed(state: TaskState, offer: number, status: Status): TaskState {
  law(state.offer?.offer === offer, `offer ${offer} stands.`);
  return { ...state, status, offer: null };
}

/**
 * Before accepting, or by the receiver that looked inside and found it wanting. One of several who were asked only takes
 * itself out: the others have not answered yet.
 */
export function offerDeclined(state: TaskState, event: EventOf<'offer-declined'>, entry: Entry): TaskState {
  const { offer } = state;
  if (offer === null) {
    law(state.leg === null && event.offer <= state.offers, `offer ${event.offer} was made.`);
    return { ...state, status: 'declined' };
  }
  law(offer.offer === event.offer, `offer ${event.offer} stands.`);
  if (offer.to.startsWith('agent:')) {
    return { ...state, status: 'declined', offer: null, declined: { to: offer.to, lane: offer.lane } };
  }
  return { ...state, offer: { ...offer, declinedBy: [...offer.declinedBy, entry.by.name] } };
}

export function offerDead(state: TaskState, event: EventOf<'offer-dead'>, entry: Entry): TaskState {
  law(state.leg === null && state.offer === null, 'a dead letter is neither held nor offered.');
  return {
    ...state,
    status: 'escalated',
    attempts: event.attempts,
    dead: {
      to: event.to,
      lane: event.lane,
      packet: event.packet,
      attempts: event.attempts,
      why: event.why,
      at: entry.at,
    },
  };
}
