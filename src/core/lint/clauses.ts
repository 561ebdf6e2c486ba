/**
 * How the rules that judge wording read a text: as it is seen, without what it only quotes, and clause by clause. What holds of one
 * clause need not hold of the next, and the last word on a matter is the one that counts.
 */
import { asSeen } from './as-seen.ts';

const quotes = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|「[^」\n]*」/g;
const codeMarks = /`[^`\n]*`/g;

/** As seen, with single spaces and without empty lines: patterns need not go over the same space again and again. */
export function evenly(text: string): string {
  return asSeen(text)
    .split('\n')
    .map((line) => line.trim().replaceAll(/[^\S\n]{2,}/g, ' '))
    .filter((line) => line !== '')
    .join('\n');
}

/** Without texts in quotation marks: they are spoken of, not said. A text that is one quotation is said. */
export function withoutQuotes(text: string): string {
  const even = evenly(text);
  const rest = even.replaceAll(quotes, ' ‹quoted› ');
  return /^[\s.!]*‹quoted›[\s.!]*$/.test(rest) ? even : rest;
}

/** Without quotations and without what stands in code marks. */
export function withoutMarks(text: string): string {
  return withoutQuotes(text).replaceAll(codeMarks, ' ‹code› ');
}

/** Marks that end a clause. A dot ends one only before a space: file names and versions have dots too. */
const boundary =
  /[;!?\n…]|\.(?=\s|$)|:(?=\s)|,(?=\s|$)|\s[–—]\s|\s->\s|\s?→\s?|\s\((?=\w)|\)\s|\b(?:but|however|whereas|although|though|yet(?=\s+(?:the|it|they|all|no)\b))\b|\b(?:and|&)\b|\s&\s/;

/** The parts of a text that can each be true or false, in order. */
export function clausesOf(text: string): string[] {
  return text
    .split(boundary)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap(pieces);
}

/** No clause is this long. What is, comes in pieces, so that no text takes long to read. */
const clauseCharsMax = 500;

export function pieces(text: string): string[] {
  if (text.length <= clauseCharsMax) return [text];
  return Array.from({ length: Math.ceil(text.length / clauseCharsMax) }, (_, i) =>
    text.slice(i * clauseCharsMax, (i + 1) * clauseCharsMax),
  );
}
