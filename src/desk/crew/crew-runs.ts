/** Which tasks of a store are runs: their lane says where to look, and a plan in force that it is one. */
import type { TaskId } from '../../core/journal/id.ts';
import type { Card } from '../../core/task/card.ts';
import { finalStatuses, statuses, type Status } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { findState } from '../../handoff/record/load.ts';

const listedMax = 1000;

/** The latest first. */
export async function crewRuns(
  context: Context,
  among: { readonly statuses?: readonly Status[] } = {},
): Promise<Card[]> {
  const { cards } = await context.store.catalog.list({
    ...among,
    lane: 'supervise',
    limit: listedMax,
    onDamaged: () => {},
  });
  const runs: Card[] = [];
  for (const card of cards)
    if ((await findState(context, card.task))?.steering?.plan !== undefined) runs.push(card);
  return runs;
}

/** Those that are not over. */
export async function runsGoing(context: Context): Promise<TaskId[]> {
  const going = statuses.filter((status) => !finalStatuses.includes(status));
  return (await crewRuns(context, { statuses: going })).map(({ task }) => task);
}
