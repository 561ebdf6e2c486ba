import { defined } from '../base/defined.ts';
import { mayAgree } from '../contract/added-terms.ts';
import type { Entry } from '../journal/entry.ts';
import type { EventOf } from '../journal/event.ts';
import { limits } from '../base/limits.ts';
import type { ReturnMark, Narrowed, TaskState } from '../task/state.ts';
import { cut } from '../base/text.ts';
import { law } from './law.ts';
import { offerStatus } from './offers.ts';
import { withoutApproval } from './review.ts';

/** The part of a mark that counts; a workspace is compared, not counted. */
type Counted = Exclude<keyof ReturnMark, 'workspace'>;

export function bump(mark: ReturnMark, what: Counted): ReturnMark {
  return { ...mark, [what]: mark[what] + 1 };
}

/** Something new is known: the agent that was refused as the one it would bounce to may take it now. */
export function withNews(state: TaskState, what: Counted): TaskState {
  const offer = state.offer === null ? null : { ...state.offer, notTo: null };
  return { ...state, offer, mark: bump(state.mark, what) };
}

export function decisionMade(state: TaskState, event: EventOf<'decision-made'>): TaskState {
  law(event.decision === state.decisions + 1, 'decisions are counted without gaps.');
  return { ...state, decisions: event.decision, mark: bump(state.mark, 'decisions') };
}

export function decisionRaised(state: TaskState, event: EventOf<'decision-raised'>, entry: Entry): TaskState {
  law(event.decision === state.decisions + 1, 'decisions are counted without gaps.');
  const raised = {
    decision: event.decision,
    question: cut(event.question, limits.waitingCharsMax),
    owner: event.owner ?? null,
    seq: entry.seq,
  };
  const mark = bump(state.mark, 'decisions');
  return { ...state, decisions: event.decision, raised: [...state.raised, raised], mark };
}

/** An answer waits for the holder like a message; a holder that answers itself knows it already. */
export function decisionAnswered(
  state: TaskState,
  event: EventOf<'decision-answered'>,
  entry: Entry,
): TaskState {
  const raised = state.raised.filter((open) => open.decision !== event.decision);
  law(raised.length < state.raised.length, `question ${event.decision} is open.`);
  const own = state.leg?.holder.name === entry.by.name;
  const unread = own ? state.unread : [...state.unread, entry.seq];
  return { ...withNews(state, 'decisions'), raised, unread };
}

export function progressMoved(state: TaskState, event: EventOf<'progress-moved'>): TaskState {
  return {
    ...state,
    progress: { at: event.at, of: event.of ?? null, unit: event.unit ?? null, cursor: event.cursor ?? null },
    mark: bump(state.mark, 'progress'),
  };
}

export function messageLeft(state: TaskState, entry: Entry): TaskState {
  return { ...withNews(state, 'messages'), unread: [...state.unread, entry.seq] };
}

export function messagesRead(state: TaskState, event: EventOf<'messages-read'>): TaskState {
  return { ...state, unread: state.unread.filter((seq) => seq > event.through) };
}

export function needsMet(state: TaskState, events: readonly EventOf<'need-met'>[], entry: Entry): TaskState {
  const left = new Set(state.unmet);
  for (const { task } of events) law(left.delete(task), `${task} is needed and unmet.`);
  const unmet = state.unmet.filter((need) => left.has(need));
  const { offer } = state;
  if (state.status !== 'blocked' || offer === null || unmet.length > 0) return { ...state, unmet };
  // Nobody could take it until now, so its time starts now.
  const expiresAt = offer.expiresMs === null ? null : entry.at + offer.expiresMs;
  return { ...state, unmet, status: offerStatus(offer.cause, false), offer: { ...offer, expiresAt } };
}

/**
 * An actor that may agree to what it writes has agreed to it. What was added before stays added, until the contract is put in force once
 * more as it stands: that confirms it. An amendment in the entry that opens a fork is what it took over unconfirmed.
 */
function narrowedBy(
  { narrowed, contract: before, generation, leg, fork, authors }: TaskState,
  { contract }: EventOf<'contract-amended'>,
  { by, seq }: Entry,
): Narrowed | undefined {
  if (seq === 0 && fork !== undefined) {
    const taken = { contract, by: `task ${fork.task}`, generation, writers: authors };
    return { agreed: before, versions: [taken] };
  }
  const isFree = mayAgree(by, leg);
  if (isFree && (narrowed === undefined || contract === before)) return undefined;
  const { agreed, versions } = narrowed ?? { agreed: before, versions: [] };
  const written = { contract, by: isFree ? null : by.name, generation };
  const last = versions.at(-1);
  const isSame = last?.by === written.by && last.generation === generation;
  return { agreed, versions: [...(isSame ? versions.slice(0, -1) : versions), written] };
}

export function contractAmended(
  before: TaskState,
  event: EventOf<'contract-amended'>,
  entry: Entry,
): TaskState {
  law(
    before.status !== 'approved',
    'what was approved is integrated under the contract it was approved under.',
  );
  const narrowed = narrowedBy(before, event, entry);
  const { narrowed: _narrowed, ...state } = withoutApproval(before);
  const known = new Set(state.terms.needs);
  const added = event.terms.needs.filter((need) => !known.has(need));
  const kept = new Set(event.terms.needs);
  const unmet = [...state.unmet.filter((need) => kept.has(need)), ...added];
  const blocked = state.offer !== null ? offerStatus(state.offer.cause, unmet.length > 0) : state.status;
  return {
    ...withNews(state, 'contract'),
    contract: event.contract,
    ...defined({ narrowed }),
    terms: event.terms,
    unmet,
    status: blocked,
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
