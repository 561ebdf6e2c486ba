/** What a task used, and how a run is told to go on. */
import { defined } from '../base/defined.ts';
import type { Entry } from '../journal/entry.ts';
import type { EventOf } from '../journal/event.ts';
import type { Spent, TaskState, Spending } from '../task/state.ts';
import type { Money } from '../contract/terms.ts';
import { withNews } from './carry.ts';
import { law } from './law.ts';

const nothing: Spending = { tokens: 0, costs: [], ms: 0, leg: null };

export function usageCounted(state: TaskState, event: EventOf<'usage-counted'>): TaskState {
  law(event.leg <= state.generation, `there was a leg ${event.leg}.`);
  const before = state.usage ?? nothing;
  return { ...state, usage: { ...before, ...plus(before, event), leg: legAfter(before.leg, event) } };
}

/** A later leg starts at nothing; what comes late for an earlier one is in the sum alone. */
function legAfter(leg: Spending['leg'], event: EventOf<'usage-counted'>): Spending['leg'] {
  const { leg: generation } = event;
  if (leg !== null && generation < leg.generation) return leg;
  const before = leg?.generation === generation ? leg : nothing;
  return { generation, ...plus(before, event) };
}

function plus({ tokens, costs }: Spent, event: EventOf<'usage-counted'>): Spent {
  const { cost } = event;
  return { tokens: tokens + event.tokens, costs: cost === undefined ? costs : withCost(costs, cost) };
}

function withCost(costs: readonly Money[], { amount, unit }: Money): readonly Money[] {
  if (!costs.some((one) => one.unit === unit)) return [...costs, { amount, unit }];
  // To a millionth, so that sums of tenths stay tenths.
  return costs.map((one) =>
    one.unit === unit ? { unit, amount: Math.round((one.amount + amount) * 1e6) / 1e6 } : one,
  );
}

/** Of a leg that is over. */
export function timeCounted(before: TaskState, after: TaskState, entry: Entry): TaskState {
  if (before.terms.budget?.ms === undefined || before.leg === null) return after;
  const usage = before.usage ?? nothing;
  return { ...after, usage: { ...usage, ms: usage.ms + Math.max(0, entry.at - before.leg.since) } };
}

export function foldSteered(state: TaskState, event: EventOf<'run-steered'>, entry: Entry): TaskState {
  const { paused, parallel, caps, plan, why } = event;
  const before = state.steering;
  const steering = {
    paused: paused ?? before?.paused ?? false,
    parallel: parallel ?? before?.parallel ?? null,
    caps: caps ?? before?.caps ?? null,
    ...defined({ plan: plan ?? before?.plan }),
    why,
    by: entry.by.name,
    at: entry.at,
  };
  return { ...withNews(state, 'messages'), steering };
}
