/** Work that goes back with findings: from a review of what was submitted, or from the audit leg that looked at it. */
import { addressedLane, type Address } from '../task/address.ts';
import type { Asked, Command, Decision, OfferTerms } from '../task/command.ts';
import type { Digest } from '../journal/digest.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event } from '../journal/event.ts';
import type { ReviewFinding } from '../task/review-finding.ts';
import type { TaskState } from '../task/state.ts';
import { cut } from '../base/text.ts';
import { refuseAuditChange } from './gate.ts';
import {
  authorReview,
  refuseFinal,
  refuseNonHolder,
  refuseUnacknowledged,
  standingDetails,
  takenFor,
} from './guard.ts';
import { spentBudget } from './budget.ts';
import { refuseIntegrator, refuseUnapproved } from './integrate.ts';
import { escalatedEvent, offerEvent } from './offer.ts';
import { legEnded, notSubmitted, refuseReviewer, refuseStale } from './review.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function decideSendBack(state: TaskState, command: Of<'send-back'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (state.leg?.lane === 'audit') return fromAuditLeg(state, command, asked);
  if (state.status === 'approved') return fromApproved(state, command, asked);
  const { submission } = state;
  if (state.status !== 'submitted' || submission === null) return notSubmitted(state, asked);
  const refusal = refuseReviewer(state, asked.by) ?? refuseStale(state, command);
  if (refusal !== undefined) return refusal;
  const author = submission.lane === 'execute' ? submission.by : (state.authors.at(-1) ?? submission.by);
  return sendBackEvents(state, {
    ...backTo(command.to ?? `agent:${author}`, state, command),
    now: asked.now,
  });
}

/** It does not fit where it should go, or fails there. */
function fromApproved(state: TaskState, command: Of<'send-back'>, asked: Asked): Decision {
  const refusal = refuseIntegrator(state, asked) ?? refuseUnapproved(state, command.packet);
  if (refusal !== undefined) return refusal;
  const author = state.authors.at(-1) ?? state.custody?.agent;
  const to = command.to ?? (author === undefined ? 'lane:execute' : (`agent:${author}` as const));
  return sendBackEvents(state, { ...backTo(to, state, command), now: asked.now });
}

/** The holder of the audit leg was asked to look: it need not be the one who may approve. */
function fromAuditLeg(state: TaskState, command: Of<'send-back'>, asked: Asked): Decision {
  const author = takenFor(asked.by, state.authors);
  const refusal =
    refuseNonHolder(state, asked, command.generation ?? state.generation) ??
    refuseUnacknowledged(state) ??
    (author === undefined ? undefined : authorReview(state, asked.by, author)) ??
    refuseOther(state, command.packet) ??
    refuseAuditChange(state, command);
  if (refusal !== undefined) return refusal;
  const to = command.to ?? authorOf(state);
  if (to === undefined) {
    return new StaffettaError('wrong-state', `Nobody else has worked on task ${state.task}.`, {
      details: standingDetails(state, asked),
      hint: 'Say to whom it goes: --to lane:execute',
    });
  }
  return [
    legEnded(state, 'handed-off'),
    ...sendBackEvents(state, { ...backTo(to, state, command), now: asked.now }),
  ];
}

/** The actor that handed it over, if it wrote some of it; a reviewer before this one did not. */
function authorOf({ authors, leg }: TaskState): Address | undefined {
  const from = leg?.from ?? null;
  const author = from !== null && authors.includes(from) ? from : authors.at(-1);
  return author === undefined ? undefined : `agent:${author}`;
}

function refuseOther(state: TaskState, packet: Digest | null): StaffettaError | undefined {
  const received = state.leg?.received ?? null;
  if (packet === received) return undefined;
  return new StaffettaError('review-stale', `Task ${state.task} was not received with the packet named.`, {
    details: { task: state.task, reviewed: packet, received },
    hint: 'Look at the packet that your leg started from, and decide again.',
  });
}

export interface SendingBack {
  /** The packet that was looked at. */
  readonly looked: Digest | null;
  /** The latest one, which goes back with the findings. */
  readonly latest: Digest | null;
  readonly findings: readonly ReviewFinding[];
  readonly offer: OfferTerms;
  readonly now: number;
}

function backTo(
  to: Address,
  state: TaskState,
  { packet, findings }: Of<'send-back'>,
): Omit<SendingBack, 'now'> {
  const why = cut(findings.map((finding) => finding.text).join('\n'), 4000);
  const offer = { to, lane: addressedLane(to) ?? 'execute', why };
  return { looked: packet, latest: state.packet, findings, offer };
}

/** One round more, until the contract's rounds are used up and a person must look. */
export function sendBackEvents(state: TaskState, back: SendingBack): Event[] {
  const { looked, latest, findings, offer } = back;
  const event: Event = { type: 'review-sent-back', v: 1, packet: looked, findings: [...findings] };
  const rounds = state.rework + 1;
  if (rounds >= state.terms.reworkMax) {
    const times = rounds === 1 ? 'once' : `${rounds} times`;
    return [event, escalatedEvent('rework-cap', `It was sent back ${times}.`)];
  }
  const spent = spentBudget(state, back.now);
  if (spent !== undefined) return [event, escalatedEvent('budget', spent)];
  return [event, offerEvent({ ...state, packet: latest }, 'review', offer)];
}
