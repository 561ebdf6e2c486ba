import { counted } from '../base/counted.ts';
import type { TaskState } from '../task/state.ts';

/**
 * Why nobody may start on it before a person was asked: what was counted, in all legs, is as much as the contract allows. Undefined
 * while something is left. A leg that is on goes on: its work is worth more than what it costs to end it well.
 */
export function spentBudget({ terms, usage, generation, leg }: TaskState, now: number): string | undefined {
  const { budget } = terms;
  if (budget === undefined) return undefined;
  const { tokens = 0, costs = [], ms = 0 } = usage ?? {};
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    return `It used ${counted(tokens, 'token')}; the contract allows ${budget.tokens}.`;
  if (budget.legs !== undefined && generation >= budget.legs)
    return `It had ${counted(generation, 'leg')}; the contract allows ${budget.legs}.`;
  const held = ms + (leg === null ? 0 : Math.max(0, now - leg.since));
  if (budget.ms !== undefined && held >= budget.ms)
    return `It was held for ${Math.round(held / 1000)} s; the contract allows ${Math.round(budget.ms / 1000)} s.`;
  const { cost } = budget;
  const paid = costs.find(({ unit }) => unit === cost?.unit);
  if (cost !== undefined && paid !== undefined && paid.amount >= cost.amount)
    return `It cost ${paid.amount} ${paid.unit}; the contract allows ${cost.amount} ${cost.unit}.`;
  return undefined;
}
