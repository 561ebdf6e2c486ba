import { addressedLane } from '../task/address.ts';
import type { Asked } from '../task/command.ts';
import { StaffettaError } from '../base/error.ts';
import type { Offer, TaskState } from '../task/state.ts';
import { standingDetails } from './guard.ts';

/** Somebody answers an offer that is for others: it is told for whom, in which lane, and how those take it. */
export function notAddressed(state: TaskState, offer: Offer, asked: Asked): StaffettaError {
  const { by } = asked;
  const speaks = by.lane === undefined ? '' : `, who speaks in the ${by.lane} lane`;
  return new StaffettaError(
    'not-addressed',
    `Task ${state.task} is offered to ${offer.to} in the ${offer.lane} lane, not to ${by.name}${speaks}.`,
    { details: { ...standingDetails(state, asked), lane: offer.lane }, hint: wayIn(state, offer, asked) },
  );
}

function wayIn({ task }: TaskState, { to, lane }: Offer, { by }: Asked): string {
  const take = `staffetta take ${task}`;
  const away = 'Its giver, a supervisor or a person can withdraw it and offer it to somebody else.';
  if (to === `agent:${by.name}`) return `You are asked, but in the ${lane} lane: ${take} --lane ${lane}`;
  if (to === 'anyone' || addressedLane(to) !== undefined)
    return `It is for actors in the ${lane} lane: ${take} --lane ${lane}`;
  const [kind = '', name = ''] = to.split(/:(.*)/s);
  if (kind === 'agent') return `${name} takes it with: ${take} --as ${name} --lane ${lane}. ${away}`;
  if (by.runtime === name) return `Your runtime is asked, but in the ${lane} lane: ${take} --lane ${lane}`;
  const other = by.runtime === undefined ? 'WHO' : by.runtime;
  return `An agent that runs in ${name} takes it with: ${take} --runtime ${name} --lane ${lane}. A supervisor or a person gives it to somebody else with: staffetta reassign ${task} --to ${other} --why "…"`;
}
