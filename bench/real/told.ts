/** What a briefing tells of a session, held against what the records of the session hold. */
import { filesTold, saidByUsers } from './briefing-of.ts';
import type { HumanWords } from './human-records.ts';

export interface Told {
  /** Words given as a user's that no human record holds, as the briefing shows them. */
  readonly foreign: readonly string[];
  /** Lines that are given as a user's. */
  readonly said: number;
  /** Messages that people typed and the briefing does not tell. */
  readonly untold: readonly string[];
  /** Edited files that the list of files does not tell. */
  readonly unlisted: readonly string[];
}

export interface Facts {
  readonly human: HumanWords;
  readonly edited: readonly string[];
}

/** The beginning of a message by which it is known again: a briefing may cut the rest. */
const beginningChars = 40;
/** Cut even shorter than that, a line must have so much of it. */
const cutCharsMin = 20;
/** Of a message, to find its beginning in. */
const formCharsMax = 2000;

export function toldIn(text: string, { human, edited }: Facts): Told {
  const lines = saidByUsers(text);
  const humans = [...human.typed, ...human.given].flatMap(formsOf);
  const said = ` ${asWords(lines.join(' '))} `;
  const cut = lines.flatMap((line) => (line.endsWith('…') ? asWords(line) : []));
  const listed = filesTold(text);
  return {
    foreign: lines.filter((line) => !piecesOf(line).every((piece) => isOfHumans(piece, humans))),
    said: lines.length,
    untold: messagesOf(human).filter((message) =>
      formsOf(message.slice(0, formCharsMax)).every((words) => {
        const beginning = words.slice(0, beginningChars).trimEnd();
        const isCut = cut.some((line) => line.length >= cutCharsMin && beginning.startsWith(line));
        return !isCut && !said.includes(words.length > beginning.length ? ` ${beginning}` : ` ${words} `);
      }),
    ),
    unlisted: edited.filter((path) => !listed.includes(path)),
  };
}

/** Those that have a word in them. */
export function messagesOf({ typed }: HumanWords): readonly string[] {
  return typed.filter((message) => asWords(message) !== '');
}

/** A line may leave out sentences and what stands between them, and a secret is masked in it. */
function piecesOf(line: string): string[] {
  return line
    .split(/…|\[redacted:[^\]]*\]|[.:;?!]\s/)
    .map(asWords)
    .filter((piece) => piece !== '');
}

/** Of so many words in a row at least, where lines of a longer text were left out without a sign. */
const runWordsMin = 3;

function isOfHumans(piece: string, humans: readonly string[]): boolean {
  const has = (words: readonly string[]): boolean => humans.some((one) => one.includes(words.join(' ')));
  const words = piece.split(' ');
  let at = 0;
  while (at < words.length) {
    let end = words.length;
    const least = Math.min(at + runWordsMin, words.length);
    while (end > least && !has(words.slice(at, end))) end -= 1;
    if (!has(words.slice(at, end))) return false;
    at = end;
  }
  return true;
}

const colour = /\u001b\[[0-9;]*[A-Za-z]/g;
const listNumber = /^\s*\d+[.)]\s/gm;

/** As it stands, and without the numbers of its lists: a briefing may tell either. */
function formsOf(text: string): string[] {
  return [...new Set([asWords(text), asWords(text.replace(listNumber, ' '))])].filter(
    (words) => words !== '',
  );
}

function asWords(text: string): string {
  return text
    .replace(colour, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
