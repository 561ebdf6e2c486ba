import { isAttested } from '../trust/attestation.ts';
import type { Entry } from '../journal/entry.ts';
import type { EventOf } from '../journal/event.ts';
import type { Status, TaskState } from '../task/state.ts';
import { law } from './law.ts';

export function submitted(state: TaskState, event: EventOf<'submitted'>, entry: Entry): TaskState {
  law(state.leg === null && state.offer === null, 'submitted work is neither held nor offered.');
  law(event.packet === state.packet, 'a submission names the latest packet.');
  law(state.custody !== null, 'somebody carried the work that is submitted.');
  const { lane } = state.custody;
  const submission = {
    packet: event.packet,
    contract: state.contract,
    by: entry.by.name,
    kind: entry.by.kind,
    lane,
    at: entry.at,
  };
  // The holder that hands work in wrote it, in whichever lane; only a reviewer hands in what others wrote.
  const by = entry.by.name;
  const wrote = lane !== 'audit' && !state.authors.includes(by);
  const authors = wrote ? [...state.authors, by] : state.authors;
  return { ...state, status: 'submitted', submission, attempts: 0, authors };
}

export function approved(state: TaskState, event: EventOf<'review-approved'>): TaskState {
  law(
    event.packet === state.packet && event.contract === state.contract,
    'an approval binds to what was submitted.',
  );
  return state;
}

/** Approved, or completed where nobody has to approve it: it is done when it is integrated. */
export function integrationDue(state: TaskState, entry: Entry): TaskState {
  law(state.leg === null && state.offer === null, 'approved work is neither held nor offered.');
  law(state.terms.integrate !== undefined, 'the contract says where approved work goes.');
  const approval = { packet: state.packet, by: entry.by.name, at: entry.at };
  return { ...state, status: 'approved', dead: null, escalation: null, approval };
}

export function foldIntegrated(state: TaskState, event: EventOf<'integrated'>, entry: Entry): TaskState {
  law(state.approval !== undefined, 'only approved work is integrated.');
  law(event.packet === state.approval.packet, 'what was approved is integrated.');
  law(event.onto === state.terms.integrate?.onto, 'work is integrated where its contract says.');
  const { onto, commit, tree } = event;
  return { ...state, integrated: { onto, commit, tree, by: entry.by.name, at: entry.at } };
}

export function withoutApproval(state: TaskState): TaskState {
  if (state.approval === undefined) return state;
  const { approval: _approval, ...rest } = state;
  return rest;
}

export function foldSentBack(state: TaskState): TaskState {
  // An audit leg that just ended sends back what it looked at.
  const audited = state.status === 'open' && state.leg === null && state.custody?.lane === 'audit';
  const waits = state.status === 'submitted' || state.status === 'approved';
  law(waits || audited, 'only submitted, approved or audited work is sent back.');
  return { ...withoutApproval(state), status: 'open', rework: state.rework + 1 };
}

export function escalated(state: TaskState, event: EventOf<'escalated'>, entry: Entry): TaskState {
  law(state.leg === null && state.offer === null, 'escalated work is neither held nor offered.');
  return {
    ...state,
    status: 'escalated',
    escalation: { reason: event.reason, text: event.text, at: entry.at },
  };
}

export function finished(state: TaskState, status: Status): TaskState {
  law(state.leg === null && state.offer === null, 'finished work is neither held nor offered.');
  law(
    status !== 'done' || state.terms.integrate === undefined || state.integrated !== undefined,
    'what is to be integrated is done when it is.',
  );
  return { ...state, status, dead: null, escalation: null };
}

export function foldSigned(state: TaskState, event: EventOf<'signed'>, { events }: Entry): TaskState {
  const before = events[events.indexOf(event) - 1];
  law(before !== undefined && isAttested(before), 'a signature stands right after what it vouches for.');
  return state;
}
