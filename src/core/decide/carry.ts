import { defined } from '../base/defined.ts';
import { isAddressedTo } from '../task/address.ts';
import { mayDirect } from '../task/actor.ts';
import type { Asked, CarryEvent, Command, Decision, Restatement } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import type { Event } from '../journal/event.ts';
import type { TaskState } from '../task/state.ts';
import { refuseAuditChange } from './gate.ts';
import { refuseFinal, refuseFull, refuseNonHolder, standingDetails } from './guard.ts';
import { sealedEvent } from './offer.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export function decideAcknowledge(state: TaskState, command: Of<'acknowledge'>, asked: Asked): Decision {
  return refuseNonHolder(state, asked, command.generation) ?? [acknowledgedEvent(command)];
}

function acknowledgedEvent({ goal, gate, next }: Restatement): Event {
  return { type: 'leg-acknowledged', v: 1, goal, gate, next };
}

export function decideCheckpoint(state: TaskState, command: Of<'checkpoint'>, asked: Asked): Decision {
  return (
    refuseNonHolder(state, asked, command.generation) ??
    refuseAuditChange(state, command.sealed) ?? [sealedEvent(state, command.sealed)]
  );
}

export function decideCarry(state: TaskState, command: Of<'carry'>, asked: Asked): Decision {
  const raised = command.events.filter((event) => event.type === 'decision-raised').length;
  const refusal =
    refuseNonHolder(state, asked, command.generation) ??
    (raised > 0 ? refuseFull(state, state.raised.length + raised - 1, 'questions') : undefined) ??
    (command.events.some(({ type }) => type === 'run-step') ? refuseNoRun(state) : undefined);
  if (refusal !== undefined) return refusal;
  let decisions = state.decisions;
  const events = command.events.map((event): Event => {
    if (event.type === 'decision-made' || event.type === 'decision-raised') decisions += 1;
    return carried(event, decisions);
  });
  return [...acknowledgedAlong(state, command.restated), ...events];
}

/** Nothing where it was not asked for, or was done before. */
export function acknowledgedAlong({ leg }: TaskState, restated: Restatement | undefined): Event[] {
  return restated === undefined || leg?.acknowledged === true ? [] : [acknowledgedEvent(restated)];
}

function refuseNoRun({ task, leg }: TaskState): StaffettaError | undefined {
  if (leg?.lane === 'supervise') return undefined;
  return new StaffettaError('lane-denied', `Task ${task} is no run: it is not held in the supervise lane.`, {
    details: { task, lane: leg?.lane ?? null },
    hint: `Leave a note instead: staffetta note ${task} TEXT`,
  });
}

function carried(event: CarryEvent, decision: number): Event {
  switch (event.type) {
    case 'note':
    case 'attempt-failed':
    case 'progress-moved':
    case 'run-step':
    case 'state-kept':
      return { ...event, v: 1 };
    case 'decision-made':
      return {
        type: event.type,
        v: 1,
        decision,
        text: event.text,
        ...defined({ why: event.why }),
        ...(event.rejected === undefined ? {} : { rejected: [...event.rejected] }),
      };
    case 'decision-raised':
      return {
        type: event.type,
        v: 1,
        decision,
        question: event.question,
        ...(event.options === undefined ? {} : { options: [...event.options] }),
        ...defined({ owner: event.owner }),
      };
  }
}

/** An answer comes from outside the leg: the question's owner, a person or a supervisor. */
export function decideAnswer(state: TaskState, command: Of<'answer'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  const open = state.raised.find((raised) => raised.decision === command.decision);
  if (open === undefined) {
    return new StaffettaError(
      'unknown-decision',
      `Task ${state.task} has no open question ${command.decision}.`,
      {
        details: { task: state.task, open: state.raised.map((raised) => raised.decision) },
        hint:
          state.raised.length === 0
            ? 'No question of it is open.'
            : `Open: ${state.raised.map((raised) => raised.decision).join(', ')}`,
      },
    );
  }
  const { by } = asked;
  const owns = open.owner !== null && isAddressedTo(open.owner, by.lane ?? 'execute', by);
  const holds = open.owner === null && state.leg?.holder.name === by.name;
  if (!mayDirect(by) && !owns && !holds) {
    return new StaffettaError(
      'denied',
      `Question ${command.decision} is for ${open.owner ?? 'a person'} to answer.`,
      {
        details: standingDetails(state, asked),
        hint: `If you know something, leave it as a message: staffetta tell ${state.task} TEXT`,
      },
    );
  }
  return [{ type: 'decision-answered', v: 1, decision: command.decision, answer: command.answer }];
}

