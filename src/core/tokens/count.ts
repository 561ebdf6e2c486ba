/**
 * Counts tokens as o200k does, times the factor of the model that will read. The table weighs two megabytes: it is a piece of its own
 * that is loaded when something is counted, and never before.
 *
 * Time grows with the text whatever the text is. Merging pairs takes time that grows with the square of a word's length, so a
 * word of letters, of signs or of blanks that is longer than any in writing is counted in pieces; and of one that is longer than a
 * page the rest counts one token a byte, which no text exceeds.
 */
import { factorFor } from './factor.ts';

export type Counter = (text: string) => number;

const pieceCharsMax = 256;
const wordCharsMax = 4096;
/** What the table's own rule takes for one word; slashes and line ends go on after signs. */
const longWord = new RegExp(
  ['[\\p{L}\\p{M}]', '[^\\s\\p{L}\\p{N}]', '\\s', '[\\r\\n/]']
    .map((kind) => `${kind}{${pieceCharsMax},${wordCharsMax}}`)
    .join('|'),
  'gu',
);
/** Nothing in a text is a control token: names of them are words like others. */
const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

export async function loadCounter(target?: string): Promise<Counter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const factor = target === undefined ? 1 : factorFor(target);
  const exact = (text: string): number => (text === '' ? 0 : countTokens(text, plain));
  return (text) => Math.ceil(countInPieces(text, exact) * factor);
}

/** A token is a byte or more: what is no longer than that need not be counted, and no table is loaded. */
export function tokensAtMost(target?: string): Counter {
  const factor = target === undefined ? 1 : factorFor(target);
  return (text) => Math.ceil(Buffer.byteLength(text) * factor);
}

function countInPieces(text: string, exact: Counter): number {
  let tokens = 0;
  let at = 0;
  let isLonger = false;
  for (const { 0: word, index } of text.matchAll(longWord)) {
    const goesOn = isLonger && index === at;
    tokens += exact(text.slice(at, index)) + (goesOn ? Buffer.byteLength(word) : countWord(word, exact));
    at = index + word.length;
    isLonger = word.length === wordCharsMax;
  }
  return tokens + exact(at === 0 ? text : text.slice(at));
}

function countWord(word: string, exact: Counter): number {
  let tokens = 0;
  for (let at = 0; at < word.length; at += pieceCharsMax) tokens += exact(word.slice(at, at + pieceCharsMax));
  return tokens;
}
