import { unreachable } from '../base/assert.ts';
import type { Digest } from '../journal/digest.ts';
import type { Entry } from '../journal/entry.ts';
import type { Event, EventOf } from '../journal/event.ts';
import * as carry from './carry.ts';
import { law, lawNotFinal } from './law.ts';
import * as legs from './legs.ts';
import * as offers from './offers.ts';
import * as phases from './phases.ts';
import * as review from './review.ts';
import * as spending from './spending.ts';
import { foldVersion, type TaskState } from '../task/state.ts';

/** One entry further. Throws `corrupt` where the journal breaks a law that `decide` keeps. */
export function fold(state: TaskState | undefined, entry: Entry, digest: Digest): TaskState {
  law((state === undefined ? 0 : state.seq + 1) === entry.seq, 'entries follow one another.');
  law((state?.head ?? null) === entry.prev, 'each entry continues the one before it.');
  law(state === undefined || state.task === entry.task, 'a journal belongs to one task.');
  let next = state;
  const met: EventOf<'need-met'>[] = [];
  for (const event of entry.events) {
    if (event.type === 'need-met') met.push(event);
    else next = apply(withMet(next, met.splice(0), entry), event, entry);
  }
  next = withMet(next, met, entry);
  law(next !== undefined, 'a journal begins with task-opened.');
  return { ...next, seq: entry.seq, head: digest, updatedAt: entry.at, updatedBy: entry.by.name };
}

/** Needs that are met one after another, at once: one by one, each would go through all that are left. */
function withMet(
  state: TaskState | undefined,
  met: readonly EventOf<'need-met'>[],
  entry: Entry,
): TaskState | undefined {
  if (met.length === 0) return state;
  law(state !== undefined, 'a journal begins with task-opened.');
  lawNotFinal(state);
  lawHere(state, 'need-met');
  return carry.needsMet(state, met, entry);
}

function lawHere({ away }: TaskState, type: Event['type']): void {
  law(
    (away === undefined) === (type !== 'task-arrived'),
    'what left for another store goes on once it arrived.',
  );
}

function opened(event: EventOf<'task-opened'>, entry: Entry): TaskState {
  return {
    foldVersion,
    task: entry.task,
    seq: entry.seq,
    head: `sha256:${'0'.repeat(64)}`,
    status: 'open',
    openedAt: entry.at,
    openedBy: entry.by.name,
    updatedAt: entry.at,
    updatedBy: entry.by.name,
    terms: event.terms,
    contract: event.contract,
    unmet: event.terms.needs,
    generation: 0,
    leg: null,
    custody: null,
    offer: null,
    offers: 0,
    giver: null,
    declined: null,
    dead: null,
    packet: null,
    packets: 0,
    start: null,
    sealed: null,
    demands: [],
    runs: [],
    phases: [],
    mark: { contract: 1, decisions: 0, progress: 0, messages: 0, workspace: null },
    hops: 0,
    idleHops: 0,
    rework: 0,
    attempts: 0,
    authors: [],
    decisions: 0,
    raised: [],
    unread: [],
    effects: [],
    progress: null,
    submission: null,
    escalation: null,
  };
}

function forked(state: TaskState, event: EventOf<'task-forked'>, entry: Entry): TaskState {
  law(
    entry.seq === 0 && state.fork === undefined && state.offer === null && state.leg === null,
    'a task is forked when it is opened.',
  );
  law(event.from.task !== state.task, 'a task is forked from another one.');
  const { from, packet, certification, authors, demands = [], why } = event;
  const workspace = event.workspace ?? null;
  return {
    ...state,
    packet,
    sealed: { certification, findings: null, workspace },
    demands,
    authors,
    start: event.start ?? null,
    mark: { ...state.mark, workspace },
    fork: { ...from, packet, why },
  };
}

function apply(state: TaskState | undefined, event: Event, entry: Entry): TaskState {
  if (event.type === 'task-opened') {
    law(state === undefined, 'a task is opened once.');
    return opened(event, entry);
  }
  law(state !== undefined, 'a journal begins with task-opened.');
  lawNotFinal(state);
  lawHere(state, event.type);
  switch (event.type) {
    case 'task-left':
      return { ...state, away: event.to };
    case 'task-arrived': {
      const { away: _, ...here } = state;
      return here;
    }
    case 'task-forked':
      return forked(state, event, entry);
    case 'contract-amended':
      return carry.contractAmended(state, event, entry);
    case 'offer-made':
      return offers.foldOfferMade(state, event, entry);
    case 'offer-withdrawn':
    case 'offer-expired':
      return offers.offerClosed(state, event.offer, 'open');
    case 'offer-declined':
      return offers.offerDeclined(state, event, entry);
    case 'offer-dead':
      return offers.offerDead(state, event, entry);
    case 'leg-started':
      return legs.foldLegStarted(state, event, entry);
    case 'leg-acknowledged':
      return legs.legAcknowledged(state);
    case 'leg-ended':
    case 'leg-lapsed':
      return spending.timeCounted(state, legs.legOver(state, event.generation), entry);
    case 'checkpoint-sealed':
      return legs.checkpointSealed(state, event);
    case 'note':
      law(state.leg !== null, 'notes are written by a holder.');
      return state;
    case 'state-kept':
      law(state.leg !== null, 'state is kept by a holder.');
      return { ...state, mark: carry.bump(state.mark, 'progress') };
    case 'attempt-failed':
      law(state.leg !== null, 'notes are written by a holder.');
      return { ...state, mark: carry.bump(state.mark, 'decisions') };
    case 'decision-made':
      return carry.decisionMade(state, event);
    case 'decision-raised':
      return carry.decisionRaised(state, event, entry);
    case 'decision-answered':
      return carry.decisionAnswered(state, event, entry);
    case 'progress-moved':
      return carry.progressMoved(state, event);
    case 'usage-counted':
      return spending.usageCounted(state, event);
    case 'run-step':
      law(state.leg !== null, 'a run is carried by its holder.');
      return state;
    case 'run-steered':
      return spending.foldSteered(state, event, entry);
    case 'validation-run':
      return phases.validationRun(state, event, entry);
    case 'phase-started':
    case 'phase-verified':
    case 'phase-failed':
    case 'phase-rolled-back':
      return phases.phaseMoved(state, event, entry);
    case 'phase-approved':
      return phases.phaseApproved(state, event, entry);
    case 'message':
      return carry.messageLeft(state, entry);
    case 'messages-read':
      return carry.messagesRead(state, event);
    case 'need-met':
      return carry.needsMet(state, [event], entry);
    case 'effect-intended':
      return carry.effectIntended(state, event);
    case 'effect-settled':
      return carry.effectSettled(state, event);
    case 'submitted':
      return review.submitted(state, event, entry);
    case 'review-approved':
      return review.approved(state, event);
    case 'review-sent-back':
      return review.foldSentBack(state);
    case 'signed':
      return review.foldSigned(state, event, entry);
    case 'escalated':
      return review.escalated(state, event, entry);
    case 'integration-due':
      return review.integrationDue(state, entry);
    case 'integrated':
      return review.foldIntegrated(state, event, entry);
    case 'task-done':
      return review.finished(state, 'done');
    case 'task-failed':
      return review.finished(state, 'failed');
    case 'task-cancelled':
      return review.finished(state, 'cancelled');
    default:
      return unreachable(event);
  }
}