/** A message waits with the task, no matter who holds it next. */
export function decideMessage(state: TaskState, command: Of<'message'>, asked: Asked): Decision {
  return (
    refuseFinal(state, asked) ??
    refuseFull(state, state.unread.length, 'unread messages') ?? [
      { type: 'message', v: 1, text: command.text },
    ]
  );
}

export function decideReadMessages(state: TaskState, command: Of<'read-messages'>, asked: Asked): Decision {
  const refusal = refuseNonHolder(state, asked, command.generation);
  if (refusal !== undefined) return refusal;
  const through = state.unread.findLast((seq) => seq <= command.through);
  return through === undefined ? [] : [{ type: 'messages-read', v: 1, through }];
}

export function decideNeedMet(state: TaskState, command: Of<'need-met'>): Decision {
  const needs = new Set(command.needs);
  const met = state.unmet.filter((need) => needs.has(need));
  return met.map((task) => ({ type: 'need-met', v: 1, task }));
}

export function decideIntend(state: TaskState, command: Of<'intend-effect'>, asked: Asked): Decision {
  const open = state.effects.find((effect) => effect.effect === command.effect);
  const refusal =
    refuseNonHolder(state, asked, command.generation) ??
    (open === undefined ? refuseFull(state, state.effects.length, 'effects') : undefined);
  if (refusal !== undefined) return refusal;
  if (open !== undefined && !command.retry) {
    return new StaffettaError(
      'effect-unknown',
      `Nobody knows whether "${command.effect}" took place in generation ${open.generation}.`,
      {
        details: { task: state.task, effect: open },
        hint: 'Find out and settle it as done or failed, or retry it if the other side honours its idempotency key.',
      },
    );
  }
  return [{ type: 'effect-intended', v: 1, effect: command.effect, token: open?.token ?? command.token }];
}

export function decideSettle(state: TaskState, command: Of<'settle-effect'>, asked: Asked): Decision {
  return refuseNonHolder(state, asked, command.generation) ?? settled(state, command);
}

/** A person who found out says what became of it, once its holder no longer can. */
export function decideReport(state: TaskState, command: Of<'report-effect'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  const isUnderWay = state.effects.some(({ effect, unknown }) => effect === command.effect && !unknown);
  if (mayDirect(asked.by) && !isUnderWay) return settled(state, command);
  return new StaffettaError(
    'denied',
    isUnderWay
      ? `"${command.effect}" is under way in the leg of ${state.leg?.holder.name ?? 'its holder'}, who settles it.`
      : `${asked.by.name} does not hold task ${state.task}: its holder, a supervisor or a person settles its effects.`,
    {
      details: standingDetails(state, asked),
      hint: `Say it in a message: staffetta tell ${state.task} TEXT`,
    },
  );
}

function settled(state: TaskState, command: Of<'settle-effect'> | Of<'report-effect'>): Decision {
  if (!state.effects.some((open) => open.effect === command.effect)) {
    return new StaffettaError(
      'unknown-effect',
      `Task ${state.task} has no open effect "${command.effect}".`,
      {
        details: { task: state.task, open: state.effects.map((open) => open.effect) },
        hint:
          state.effects.length === 0
            ? 'No effect of it waits to be settled.'
            : `Open: ${state.effects.map((open) => open.effect).join(', ')}`,
      },
    );
  }
  return [
    {
      type: 'effect-settled',
      v: 1,
      effect: command.effect,
      outcome: command.outcome,
      ...defined({ receipt: command.receipt, receiptBlob: command.receiptBlob }),
    },
  ];
}
