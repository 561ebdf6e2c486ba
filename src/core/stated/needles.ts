/**
 * What a text must have for a sign to be in it: words, of which at least one stands in every text that has the sign. Most texts have none
 * of them, and need no look by the sign itself; and a text with a `sure` one has the sign.
 *
 * They are read off the regular expressions. A branch of one is written as the letters it takes, in order, with marks between them:
 *
 *   edge   a word begins or ends here
 *   tail   the rest of a word, of any length: \w*
 *   gap    anything, and perhaps nothing
 *
 * What stands between two gaps must be in the text, and the piece that is the rarest is the needle. Where branches would multiply
 * beyond `branchesMax` only the rarer half of a sequence is kept, with a gap for the other one.
 */
import type { Sign } from './kinds.ts';
import { patternOf, type Pattern } from './pattern.ts';
import { isCommon } from './term.ts';

export interface Needle {
  /** In lower case. */
  readonly text: string;
  /** Whether no letter, digit or underscore stands right before or after it. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** A text with it has the sign. */
  readonly sure: boolean;
}

interface Branch {
  readonly text: string;
  readonly sure: boolean;
}

const edge = '\u0001';
const tail = '\u0002';
const gap = '\u0003';
const branchesMax = 40;
const charsMax = 8;
const nothing: Branch = { text: '', sure: true };
const anything: Branch = { text: gap, sure: false };

/** Null: any text may have it. `lowered`: the texts that are looked at are in lower case. */
export function needlesOf(sign: Sign, lowered: boolean): readonly Needle[] | null {
  if (sign.any !== undefined) return joined(sign.any.map((each) => needlesOf(each, lowered)));
  if (sign.within !== undefined)
    return joined(sign.within.map((each) => needlesOf(each, lowered)))?.map(unsure) ?? null;
  if (!(sign instanceof RegExp)) return null;
  const pattern = patternOf(sign);
  if (pattern === null) return null;
  const needles = new Map<string, Needle>();
  for (const branch of branchesOf(pattern)) {
    const needle = needleIn(branch);
    if (needle === 'never') continue;
    if (needle === null) return null;
    // Of a sign that tells cases apart, only texts in lower case say whether it is there.
    const kept = shortened(lowered || sign.ignoreCase ? needle : unsure(needle));
    needles.set(`${kept.text}${gap}${kept.begins}${kept.ends}${kept.sure}`, kept);
  }
  return [...needles.values()];
}

function joined(lists: readonly (readonly Needle[] | null)[]): Needle[] | null {
  return lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? []);
}

/** What begins like a long one is rare enough to be tried. */
function shortened(needle: Needle): Needle {
  if (needle.text.length <= charsMax) return needle;
  return { ...needle, text: needle.text.slice(0, charsMax), ends: false, sure: false };
}

function unsure(needle: Needle): Needle {
  return { ...needle, sure: false };
}

function branchesOf(pattern: Pattern): readonly Branch[] {
  switch (pattern.of) {
    case 'letter':
      return pattern.letters?.map((text) => ({ text, sure: pattern.sure })) ?? [anything];
    case 'word':
      return [anything];
    case 'blank':
      return [{ text: `${edge}${gap}${edge}`, sure: false }];
    case 'edge':
      return [{ text: edge, sure: pattern.sure }];
    case 'look':
      return [{ text: '', sure: false }];
    case 'any':
      return pattern.parts.flatMap(branchesOf);
    case 'all':
      return sequence(pattern.parts);
    case 'times':
      return repeated(pattern);
  }
}

function repeated({ part, min, max }: Extract<Pattern, { of: 'times' }>): readonly Branch[] {
  if (part.of === 'word' && min === 0 && max === Number.POSITIVE_INFINITY)
    return [{ text: tail, sure: true }];
  if (min === 1 && max === 1) return branchesOf(part);
  if (min === 0 && max === 1) return [nothing, ...branchesOf(part)];
  if (min === 0)
    return branchesOf(part).every(closes) ? [nothing, { text: gap + edge, sure: false }] : [anything];
  return branchesOf(part).map(({ text }) => ({ text: `${text}${gap}`, sure: false }));
}

function sequence(parts: readonly Pattern[]): readonly Branch[] {
  let found: readonly Branch[] = [nothing];
  for (const part of parts) {
    const next = branchesOf(part);
    // Where no word is open, leaving out what ends with a word's edge leaves the edge.
    const isEither = next.length === 2 && next[0] === nothing && next[1]?.text === gap + edge;
    found = product(found, isEither && found.every(closes) ? next.slice(1) : next);
  }
  // What must follow has to be in the text too.
  for (const part of parts) {
    if (part.of !== 'look' || part.at === null) continue;
    const ahead = branchesOf(part.at).map(({ text }) => ({ text: `${gap}${text}${gap}`, sure: false }));
    if (commonness(ahead) < commonness(found)) found = ahead;
  }
  return found;
}

