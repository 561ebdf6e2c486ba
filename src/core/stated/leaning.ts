/**
 * Requests that say nothing without what stands before them: "Please fix it" after a sentence that says what is broken, "find the
 * cause" after a question. A goal carries these sentences with it, word for word, so that whoever reads it knows what "it" is.
 */
import type { Sentence } from './prose.ts';

/** How many sentences a request may lean on. */
const leadsMax = 3;

const polite =
  "(?:(?:please|pls|plz|so|and|but|then|now|ok(?:ay)?|also|just|hence|therefore|thus|kindly|hey|hi|hello|can|could|would|will|you|u|we|i|i['’]d|we['’]d|i['’]m|we['’]re|let['’]?s|want|need|like|love|to|try|help|me|us|go|have)[,:]? +)*";
/** Whatever it is that the sentence speaks of, it was named before: "it", "this", "them", in the first words. */
const pronoun = new RegExp(
  `^\\W*${polite}(?:[\\w'’-]+ +){0,2}?(?:it(?! (?:is |was |would be )?(?:possible|needed|necessary|required|time|easy|easier|clear|that)\\b|(?<=\\b(?:make|have|want|like|need) it) so that\\b)|its|them|they|their|this|these|those|that(?=[.,;:!?]|$| (?:to|so|in|on|with|into|for|back|out|up|off|away|and|is|was|should|must|bug|one|problem|issue)\\b)|the (?:cause|reason|culprit|same|latter|former|root cause|bug|problem|issue|regression|leak|crash|failure|error)(?! (?:in|of|with|at|on|when|where|that)\\b)|why(?=[.?!,;]|$| and\\b)|what['’]?s (?:going on|wrong|happening|up))\\b`,
  'i',
);

export function leans(text: string): boolean {
  return pronoun.test(text);
}

export function isQuestion(text: string): boolean {
  return /\?["'”’)]*$/.test(text);
}

/** What a request carries with it; undefined where it stands alone. `first`: whether it also carries what was said first. */
export function leadOf(
  typed: readonly Sentence[],
  request: Sentence,
  { first = false } = {},
): string | undefined {
  const at = typed.indexOf(request);
  let from = at;
  while (from > 0 && at - from < leadsMax) {
    const [before, here] = [typed[from - 1]?.text ?? '', typed[from]?.text ?? ''];
    if (!leans(here) && !(from === at && isQuestion(before))) break;
    from -= 1;
  }
  const near = typed.slice(from, at).map(({ text }) => text);
  if (first && from > 0) near.unshift(typed[0]?.text ?? '', ...(from === 1 ? [] : ['…']));
  return near.length === 0 ? undefined : near.join(' ');
}

/** Commands to the program somebody types into: they ask nothing of an agent. */
export const toProgram =
  /^\s*\/(?:model|clear|compact|resume|login|logout|config|settings|cost|usage|help|status|stats|context|permissions|approvals|mcp|memory|doctor|theme|vim|hooks|agents|ide|auth|tools|new|exit|quit|fast|effort|export|rewind|terminal-setup)(?:[ \t]+\S+){0,2}\s*$/;
