/**
 * Private keys: PEM of every kind (PKCS, OpenSSH, PGP, SSH2), PuTTY, and PEM that was put into base64 once more, alone or behind
 * anything else, such as its certificate. A key begins at its opening mark and goes on in runs of base64. Whatever stands between the runs does not matter: the end of a line and the number that
 * a listing puts before the next, the fields of a record, the cells of a table, a comment, another line. What is the same between two
 * runs as between two others, apart from words and numbers, is how this text separates them.
 *
 *   as long as the line of a key, and as chance makes it   is one
 *   shorter, as chance makes it                            is one if it is separated as others are, or if the closing mark follows
 *   the last piece, however short                          is one if it is separated as others are
 *
 * The key ends at its closing mark, at any other mark, or where no run comes for too long. Only the runs are replaced, each by the same
 * placeholder: no line is added, removed or joined, so a diff still applies, JSON stays JSON, and line numbers stay true.
 */
import { withoutListing } from './lead.ts';
import { hasBothCases, isNameLike } from './plausible.ts';
import { placeholdersIn } from './placeholder.ts';
import type { Span } from './rule.ts';
import { uncoloured, type View } from './scan/view.ts';

/** How a word shows in base64, by how many bytes of its group stand before it; the characters at its ends depend on its neighbours. */
function encoded(word: string): readonly Encoded[] {
  return [0, 1, 2].map((before) => {
    const first = Math.ceil((before * 8) / 6);
    const chars = Buffer.from('\0'.repeat(before) + word).toString('base64');
    return { chars: chars.slice(first, Math.floor(((before + word.length) * 8) / 6)), first };
  });
}

interface Encoded {
  readonly chars: string;
  /** Its place in the four characters of a group. */
  readonly first: number;
}

/** Where lines are wrapped one of the two may be cut in two, hardly both. */
const encodedBegin = encoded('-----BEGIN ');
const encodedKey = encoded('PRIVATE KEY');
const encodedEnd = encoded('-----END ');
/** Of a mark before its last two words: the longest is SSH2 ENCRYPTED. */
const encodedStartCharsMax = 36;

/** Every mark has one of these in it; what stands between two of them is read once. */
export const keyBlockAnchors: readonly string[] = [
  'PRIVATE KEY',
  'Private-Lines:',
  'Private-MAC:',
  ...[...encodedBegin, ...encodedKey].map(({ chars }) => chars),
];

/** A block this long is closed and a new one begun, so that a stream never waits for more than this. */
export const blockBytesMax = 256 * 1024;
/** Before and behind an anchor: the rest of a mark. */
export const markBytesMax = 64;
/** In base64 it is longer, and may go on in the next line. */
export const encodedMarkBytesMax = 256;

const markStart = /-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}$/;
const markEnd = /^PRIVATE KEY(?: BLOCK)? ?-{4,5}/;
const otherMark = /-{4,5} ?(?:BEGIN|END) [A-Z]/;
const putty = /^Private-(?:Lines: \d{1,4}(?!\d)|MAC:)/;
const run = /(?:[A-Za-z0-9+/]|\\\/)+={0,2}|=[A-Za-z0-9+/]{4}(?![A-Za-z0-9+/=])/g;
/** The letter of an escape is no part of what follows it. */
const escaped = /[nrtbfv]/;

/** Less than the smallest key there is (Ed25519 in PKCS 8: 64 characters): a stand-in in a manual. */
const keyCharsMin = 40;
const pieceCharsMin = 16;
/** Nothing wraps lines later than this; what is longer is a key only right behind its mark. */
const wrappedCharsMax = 128;
/** From a mark or a run to the next run. */
const gapCharsMax = 1024;
/** Of words and numbers between two runs; more are not compared. */
const gapWordsMax = 48;

export interface BlockMark {
  /** Otherwise it closes. */
  readonly opens: boolean;
  /** From its anchor to its end; nothing for a mark that is itself a part of the key. */
  readonly length: number;
}

/** The mark that an anchor is part of, if there is one: what stands right before the anchor, and the text from it on. */
export function markAt(before: string, text: string): BlockMark | undefined {
  const lead = before.includes('\x1b[') ? uncoloured(before).text : before;
  if (isEncodedMark(lead, text)) return { opens: true, length: 0 };
  const length = putty.exec(text)?.[0].length;
  if (length !== undefined)
    return /[\w-]$/.test(lead) ? undefined : { opens: !text.startsWith('Private-MAC'), length };
  const end = markEnd.exec(text)?.[0].length;
  const kind = end === undefined ? undefined : markStart.exec(lead)?.[1];
  return end === undefined || kind === undefined ? undefined : { opens: kind === 'BEGIN', length: end };
}

