import type { Entry } from '../entry.ts';
import type { EventOf } from '../event.ts';
import { sameMark, type Status, type TaskState } from '../state.ts';
import { law, lawNotFinal } from './law.ts';

export function offerMade(state: TaskState, event: EventOf<'offer-made'>, entry: Entry): TaskState {
  lawNotFinal(state);
  law(state.leg === null, 'work is offered only when nobody holds it.');
  law(state.offer === null, 'one offer stands at a time.');
  law(event.offer === state.offers + 1, 'offers are counted without gaps.');
  law(event.packet === state.packet, 'an offer carries the latest packet.');
  const custody = state.custody;
  const handed = event.cause === 'handoff' && custody !== null;
  return {
    ...state,
    status: offerStatus(event.cause, state.unmet.length > 0),
    offers: event.offer,
    attempts: event.attempt - 1,
    dead: null,
    escalation: null,
    submission: null,
    offer: {
      offer: event.offer,
      to: event.to,
      lane: event.lane,
      packet: event.packet,
      cause: event.cause,
      trigger: event.trigger ?? null,
      attempt: event.attempt,
      by: entry.by.name,
      at: entry.at,
      notBefore: event.notBefore ?? null,
      expiresMs: event.expiresMs ?? null,
      expiresAt:
        event.expiresMs === undefined ? null : Math.max(entry.at, event.notBefore ?? 0) + event.expiresMs,
      notTo: handed && sameMark(custody.mark, state.mark) ? custody.from : null,
    },
  };
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

/** Before accepting, or by the receiver that looked inside and found it wanting. */
export function offerDeclined(state: TaskState, event: EventOf<'offer-declined'>): TaskState {
  law(
    state.offer?.offer === event.offer || (state.leg === null && event.offer <= state.offers),
    `offer ${event.offer} was made.`,
  );
  return { ...state, status: 'declined', offer: null };
}

export function offerDead(state: TaskState, event: EventOf<'offer-dead'>, entry: Entry): TaskState {
  lawNotFinal(state);
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
