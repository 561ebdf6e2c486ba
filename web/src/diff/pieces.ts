/** A line cut into pieces that are each shown in one way: colour, changed word, hidden character. */
import { defined } from '../../../src/core/base/defined.ts';
import type { Range } from './words.ts';
import { hiddenIn, hiddenInProse } from './visible.ts';

export interface Colour extends Range {
  readonly scope: string;
}

interface Piece {
  readonly text: string;
  readonly scope?: string;
  readonly changed?: true;
  /** The name of the one character it is, which would not be seen. */
  readonly hidden?: string;
}

/** Colours and words are in order and do not overlap among themselves. */
export function piecesOf(
  text: string,
  words: readonly Range[],
  colours: readonly Colour[],
  prose = false,
): readonly Piece[] {
  const hidden = prose ? hiddenInProse(text) : hiddenIn(text);
  if (hidden.length === 0 && words.length === 0 && colours.length === 0) return text === '' ? [] : [{ text }];
  const borders = new Set([0, text.length]);
  for (const { from, to } of [...words, ...colours, ...hidden]) borders.add(from).add(to);
  const cuts = [...borders].filter((at) => at <= text.length).toSorted((a, b) => a - b);
  const [word, colour, unseen] = [follow(words), follow(colours), follow(hidden)];
  const pieces: Piece[] = [];
  for (const [n, from] of cuts.entries()) {
    const to = cuts[n + 1];
    if (to === undefined) break;
    const [isWord, scope, name] = [word(from), colour(from)?.scope, unseen(from)?.name];
    pieces.push({
      text: text.slice(from, to),
      ...(isWord === undefined ? {} : { changed: true }),
      ...defined({ scope, hidden: name }),
    });
  }
  return pieces;
}

/** Which of them a place is in; places are asked for in order. */
function follow<T extends Range>(ranges: readonly T[]): (at: number) => T | undefined {
  let next = 0;
  return (at) => {
    while ((ranges[next]?.to ?? Infinity) <= at) next += 1;
    const range = ranges[next];
    return range !== undefined && range.from <= at ? range : undefined;
  };
}
