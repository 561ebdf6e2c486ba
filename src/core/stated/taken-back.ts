/**
 * Sentences that take something back and may give an order in its place: "Forget what I said about January, drop the old tokens". The
 * first half says what no longer holds, and the second is what the user wants instead: an order, and never what is not wanted.
 */
import { foreignBackIn, foreignLeavesOff } from './foreign-backs.ts';
import { anyOf } from './kinds.ts';

const before =
  '^\\W*(?:(?:no|ok(?:ay)?|sorry|wait|oh|hm+|and|but|so|actually|please|well|alright|also|just),? )*';
const said = '(?:said|wrote|written|asked|told you|mentioned|requested)';
const retraction = new RegExp(
  `${before}(?:${[
    `(?:forget|ignore|disregard|scratch|cancel|strike|undo|never ?mind)(?: about)? (?:(?:what|everything|all|anything|whatever)(?: that)? (?:I|we)(?:['’]ve| have| had)?(?: just)? ${said}|(?:my|the) (?:earlier|previous|last|first|other) [\\w-]+)`,
    "(?:I|we)(?:['’]ve| have)?(?: just)? changed (?:my|our) minds?",
    '(?:I|we) take (?:that|it|this|what (?:I|we) said) back|(?:I|we) take back what (?:I|we) said',
    'on second thoughts?',
    '(?:scratch|strike|ignore|forget|cancel) (?:that|it|this)(?=\\s*[,;:—–-])',
    'never ?mind(?: (?:that|it|this))?(?=\\s*[,;:—–-])',
  ].join('|')})`,
  'i',
);
const topic =
  /^\s*(?:(?:before|earlier|above|yesterday|so far|there) )*(?:about|regarding|on|concerning|with)\s+/i;
/** Where the first half ends. */
const seam =
  /\s*(?:[,;:—–]|\.\s|\s-\s|\s(?:and|but)(?= (?:please |just |instead |now )?(?!the\b|an?\b|my\b|our\b)\w+ ))\s*/i;

export interface TakenBack {
  /** What it is about; empty where nothing is named. */
  readonly about: string;
  /** What is said in its place; empty where nothing is. */
  readonly order: string;
}

export function takenBackIn(sentence: string): TakenBack | null {
  const found = retraction.exec(sentence);
  if (found === null) return foreignIn(sentence);
  const rest = sentence.slice(found[0].length);
  const named = topic.exec(rest)?.[0] ?? '';
  const words = rest.slice(named.length);
  const end = seam.exec(words);
  const half = end === null ? words : words.slice(0, end.index);
  return {
    about: named === '' ? '' : half.replace(/[\s.!]+$/, ''),
    order: (end === null ? '' : words.slice(end.index + end[0].length)).replace(/^\W+$/, ''),
  };
}

function foreignIn(sentence: string): TakenBack | null {
  const found = foreignBackIn(sentence);
  if (found === null) return null;
  const rest = sentence.slice(found.words.length);
  const order = rest
    .replace(/^\s*(?:[,;:.!—–]|\s-\s|(?:und|et|y|e)(?=\s))?\s*/i, '')
    .replace(/^\P{L}+$/u, '');
  return { about: found.about, order };
}

/** Says to leave something off, in the imperative: after something was taken back that is what to do. */
export const leavesOff = anyOf(
  new RegExp(
    `${before}(?:forget|ignore|disregard|drop|cancel|skip|undo|strike|scratch|never ?mind|omit|exclude|remove|leave)\\b`,
    'i',
  ),
  foreignLeavesOff,
);