const beginsKey = /^[^]{0,3}-{4}BEGIN [A-Z0-9 ]{0,20}PRIVATE K/;
const beginsMaybe = /^[^]{0,3}-{4}BEGIN [A-Z0-9 ]{0,28}$/;
/** The end of a mark, and a key behind it: otherwise it is the closing one. */
const isBeforeKey = /^[^]{0,3}RIVATE KEY(?: BLOCK)?-----\r?\n(?:[A-Za-z0-9+/=]{16}|[A-Z][A-Za-z-]{3,12}: )/;
const isBeforeMaybe = /^[^]{0,3}RIVATE KEY[A-Z -]{0,12}[\r\n]{0,2}[A-Za-z0-9+/=]{0,15}$/;

function isEncodedMark(before: string, text: string): boolean {
  const isAt = ({ chars }: Encoded): boolean => text.startsWith(chars);
  const begin = encodedBegin.find(isAt);
  const key = encodedKey.find(isAt);
  const { first } = begin ?? key ?? {};
  if (first === undefined) return false;
  // Of a mark that is whole its beginning decides.
  const isDecided = [...encodedBegin, ...encodedEnd].some(({ chars }) =>
    before.slice(-encodedStartCharsMax).includes(chars),
  );
  if (key !== undefined && isDecided) return false;
  // The plus before the next line is the diff's, or its own.
  return [text, text.replace(/\n[+-]/g, '\n')].map(joinedLines).some(({ chars, isCut }) => {
    const decoded = Buffer.from('A'.repeat(first) + chars, 'base64').toString('latin1');
    if ((begin === undefined ? isBeforeKey : beginsKey).test(decoded)) return true;
    // More may follow: then the line is held back until it has.
    return isCut && (begin === undefined ? isBeforeMaybe : beginsMaybe).test(decoded);
  });
}

/** The base64 that a text begins with, over the ends of lines and what a listing puts before them. */
function joinedLines(text: string): { readonly chars: string; readonly isCut: boolean } {
  const lines = text.split('\n').map((line, i) => (i === 0 ? line : withoutListing(line).trimStart()));
  let chars = '';
  for (const line of lines) {
    const own = /^[A-Za-z0-9+/]*={0,2}/.exec(line)?.[0] ?? '';
    chars += own;
    if (own.length < line.trimEnd().length) return { chars, isCut: false };
  }
  return { chars, isCut: text.length < encodedMarkBytesMax && !chars.endsWith('=') };
}

/** In the middle of a key: its runs go on as they began. */
export interface Inside {
  /** How its runs are separated, without words and numbers, and which characters stand right behind one. */
  readonly separators: ReadonlySet<string>;
  readonly behind: ReadonlySet<string>;
  /** What came behind the last of them. */
  readonly since: string;
  /** A part of this key was already found. */
  readonly continues: boolean;
}

export const openedBlock: Inside = { separators: new Set(), behind: new Set(), since: '', continues: false };

export interface KeyBlock {
  /** Its runs, joined: equal keys are equal however they were wrapped. */
  readonly secret: string;
  readonly spans: readonly Span[];
  readonly runs: readonly string[];
  /** The text ended before it was seen that the key does. */
  readonly isOpen: boolean;
  /** For what follows. */
  readonly inside: Inside;
}

/** What follows the text: the closing mark of a key, another mark, or nobody knows. */
export type Next = 'closes' | 'opens' | undefined;

/** The runs of a key in the text behind its opening mark. */
export function readBlock(source: string, before: Inside, next: Next): KeyBlock {
  const shown = shownOf(source);
  const other = otherMark.exec(shown.text);
  const text = other === null ? shown.text : shown.text.slice(0, other.index);
  const reader = new RunReader(text, before);
  const isToEnd = reader.read();
  // The mark that follows the text begins in it.
  const isNext = other === null || other.index >= shown.text.length - markBytesMax;
  const isClosed = isToEnd && isNext && next === 'closes';
  const pieces = withoutSigns(reader.pieces.filter(({ isSure }) => isSure || isClosed));
  const runs = pieces.map(({ start, end }) => text.slice(start, end).replaceAll('\\/', '/'));
  const secret = runs.join('');
  const isKey = before.continues || secret.length >= keyCharsMin;
  return {
    secret,
    spans: isKey
      ? pieces.map(({ start, end }) => ({ start: shown.sourceStart(start), end: shown.sourceEnd(end) }))
      : [],
    runs,
    isOpen: isToEnd && other === null && next === undefined,
    inside: { separators: reader.separators, behind: reader.behind, since: reader.since(), continues: true },
  };
}