function product(first: readonly Branch[], second: readonly Branch[]): readonly Branch[] {
  if (second.length > 1 && first.length > 1 && first.length * second.length > branchesMax)
    return commonness(first) <= commonness(second) ? firstOf(first, second) : secondOf(first, second);
  return first.flatMap((one) =>
    second.map((other) => ({ text: one.text + other.text, sure: one.sure && other.sure })),
  );
}

function firstOf(first: readonly Branch[], second: readonly Branch[]): Branch[] {
  const isClosed = second.every((branch) => closes(branch) || (branch.text === '' && first.every(closes)));
  const rest = `${second.every(opens) ? edge : ''}${gap}${isClosed ? edge : ''}`;
  return first.map(({ text }) => ({ text: text + rest, sure: false }));
}

function secondOf(first: readonly Branch[], second: readonly Branch[]): Branch[] {
  const isOpened = first.every((branch) => opens(branch) || (branch.text === '' && second.every(opens)));
  const rest = `${isOpened ? edge : ''}${gap}${first.every(closes) ? edge : ''}`;
  return second.map(({ text }) => ({ text: rest + text, sure: false }));
}

/** Whether no word goes on behind it, or before it. */
function closes({ text }: Branch): boolean {
  return isEdge(text.at(-1));
}

function opens({ text }: Branch): boolean {
  return isEdge(text[0]);
}

function isEdge(letter: string | undefined): boolean {
  return letter !== undefined && letter !== tail && letter !== gap && !isWord(letter);
}

/** About how many of the words of a text are one of these. */
function commonness(branches: readonly Branch[]): number {
  let sum = 0;
  for (const branch of branches) {
    const needle = needleIn(branch);
    if (needle === null) return Number.POSITIVE_INFINITY;
    if (needle !== 'never') sum += rate(needle);
  }
  return sum;
}

const rateOfCommon = 0.1;

function rate({ text, begins, ends }: Needle): number {
  const isWord = begins && ends && /^\w+$/.test(text);
  if (isWord && isCommon(text)) return rateOfCommon;
  return 2 ** -(text.length + (begins ? 1 : 0) + (ends ? 1 : 0));
}

/** The rarest piece; null where there is none, and 'never' where no text can have it. */
function needleIn({ text, sure }: Branch): Needle | 'never' | null {
  const pieces = text.split(gap);
  let best: Needle | null = null;
  for (const piece of pieces) {
    const needle = needleOf(piece, sure && pieces.length === 1);
    if (needle === 'never') return 'never';
    if (needle !== null && (best === null || rate(needle) < rate(best))) best = needle;
  }
  return best;
}

function needleOf(piece: string, sure: boolean): Needle | 'never' | null {
  const parts = piece.split(tail);
  // The rest of a word is there whatever follows, if its end follows or nothing.
  const isOpen = parts.length === 2 && (parts[1] === '' || parts[1] === edge) && /\w$/.test(parts[0] ?? '');
  let best: Needle | null = null;
  for (const part of isOpen ? parts.slice(0, 1) : parts) {
    const needle = straight(part, sure && (isOpen || parts.length === 1));
    if (needle === 'never') return 'never';
    if (needle !== null && (best === null || rate(needle) < rate(best))) best = needle;
  }
  return best;
}

/** Branches share most of their pieces: two in three are known from another one. */
const [knownSure, knownUnsure] = [new Map<string, Straight>(), new Map<string, Straight>()];
type Straight = Needle | 'never' | null;

function straight(given: string, isSure: boolean): Straight {
  const known = isSure ? knownSure : knownUnsure;
  const before = known.get(given);
  if (before !== undefined) return before;
  const found = read(given, isSure);
  known.set(given, found);
  return found;
}

function read(given: string, isSure: boolean): Straight {
  let sure = isSure;
  // A blank has an edge on its other side, which says as much where the needle only has to be there.
  const part = sure ? given : given.replace(/^[\u0001 ]* (?=\w)|(?<=\w) [\u0001 ]*$/g, edge);
  const text = part.replaceAll(edge, '');
  if (text.trim() === '') return null;
  const inner = part.replace(/^\u0001+|\u0001+$/g, '');
  for (let at = inner.indexOf(edge); at !== -1; at = inner.indexOf(edge, at + 1)) {
    if (inner.charAt(at + 1) === edge) continue;
    const before = inner.slice(0, at).replaceAll(edge, '').at(-1) ?? '';
    if (isWord(before) === isWord(inner.charAt(at + 1))) return 'never';
  }
  const [first, last] = [part.startsWith(edge), part.endsWith(edge)];
  const begins = first && isWord(text.charAt(0));
  const ends = last && isWord(text.at(-1) ?? '');
  // An edge before a sign that is no letter asks for a letter before it.
  if (begins !== first || ends !== last) sure = false;
  return { text, begins, ends, sure };
}

function isWord(letter: string): boolean {
  const code = letter.charCodeAt(0) | 32;
  return (code >= 97 && code <= 122) || (letter >= '0' && letter <= '9') || letter === '_';
}
