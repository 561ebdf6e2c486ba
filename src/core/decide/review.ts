import { defined } from '../base/defined.ts';
import { isAddressedTo } from '../task/address.ts';
import { isPerson, mayDirect, type Actor } from '../task/actor.ts';
import type { Asked, Command, Decision, LookedAt } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event, LegOutcome } from '../journal/event.ts';
import type { TaskState } from '../task/state.ts';
import { acknowledgedAlong } from './carry.ts';
import { refuseAuditChange, refuseUnready } from './gate.ts';
import {
  authorReview,
  refuseFinal,
  refuseNonHolder,
  refuseUnacknowledged,
  refuseUnknownEffects,
  standingDetails,
  takenFor,
  wrongState,
} from './guard.ts';
import { escalatedEvent, sealedEvent } from './offer.ts';
import { refuseUnapprovedPhase } from './runs.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function legEnded(state: TaskState, outcome: LegOutcome, why?: string): Event {
  return {
    type: 'leg-ended',
    v: 1,
    generation: state.generation,
    outcome,
    ...defined({ why }),
  };
}

type Ending = Of<'submit'> | Of<'complete'>;

function refuseEnding(state: TaskState, asked: Asked, command: Ending): StaffettaError | undefined {
  return (
    refuseNonHolder(state, asked, command.generation) ??
    (command.restated === undefined ? refuseUnacknowledged(state) : undefined) ??
    refuseUnknownEffects(state)
  );
}

function lastEvents(state: TaskState, { restated, sealed }: Ending, outcome: LegOutcome): Event[] {
  return [
    ...acknowledgedAlong(state, restated),
    ...(sealed === null ? [] : [sealedEvent(state, sealed)]),
    legEnded(state, outcome),
  ];
}

export function decideSubmit(state: TaskState, command: Of<'submit'>, asked: Asked): Decision {
  const refusal =
    refuseEnding(state, asked, command) ??
    refuseUnapprovedPhase(state) ??
    refuseAuditChange(state, command.sealed) ??
    refuseUnready(state, command.sealed);
  if (refusal !== undefined) return refusal;
  const packet = command.sealed?.packet ?? state.packet;
  return [...lastEvents(state, command, 'submitted'), { type: 'submitted', v: 1, packet }];
}

/** Why this actor may not approve this task; undefined if it may. The author, and anything it spawned, never may. */
export function refuseReviewer(state: TaskState, by: Actor): StaffettaError | undefined {
  if (by.kind === 'system') {
    return new StaffettaError('denied', 'An approval needs a person or an agent.');
  }
  const own = state.status === 'submitted' && state.submission !== null ? [state.submission.by] : [];
  const author = takenFor(by, [...state.authors, ...own]);
  if (author !== undefined) return authorReview(state, by, author);
  const { review } = state.terms;
  if (review?.human === true && !isPerson(by)) {
    return new StaffettaError('denied', `The contract of task ${state.task} asks for a person's approval.`, {
      details: { task: state.task },
      hint: 'A person decides, at a terminal of their own.',
    });
  }
  const [demand] = state.demands;
  if (demand !== undefined && !isPerson(by)) {
    return new StaffettaError('denied', `Only a person may approve task ${state.task}: ${demand}`, {
      details: { task: state.task, demands: state.demands },
    });
  }
  if (
    by.kind === 'agent' &&
    review?.owner !== undefined &&
    !isAddressedTo(review.owner, by.lane ?? 'audit', by)
  ) {
    return new StaffettaError('denied', `Task ${state.task} is for ${review.owner} to review.`, {
      details: { task: state.task, owner: review.owner },
      hint: 'Leave the verdict to whom the contract names, or to a person.',
    });
  }
  const named = review?.owner === `agent:${by.name}`;
  const laneFits = by.lane === 'audit' || by.lane === 'supervise' || (named && by.lane === undefined);
  if (by.kind === 'agent' && (review?.owner === undefined || !laneFits)) {
    return new StaffettaError(
      'lane-denied',
      `An agent reviews in the audit lane, where the contract names it as reviewer.`,
      {
        details: { task: state.task, lane: by.lane ?? null, owner: review?.owner ?? null },
        hint:
          review?.owner === undefined
            ? 'A person can review any task.'
            : `As a reviewer: staffetta review ${state.task} --as ${by.name} --lane audit. A person can review any task.`,
      },
    );
  }
  return undefined;
}

/** A contract that was amended after the submission is judged by a reviewer who has looked at it as it is now. */
export function refuseStale(state: TaskState, looked: LookedAt): StaffettaError | undefined {
  const { submission, task } = state;
  const contract = looked.contract ?? submission?.contract ?? null;
  const packet = submission?.packet ?? null;
  const changed = [
    ...(looked.packet === packet ? [] : [{ part: 'packet', looked: looked.packet, now: packet }]),
    ...(contract === state.contract ? [] : [{ part: 'contract', looked: contract, now: state.contract }]),
  ];
  if (submission !== null && changed.length === 0) return undefined;
  const parts = changed.map(({ part }) => part).join(', ');
  return new StaffettaError('review-stale', `Task ${task} changed since it was looked at: ${parts}.`, {
    details: { task, reviewed: looked.packet, submitted: packet, contract: state.contract, changed },
    hint: `Look at it as it is now, and decide again: staffetta review ${task}`,
  });
}