/** A program's colours are no part of the text. */
function shownOf(text: string): View {
  return text.includes('\x1b[') ? uncoloured(text) : { text, sourceStart: (at) => at, sourceEnd: (at) => at };
}

interface Piece extends Span {
  /** Whatever follows. */
  readonly isSure: boolean;
  /** It has the plus of a diff before it, or a plus of its own. */
  readonly hasSign: boolean;
}

class RunReader {
  readonly separators: Set<string>;
  readonly behind: Set<string>;
  readonly pieces: Piece[] = [];
  readonly #text: string;
  readonly #continues: boolean;
  /** Where the last run ended, or the mark. */
  #last = 0;
  #before: string;
  #chars = 0;
  #longest = 0;

  constructor(text: string, { separators, behind, since, continues }: Inside) {
    this.#text = text;
    this.separators = new Set(separators);
    this.behind = new Set(behind);
    this.#continues = continues;
    this.#before = since;
    if (!continues) this.behind.add(text.charAt(0));
  }

  /** Whether the key may go on behind the text. */
  read(): boolean {
    const text = this.#text;
    const placeholders = placeholdersIn(text);
    let nextPlaceholder = 0;
    let words = 0;
    for (const match of text.matchAll(run)) {
      const end = match.index + match[0].length;
      const isEscaped = text.charAt(match.index - 1) === '\\' && escaped.test(text.charAt(match.index));
      const start = match.index + (isEscaped ? 1 : 0);
      if (this.#gapTo(start) > gapCharsMax) return false;
      let placeholder = placeholders[nextPlaceholder];
      while (placeholder !== undefined && placeholder.end <= start)
        placeholder = placeholders[++nextPlaceholder];
      if (placeholder !== undefined && placeholder.start < start) {
        this.#goOnFrom(placeholder.end);
        words = 0;
        continue;
      }
      words++;
      if (start < end && this.#takes(start, end, words)) words = 0;
    }
    return this.#gapTo(text.length) <= gapCharsMax;
  }

  /** What came behind the last run. */
  since(): string {
    return this.#before + this.#text.slice(this.#last);
  }

  #gapTo(at: number): number {
    return this.#before.length + at - this.#last;
  }

  #goOnFrom(at: number): void {
    this.#last = at;
    this.#before = '';
  }

  #takes(start: number, end: number, words: number): boolean {
    const text = this.#text;
    const length = end - start;
    if (length < pieceCharsMin && this.#chars < keyCharsMin && !this.#continues) return false;
    if (length >= pieceCharsMin || words <= gapWordsMax) {
      const between = separatorOf(this.#before + text.slice(this.#last, start));
      const isSeparated =
        this.separators.has(between) && (end === text.length || this.behind.has(text.charAt(end)));
      const isRandom = length >= pieceCharsMin && isKeyLike(text.slice(start, end));
      const isAtOnce = length >= keyCharsMin && !between.includes('a');
      const isLine = length >= keyCharsMin && length <= wrappedCharsMax && isRandom;
      const isLast = isSeparated && (length <= this.#longest || this.#continues || isRandom);
      const isSure = isAtOnce || isLine || isLast;
      if (!isSure && (!isRandom || length > wrappedCharsMax)) return false;
      this.pieces.push({ start, end, isSure, hasSign: text.charAt(start) === '+' });
      this.separators.add(between);
      this.behind.add(text.charAt(end));
      this.#goOnFrom(end);
      this.#chars += length;
      this.#longest = Math.max(this.#longest, length);
      return true;
    }
    return false;
  }
}

function isKeyLike(text: string): boolean {
  return hasBothCases(text) && !isNameLike(text);
}

/** Words and numbers differ from line to line, as white space does that aligns them. */
function separatorOf(between: string): string {
  return between.replace(/[ \t\r]+/g, ' ').replace(/[A-Za-z0-9]+(?: [A-Za-z0-9]+)*/g, 'a');
}

/** In a diff the plus before a line looks like a part of it: there every other line has one too, or is shorter by it. */
function withoutSigns(pieces: readonly Piece[]): readonly Piece[] {
  const signed = pieces.filter(({ hasSign }) => hasSign);
  const bare = new Set(pieces.filter(({ hasSign }) => !hasSign).map(({ start, end }) => end - start));
  const isDiff = pieces.length > 1 && signed.length === pieces.length;
  let isSigned = isDiff;
  return pieces.map((piece) => {
    isSigned = piece.hasSign && (isSigned || bare.has(piece.end - piece.start - 1));
    return isSigned ? { ...piece, start: piece.start + 1 } : piece;
  });
}
