/**
 * Which of the next steps that agents spoke of are next no more: what was said before a later one that was said outright, and what was
 * said in passing with a call that has its result, for that was done then.
 */
import type { StoryStep } from '../transcript/story.ts';
import type { Statement } from './statements.ts';

/** Said outright, as far as signs tell. */
export const outrightNext = 5;

export function pastNexts(stated: readonly Statement[], steps: readonly StoryStep[]): ReadonlySet<Statement> {
  const nexts = stated.filter(({ kind, by }) => kind === 'next' && by === 'agent');
  const newest = nexts.findLast(({ strength }) => strength >= outrightNext)?.ref ?? 0;
  const done = new Set(steps.filter(isDone).map(({ ref }) => ref));
  return new Set(
    nexts.filter(({ ref, strength }) => ref < newest || (strength < outrightNext && done.has(ref))),
  );
}

function isDone({ calls = [], results = [] }: StoryStep): boolean {
  return calls.length > 0 && calls.every(({ id }) => results.some(({ call }) => call === id));
}
