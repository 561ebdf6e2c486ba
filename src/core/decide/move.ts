import { defined } from '../base/defined.ts';
import { StaffettaError } from '../base/error.ts';
import { mayDirect } from '../task/actor.ts';
import type { Asked, Command, Decision } from '../task/command.ts';
import type { TaskState } from '../task/state.ts';
import { refuseFinal, standingDetails } from './guard.ts';

type Of<T extends Command['type']> = Extract<Command, { type: T }>;

/** The store that a task lives in is changed by one entry: where it is named, nobody can write any more but the one who takes it in there. */
export function decideLeave(state: TaskState, { to, why }: Of<'leave'>, asked: Asked): Decision {
  const final = refuseFinal(state, asked);
  if (final !== undefined) return final;
  const { by } = asked;
  const owner = state.leg?.holder.name ?? state.openedBy;
  if (!mayDirect(by) && by.name !== owner)
    return new StaffettaError('denied', `Task ${state.task} is for ${owner} or a person to move.`, {
      details: standingDetails(state, asked),
      hint: `Ask them: staffetta tell ${state.task} TEXT`,
    });
  return [{ type: 'task-left', v: 1, to, ...defined({ why }) }];
}

export function decideArrive(state: TaskState, { here, from }: Of<'arrive'>, asked: Asked): Decision {
  if (state.away === undefined) return refuseFinal(state, asked) ?? [];
  if (state.away === here) return [{ type: 'task-arrived', v: 1, from }];
  return new StaffettaError('wrong-state', `Task ${state.task} was not sent to ${here}.`, {
    details: { task: state.task, to: state.away },
    hint: 'Move it from where it lives.',
  });
}