/** The holder of an audit leg has a way of its own to say that the work is good. */
export function notSubmitted(state: TaskState, asked: Asked): StaffettaError {
  const refusal = wrongState(state, asked, 'only submitted work is reviewed.');
  if (state.leg?.lane !== 'audit' || state.leg.holder.name !== asked.by.name) return refusal;
  return new StaffettaError('wrong-state', refusal.message, {
    details: refusal.details,
    hint: `From your audit leg it is approved with: staffetta complete ${state.task}`,
  });
}

export function decideApprove(state: TaskState, command: Of<'approve'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (state.status !== 'submitted') return notSubmitted(state, asked);
  const refusal = refuseReviewer(state, asked.by) ?? refuseStale(state, command);
  if (refusal !== undefined) return refusal;
  const approved: Event = {
    type: 'review-approved',
    v: 1,
    packet: command.packet,
    contract: state.contract,
    ...defined({ why: command.why }),
  };
  return [approved, endEvent(state)];
}

/** What is to be integrated is not done before it is. */
function endEvent({ terms }: TaskState): Event {
  return { type: terms.integrate === undefined ? 'task-done' : 'integration-due', v: 1 };
}

/** The end without a separate review: none is asked for, or the holder is the reviewer the contract names. */
export function decideComplete(state: TaskState, command: Of<'complete'>, asked: Asked): Decision {
  const refusal =
    refuseEnding(state, asked, command) ??
    refuseUnapprovedPhase(state) ??
    refuseAuditChange(state, command.sealed) ??
    refuseUnready(state, command.sealed);
  if (refusal !== undefined) return refusal;
  const demands = [...state.demands, ...(command.sealed?.demands ?? [])];
  const unreviewed = refuseUnreviewed({ ...state, demands }, asked.by);
  if (unreviewed !== undefined) return unreviewed;
  const packet = command.sealed?.packet ?? state.packet;
  const end = lastEvents(state, command, 'completed');
  if (!isReviewed({ ...state, demands })) return [...end, endEvent(state)];
  return [...end, { type: 'review-approved', v: 1, packet, contract: state.contract }, endEvent(state)];
}

function isReviewed({ terms, demands }: TaskState): boolean {
  const { review } = terms;
  return demands.length > 0 || (review !== null && (review.owner !== undefined || review.human === true));
}

/** Why this holder may not complete the task itself; undefined where nobody is to approve it, or the holder is who does. */
export function refuseUnreviewed(state: TaskState, by: Actor): StaffettaError | undefined {
  if (!isReviewed(state)) return undefined;
  const { review } = state.terms;
  const reviewer = { ...by, lane: state.leg?.lane ?? 'execute' };
  const denied = refuseReviewer(state, reviewer);
  // A reviewer reviews what somebody else did; where nobody else carried the task there is nothing to review.
  const alone = state.authors.length === 0;
  if (denied === undefined && reviewer.lane === 'audit' && !alone) return undefined;
  return new StaffettaError(
    'review-required',
    `Task ${state.task} needs the approval of ${state.demands.length > 0 || review?.human === true ? 'a person' : (review?.owner ?? 'a reviewer')}.`,
    {
      details: {
        task: state.task,
        because:
          denied?.message ?? (alone ? 'nobody else has worked on it' : 'the leg is not in the audit lane'),
      },
      hint: `Submit it instead: staffetta submit ${state.task}`,
    },
  );
}

export function decideFail(state: TaskState, command: Of<'fail'>, asked: Asked): Decision {
  return (
    refuseNonHolder(state, asked, command.generation) ?? [
      legEnded(state, 'failed', command.why),
      { type: 'task-failed', v: 1, why: command.why },
    ]
  );
}

export function decideEscalate(state: TaskState, command: Of<'escalate'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (state.leg !== null) {
    if (!mayDirect(asked.by)) {
      const refusal = refuseNonHolder(state, asked, command.generation ?? 0);
      if (refusal !== undefined) return refusal;
    }
    return [
      legEnded(state, 'escalated', command.text),
      escalatedEvent(command.reason ?? 'asked', command.text),
    ];
  }
  if (!mayDirect(asked.by)) {
    return new StaffettaError('denied', 'Escalating work that nobody holds takes a person or a supervisor.', {
      details: standingDetails(state, asked),
      hint: `Take it first, or leave a message: staffetta tell ${state.task} TEXT`,
    });
  }
  const withdrawn: Event[] =
    state.offer === null ? [] : [{ type: 'offer-withdrawn', v: 1, offer: state.offer.offer }];
  return [...withdrawn, escalatedEvent(command.reason ?? 'asked', command.text)];
}

export function decideCancel(state: TaskState, command: Of<'cancel'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  if (!mayDirect(asked.by) && asked.by.name !== state.openedBy) {
    return new StaffettaError(
      'denied',
      `Cancelling task ${state.task} takes its opener, a supervisor or a person.`,
      {
        details: standingDetails(state, asked),
        hint: `Say why it should stop, in a message: staffetta tell ${state.task} TEXT`,
      },
    );
  }
  const ended: Event[] = state.leg === null ? [] : [legEnded(state, 'cancelled', command.why)];
  const withdrawn: Event[] =
    state.offer === null ? [] : [{ type: 'offer-withdrawn', v: 1, offer: state.offer.offer }];
  return [...ended, ...withdrawn, { type: 'task-cancelled', v: 1, why: command.why }];
}
