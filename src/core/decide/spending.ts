/** What was used is counted, and the supervisor of a run is told how to go on: both also from outside the leg. */
import { mayDirect } from '../task/actor.ts';
import type { Asked, Command, Decision } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import type { EventOf } from '../journal/event.ts';
import { usageCounted } from '../fold/spending.ts';
import { cardOf } from '../task/card.ts';
import type { TaskState } from '../task/state.ts';
import { spentBudget } from './budget.ts';
import { refuseFinal, refuseNonHolder, standingDetails } from './guard.ts';
import { escalatedEvent } from './offer.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** Currencies of one task. */
const unitsMax = 8;

/** Work on offer whose budget is spent is not taken any more: a person is asked. A leg that is on ends by itself first. */
export function decideUsage(state: TaskState, command: Of<'count-usage'>, asked: Asked): Decision {
  const refusal =
    refuseFinal(state, asked) ??
    (command.generation === undefined
      ? refuseCounter(state, asked)
      : refuseNonHolder(state, asked, command.generation)) ??
    refuseNoLeg(state, command.usage.leg);
  if (refusal !== undefined) return refusal;
  const counted: EventOf<'usage-counted'> = { type: 'usage-counted', v: 1, ...command.usage };
  const after = usageCounted(state, counted);
  const units = after.usage?.costs.length ?? 0;
  if (units > unitsMax) {
    return new StaffettaError('too-large', `Task ${state.task} has costs in ${unitsMax} units already.`, {
      details: { task: state.task, limit: unitsMax },
      hint: 'Count in one of them.',
    });
  }
  const spent = state.offer === null ? undefined : spentBudget(after, asked.now);
  if (state.offer === null || spent === undefined) return [counted];
  const { offer } = state.offer;
  return [counted, { type: 'offer-withdrawn', v: 1, offer }, escalatedEvent('budget', spent)];
}

function refuseCounter(state: TaskState, asked: Asked): StaffettaError | undefined {
  if (mayDirect(asked.by)) return undefined;
  return new StaffettaError(
    'not-holder',
    `${asked.by.name} does not hold task ${state.task}; what it used is counted by its holder, a supervisor or a person.`,
    { details: standingDetails(state, asked), hint: `Take it first: staffetta take ${state.task}` },
  );
}

function refuseNoLeg({ task, generation }: TaskState, leg: number): StaffettaError | undefined {
  if (leg <= generation) return undefined;
  return new StaffettaError('invalid-input', `Task ${task} has had no leg ${leg}.`, {
    details: { task, generation },
    hint: 'Give the generation of the leg that used it.',
  });
}

/** Like a message, for a task that somebody supervises others with. */
export function decideSteer(state: TaskState, command: Of<'steer'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  const { lane } = cardOf(state);
  if (lane !== 'supervise') {
    return new StaffettaError(
      'lane-denied',
      `Task ${state.task} is no run: it is not in the supervise lane.`,
      {
        details: { task: state.task, lane },
        hint: `Leave a message for its holder: staffetta tell ${state.task} TEXT`,
      },
    );
  }
  if (!mayDirect(asked.by)) {
    return new StaffettaError('denied', `Steering task ${state.task} takes a person or a supervisor.`, {
      details: standingDetails(state, asked),
      hint: `Say what should change, in a message: staffetta tell ${state.task} TEXT`,
    });
  }
  const { type: _type, ...steering } = command;
  return [{ type: 'run-steered', v: 1, ...steering }];
}
