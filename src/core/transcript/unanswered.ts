import type { Step, ToolCall, Transcript } from './step.ts';

/** How every program's writer reports a call that has no result: no program takes one without. */
export const unansweredCall = {
  kind: 'unanswered-call',
  why: 'a call without a result is written with one that says that it was interrupted',
} as const;

/** Steps with their results in the order of their calls, and which calls of the last answer have none. */
export function answeredSteps(steps: readonly Step[]): Pick<Transcript, 'steps' | 'unanswered'> {
  return { steps: steps.map((step) => ({ ...step, ...inOrder(step) })), unanswered: unanswered(steps) };
}

function inOrder({ calls = [], results }: Step): Pick<Step, 'results'> {
  if (results === undefined) return {};
  return { results: calls.flatMap(({ id }) => results.find(({ call }) => call === id) ?? []) };
}

function unanswered(steps: readonly Step[]): ToolCall[] {
  const last = steps.findLast(({ source, aside }) => source === 'agent' && aside === undefined);
  return (last?.calls ?? []).filter(({ id }) => last?.results?.some(({ call }) => call === id) !== true);
}
