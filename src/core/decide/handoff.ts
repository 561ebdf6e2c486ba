import { defined } from '../base/defined.ts';
import type { Asked, Command, Decision, Sealed } from '../task/command.ts';
import { isEmergency } from '../packet/emergency.ts';
import type { Event, EventOf } from '../journal/event.ts';
import { limits } from '../base/limits.ts';
import { sameMark, type TaskState } from '../task/state.ts';
import { spentBudget } from './budget.ts';
import { refuseEdge } from './edges.ts';
import { refuseAuditChange, refuseUnready } from './gate.ts';
import { refuseNonHolder, refuseUnacknowledged, takenFor } from './guard.ts';
import { escalatedEvent, offerEvent, sealedEvent } from './offer.ts';
import { sendBackEvents } from './send-back.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** The holder gives the work away: seal, end the leg, offer. Or the move is refused and a person is asked. */
export function decideHandoff(state: TaskState, command: Of<'handoff'>, asked: Asked): Decision {
  const hurried = command.left === true || isEmergency(command.offer.trigger ?? 'planned');
  const looked = command.left === true ? lastLook(state) : command.sealed;
  const refusal =
    refuseNonHolder(state, asked, command.generation) ??
    (hurried || command.outside === true ? undefined : refuseUnacknowledged(state)) ??
    refuseAuditChange(state, looked) ??
    refuseUnready(state, command.sealed, { inHaste: hurried }) ??
    (command.outside === true || isSendingBack(state, command, asked)
      ? undefined
      : refuseEdge(state, command.offer));
  if (refusal !== undefined) return refusal;
  const sealed = command.sealed === null ? [] : [sealedEvent(state, command.sealed)];
  const packet = command.sealed?.packet ?? state.packet;
  if (isSendingBack(state, command, asked)) {
    const { findings = [], offer } = command;
    const back = { looked: state.leg?.received ?? null, latest: packet, findings, offer, now: asked.now };
    return [...sealed, handedOff(state, command), ...sendBackEvents(state, back)];
  }
  const escalation = handoffEscalation(state, command, asked.now);
  const ended = handedOff(state, command, escalation === undefined ? 'handed-off' : 'escalated');
  const last: Event = escalation ?? offerEvent({ ...state, packet }, 'handoff', command.offer);
  return [...sealed, ended, last];
}

/** The workspace as the latest packet found it. */
function lastLook({ sealed }: TaskState): Pick<Sealed, 'workspace'> | null {
  return sealed?.workspace === undefined || sealed.workspace === null
    ? null
    : { workspace: sealed.workspace };
}

function handedOff(
  { generation }: TaskState,
  { offer: { why } }: Of<'handoff'>,
  outcome: 'handed-off' | 'escalated' = 'handed-off',
): EventOf<'leg-ended'> {
  return { type: 'leg-ended', v: 1, generation, outcome, ...defined({ why }) };
}

/**
 * A reviewer changes nothing by rule, so what it found is all that can have changed: work that it gives back with findings is
 * sent back, not bounced.
 */
function isSendingBack(state: TaskState, { findings = [], offer }: Of<'handoff'>, { by }: Asked): boolean {
  return (
    state.leg?.lane === 'audit' &&
    offer.lane !== 'audit' &&
    findings.length > 0 &&
    takenFor(by, state.authors) === undefined
  );
}

function handoffEscalation(
  state: TaskState,
  command: Of<'handoff'>,
  now: number,
): EventOf<'escalated'> | undefined {
  const leg = state.leg;
  if (leg === null) return undefined;
  const workspace = command.sealed?.workspace ?? state.mark.workspace;
  // Escalating asks a person, and here a person has decided.
  const idle = command.outside !== true && sameMark(leg.mark, { ...state.mark, workspace });
  const isReturned =
    leg.from !== null && leg.from !== leg.holder.name && command.offer.to === `agent:${leg.from}`;
  if (idle && isReturned) {
    return escalatedEvent(
      'bounce',
      `${leg.holder.name} would return the task to ${leg.from} with workspace, progress and decisions unchanged.`,
    );
  }
  if (idle && state.idleHops >= limits.idleHopsMax) {
    return escalatedEvent('idle-hops', `${state.idleHops + 1} hops in a row changed nothing.`);
  }
  if (state.terms.hopsMax !== null && state.hops >= state.terms.hopsMax) {
    return escalatedEvent('hop-cap', `The contract allows ${state.terms.hopsMax} hops.`);
  }
  const spent = command.outside === true ? undefined : spentBudget(state, now);
  return spent === undefined ? undefined : escalatedEvent('budget', spent);
}
