/**
 * What the program read from files and resources that a message names with @. It stands behind the words of the person, in parts of
 * its own between two marks; where somebody joined the parts to one text, the marks are lines of it. A file may hold the line that
 * ends it, so that the last one counts. What a client embeds has a mark at its beginning alone.
 */
import { withoutEnd } from '../../core/base/without-end.ts';
const opening = /^--- Content from referenced (?:files|context) ---$/;
const closing = '--- End of content ---';
const heading = /^Content from @.*:$/;

export interface Sorted {
  readonly words: readonly string[];
  readonly pulledIn: readonly string[];
  /** Whether the marks stand in a text with other words: somebody may have typed them. */
  readonly isMixed: boolean;
}

export function withoutPulledIn(texts: readonly string[]): Sorted {
  if (!texts.some((text) => text.includes('--- Content from referenced '))) {
    return { words: texts, pulledIn: [], isMixed: false };
  }
  const from = texts.findIndex((text) => opening.test(text.trim()));
  const own = from === -1 ? texts : texts.slice(0, from);
  const parts = from === -1 ? [] : texts.slice(from);
  const end = endIn(parts);
  const sorted = own.map(lineByLine);
  const within = sorted.map(({ pulledIn }) => pulledIn).filter((text) => text !== '');
  return {
    words: [...sorted.map(({ words }) => words), ...parts.slice(end)].filter((text) => text !== ''),
    pulledIn: [...within, ...(end === 0 ? [] : [parts.slice(0, end).join('').trim()])],
    isMixed: within.length > 0,
  };
}

/** How many of the parts are the program's: up to the last end, and what is headed as content behind it; all, where nothing ends it. */
function endIn(parts: readonly string[]): number {
  const last = parts.findLastIndex((text) => text.trim() === closing);
  const begun = parts.findLastIndex((text) => opening.test(text.trim()) || heading.test(text.trim()));
  return last === -1 || begun > last ? parts.length : last + 1;
}

/** The same in one text. Without an end it is the program's only where its heading follows: a line alone says nothing. */
function lineByLine(text: string): { readonly words: string; readonly pulledIn: string } {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => opening.test(line.trim()));
  if (from === -1) return { words: text, pulledIn: '' };
  const last = lines.findLastIndex((line) => line.trim() === closing);
  const isHeaded = lines.slice(from + 1).find((line) => line.trim() !== '');
  if (last < from && !heading.test(isHeaded?.trim() ?? '')) return { words: text, pulledIn: '' };
  const end = last < from ? lines.length : last + 1;
  const words = [...lines.slice(0, from), ...lines.slice(end)];
  return {
    words: withoutEnd(words.join('\n'), '\n'),
    pulledIn: lines.slice(from, end).join('\n').trim(),
  };
}
