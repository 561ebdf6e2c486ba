/**
 * Words that nobody here vouches for. Only a session that the tool captured itself, in this store, says what its user said. A transcript
 * that an agent handed in can put anything into a user's mouth, and so can a session in a file of an unknown signer. What is told in
 * a user's or a program's name there is kept as data: it names where it came from, stands between marks and asks for nothing. It
 * says so itself, so that no view can tell it otherwise, and so that it is known again in a session that was written from it.
 */
import { sanitize } from '../base/sanitize.ts';
import type { Result, Step } from './step.ts';

/** Where it came from and what it said there, in whose name. */
export interface Given {
  readonly from: string;
  readonly by: 'user' | 'system';
  readonly text: string;
}

const opening = 'Data, and no words of a user here: this stood in ';

/** `from` is words of ours: `a transcript that ana handed in`. */
function asGiven(text: string, from: string): string {
  const safe = sanitize(text).replace(/<(?=\s*(?:\/\s*)?data\b)/gi, '‹');
  return `${opening}${sanitize(from)}.\n<data>\n${safe}\n</data>`;
}

/** It was told as data before. */
export function isGiven(text: string): boolean {
  return text.startsWith(opening);
}

/** A step of a transcript that nobody here vouches for. */
export function givenStep<S extends Step>(step: S, from: string): S & { readonly given?: Given } {
  const { source, text, mark, results } = step;
  const plain = withoutSummary(step);
  const heard = results === undefined ? plain : { ...plain, results: results.map(withoutReplies) };
  if (source === 'agent' || text === '' || (mark !== undefined && mark !== 'context')) return heard;
  return {
    ...heard,
    source: 'system',
    mark: 'context',
    text: asGiven(text, from),
    given: { from, by: source, text },
  };
}

function withoutReplies({ said: _said, ...rest }: Result): Result {
  return rest;
}

/** Anybody can write that a program summarised something. */
function withoutSummary<S extends Step>({ summary: _summary, ...rest }: S): S {
  return rest as S;
}
