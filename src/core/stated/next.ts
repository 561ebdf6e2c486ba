/**
 * Which of the next steps that agents spoke of are next no more: what was called next before something else was, and what only
 * announces a call that has its result, for that was done then. Anything else said with a call may well be what comes after it.
 */
import type { StoryStep } from '../transcript/story.ts';
import type { Statement } from './statements.ts';

/** Said outright, as far as signs tell. */
export const outrightNext = 5;
/** Calls it next, in so many words. */
const calledNext =
  /^\W*(?:(?:so|then|and|ok(?:ay)?|now|my|the|what is|what comes)[,:]? ){0,3}next\b|\bi(?:['’]ll| will) .{1,80} next\W*$/i;

/** Announces the call that goes with it. */
const calling = /(?:^|[:,] )(?:(?:now|just|i['’]m|i am) )*(?:calling|running|executing|invoking|using)\b/i;

export function pastNexts(stated: readonly Statement[], steps: readonly StoryStep[]): ReadonlySet<Statement> {
  const nexts = stated.filter(({ kind, by }) => kind === 'next' && by === 'agent');
  const called = nexts.filter(({ text }) => calledNext.test(text));
  const newest = called.at(-1)?.ref ?? 0;
  const done = new Set(steps.filter(isDone).map(({ ref }) => ref));
  return new Set([
    ...called.filter(({ ref }) => ref < newest),
    ...nexts.filter(
      ({ ref, strength, text }) => strength < outrightNext && done.has(ref) && calling.test(text),
    ),
  ]);
}

function isDone({ calls = [], results = [] }: StoryStep): boolean {
  return calls.length > 0 && calls.every(({ id }) => results.some(({ call }) => call === id));
}
