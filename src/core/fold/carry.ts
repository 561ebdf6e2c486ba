import type { Entry } from '../entry.ts';
import type { EventOf } from '../event.ts';
import type { Mark, TaskState } from '../state.ts';
import { law, lawNotFinal } from './law.ts';
import { offerStatus } from './offers.ts';

/** The part of a mark that counts; a workspace is compared, not counted. */
type Counted = Exclude<keyof Mark, 'workspace'>;

export function bump(mark: Mark, what: Counted): Mark {
  return { ...mark, [what]: mark[what] + 1 };
}

export function decisionMade(state: TaskState, event: EventOf<'decision-made'>): TaskState {
  law(event.decision === state.decisions + 1, 'decisions are counted without gaps.');
  return { ...state, decisions: event.decision, mark: bump(state.mark, 'decisions') };
}

export function decisionRaised(state: TaskState, event: EventOf<'decision-raised'>, entry: Entry): TaskState {
  law(event.decision === state.decisions + 1, 'decisions are counted without gaps.');
  const raised = {
    decision: event.decision,
    question: event.question,
    owner: event.owner ?? null,
    seq: entry.seq,
  };
  return { ...state, decisions: event.decision, raised: [...state.raised, raised] };
}

export function decisionAnswered(state: TaskState, event: EventOf<'decision-answered'>): TaskState {
  const raised = state.raised.filter((open) => open.decision !== event.decision);
  law(raised.length < state.raised.length, `question ${event.decision} is open.`);
  return { ...state, raised, mark: bump(state.mark, 'decisions') };
}

export function progressMoved(state: TaskState, event: EventOf<'progress-moved'>): TaskState {
  return {
    ...state,
    progress: { at: event.at, of: event.of ?? null, unit: event.unit ?? null, cursor: event.cursor ?? null },
    mark: bump(state.mark, 'progress'),
  };
}

export function messageLeft(state: TaskState, entry: Entry): TaskState {
  lawNotFinal(state);
  return { ...state, unread: [...state.unread, entry.seq], mark: bump(state.mark, 'messages') };
}

export function messagesRead(state: TaskState, event: EventOf<'messages-read'>): TaskState {
  return { ...state, unread: state.unread.filter((seq) => seq > event.through) };
}

export function needMet(state: TaskState, event: EventOf<'need-met'>): TaskState {
  lawNotFinal(state);
  law(state.unmet.includes(event.task), `${event.task} is needed and unmet.`);
  const unmet = state.unmet.filter((need) => need !== event.task);
  const freed = state.status === 'blocked' && state.offer !== null && unmet.length === 0;
  return { ...state, unmet, status: freed ? offerStatus(state.offer.cause, false) : state.status };
}

export function contractAmended(state: TaskState, event: EventOf<'contract-amended'>): TaskState {
  lawNotFinal(state);
  const known = new Set(state.terms.needs);
  const added = event.terms.needs.filter((need) => !known.has(need));
  const unmet = [...state.unmet.filter((need) => event.terms.needs.includes(need)), ...added];
  const blocked = state.offer !== null ? offerStatus(state.offer.cause, unmet.length > 0) : state.status;
  return {
    ...state,
    contract: event.contract,
    terms: event.terms,
    unmet,
    status: blocked,
    mark: bump(state.mark, 'contract'),
  };
}

export function effectIntended(state: TaskState, event: EventOf<'effect-intended'>): TaskState {
  law(state.leg !== null, 'only a holder acts on the world.');
  const others = state.effects.filter((open) => open.effect !== event.effect);
  const effect = { effect: event.effect, token: event.token, generation: state.generation, unknown: false };
  return { ...state, effects: [...others, effect] };
}

export function effectSettled(state: TaskState, event: EventOf<'effect-settled'>): TaskState {
  const effects = state.effects.filter((open) => open.effect !== event.effect);
  law(effects.length < state.effects.length, `effect ${event.effect} is open.`);
  return { ...state, effects };
}
