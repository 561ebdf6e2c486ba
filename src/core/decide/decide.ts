import { unreachable } from '../base/assert.ts';
import type { Asked, Command, Decision } from '../task/command.ts';
import * as carry from './carry.ts';
import { refuseCopy, refuseFinal, refuseNonHolder } from './guard.ts';
import * as offer from './offer.ts';
import * as review from './review.ts';
import { decideAmend, decideOpen } from './open.ts';
import { decideIntegrate } from './integrate.ts';
import { decideApprovePhase, decideRuns } from './runs.ts';
import { decideSteer, decideUsage } from './spending.ts';
import { decideHandoff } from './handoff.ts';
import { decideArrive, decideLeave } from './move.ts';
import { decideSendBack } from './send-back.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event } from '../journal/event.ts';
import { isDisbelieved, isExpired, isFarAhead } from '../task/lapse.ts';
import { timeText } from '../task/lease.ts';
import type { TaskState } from '../task/state.ts';

/**
 * What should happen, given what is. Pure: the same state, command and clock reading always give the same events.
 * An empty list means that there is nothing to record. A refusal changes nothing.
 */
export function decide(state: TaskState | undefined, command: Command, asked: Asked): Decision {
  if (command.type === 'open') return decideOpen(state, command, asked);
  if (state === undefined) return new StaffettaError('unknown-task', 'There is no such task.');
  if (state.away !== undefined && command.type !== 'arrive') return refuseCopy(state);
  switch (command.type) {
    case 'amend':
      return decideAmend(state, command, asked);
    case 'offer':
      return offer.decideOffer(state, command, asked);
    case 'handoff':
      return decideHandoff(state, command, asked);
    case 'withdraw':
      return offer.decideWithdraw(state, command, asked);
    case 'accept':
      return offer.decideAccept(state, command, asked);
    case 'decline':
      return offer.decideDecline(state, command, asked);
    case 'expire':
      return offer.decideExpire(state, asked);
    case 'redrive':
      return offer.decideRedrive(state, command, asked);
    case 'acknowledge':
      return carry.decideAcknowledge(state, command, asked);
    case 'checkpoint':
      return carry.decideCheckpoint(state, command, asked);
    case 'carry':
      return carry.decideCarry(state, command, asked);
    case 'record-runs':
      return decideRuns(state, command, asked);
    case 'approve-phase':
      return decideApprovePhase(state, command, asked);
    case 'count-usage':
      return decideUsage(state, command, asked);
    case 'steer':
      return decideSteer(state, command, asked);
    case 'answer':
      return carry.decideAnswer(state, command, asked);
    case 'message':
      return carry.decideMessage(state, command, asked);
    case 'read-messages':
      return carry.decideReadMessages(state, command, asked);
    case 'need-met':
      return refuseFinal(state, asked) ?? carry.decideNeedMet(state, command);
    case 'intend-effect':
      return carry.decideIntend(state, command, asked);
    case 'settle-effect':
      return carry.decideSettle(state, command, asked);
    case 'report-effect':
      return carry.decideReport(state, command, asked);
    case 'submit':
      return review.decideSubmit(state, command, asked);
    case 'approve':
      return review.decideApprove(state, command, asked);
    case 'send-back':
      return decideSendBack(state, command, asked);
    case 'integrate':
      return decideIntegrate(state, command, asked);
    case 'complete':
      return review.decideComplete(state, command, asked);
    case 'fail':
      return review.decideFail(state, command, asked);
    case 'escalate':
      return review.decideEscalate(state, command, asked);
    case 'cancel':
      return review.decideCancel(state, command, asked);
    case 'leave':
      return decideLeave(state, command, asked);
    case 'arrive':
      return decideArrive(state, command, asked);
    case 'retry':
      return decideRetry(state, command, asked);
    case 'lapse':
      return decideLapse(state, command, asked);
    default:
      return unreachable(command);
  }
}

/** The holder could not do it this time: rest, then offer the same work to the same lane. */
function decideRetry(state: TaskState, command: Extract<Command, { type: 'retry' }>, asked: Asked): Decision {
  const refusal = refuseNonHolder(state, asked, command.generation);
  if (refusal !== undefined) return refusal;
  const { why } = command;
  const lane = state.leg?.lane ?? 'execute';
  const again = { to: `lane:${lane}` as const, lane, why, notBefore: asked.now + command.delayMs };
  return [
    review.legEnded(state, 'attempt-failed', why),
    ...offer.offerAgain(state, 'retry', { ...again, now: asked.now }),
  ];
}

/**
 * The holder fell silent: record it, and offer the work again in the same breath, so that it is never nobody's. A lease that is further ahead
 * than any may be is not believed either, unless the clock that says so is behind the journal and may itself be the wrong one.
 */
function decideLapse(state: TaskState, command: Extract<Command, { type: 'lapse' }>, asked: Asked): Decision {
  const { leg } = state;
  if (leg === null) return new StaffettaError('wrong-state', `Nobody holds task ${state.task}.`);
  const until = asked.leaseUntil ?? leg.leaseUntil;
  const { updatedAt } = state;
  const doubted =
    isDisbelieved({ until, updatedAt }, asked.now) ||
    (command.endDoubted === true && isFarAhead(until, asked.now));
  if (!doubted && !isExpired(until, asked.now)) {
    return new StaffettaError(
      'lease-live',
      `${leg.holder.name} holds task ${state.task} until ${timeText(until)}.`,
      {
        details: { task: state.task, holder: leg.holder.name, leaseUntil: until },
      },
    );
  }
  const lapsed: Event = { type: 'leg-lapsed', v: 1, generation: leg.generation, leaseUntil: until };
  const end = timeText(until);
  const why = doubted
    ? `The lease of ${leg.holder.name} ran until ${end}, further ahead than a lease may: some clock was wrong.`
    : `${leg.holder.name} fell silent; its lease ended at ${end}.`;
  const again = { to: `lane:${leg.lane}` as const, lane: leg.lane, why, now: asked.now };
  return [lapsed, ...offer.offerAgain(state, 'lapse', again)];
}
