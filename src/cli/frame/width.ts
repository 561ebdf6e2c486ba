/**
 * How many columns a text takes on a terminal. Terminals disagree about rare characters; this follows what most of them do:
 * East Asian wide characters and emoji take two, marks that combine take none, and a sequence held together by
 * zero-width joiners is one picture.
 */
const plain = /^[\u0020-\u007e]*$/;

const wideRanges: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const joiner = '\u200d';
const pictureForm = '\ufe0f';

export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return cells(text).reduce((sum, cell) => sum + cell.width, 0);
}

interface Cell {
  text: string;
  width: number;
}

/** A text in pieces that must not be cut apart. */
function cells(text: string): Cell[] {
  const pieces: Cell[] = [];
  let joins = false;
  for (const character of text) {
    const last = pieces.at(-1);
    const isFlag = last !== undefined && isFlagLetter(character) && isFlagLetter(last.text);
    const continues = joins || isFlag || takesNoRoom(character);
    joins = character === joiner;
    if (last === undefined || !continues) {
      pieces.push({ text: character, width: widthOf(character) });
      continue;
    }
    // The picture form of a character that is text by default is as wide as a picture.
    if (character === pictureForm && /^\p{Extended_Pictographic}$/u.test(last.text)) last.width = 2;
    last.text += character;
  }
  return pieces;
}

/** Two of them are one flag. */
function isFlagLetter(character: string): boolean {
  return /^\p{Regional_Indicator}$/u.test(character);
}

function widthOf(character: string): number {
  if (takesNoRoom(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  const wide = wideRanges.some(([from, to]) => code >= from && code <= to);
  return wide || /^\p{Emoji_Presentation}$/u.test(character) ? 2 : 1;
}

/** Marks, joiners, variation selectors, and the colours of skin that follow a picture. */
function takesNoRoom(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return false;
  if (code >= 0x1f3fb && code <= 0x1f3ff) return true;
  return character === joiner || /^\p{M}$/u.test(character);
}

/** Filled with spaces up to the width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Cut to the width, with an ellipsis where something is missing. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let taken = 0;
  for (const cell of cells(text)) {
    if (taken + cell.width > width - 1) break;
    kept += cell.text;
    taken += cell.width;
  }
  return `${kept.trimEnd()}…`;
}

/** Words laid out in lines no longer than the width. An indent goes before each line but the first, and is not counted. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && displayWidth(longer) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current].join(`\n${indent}`);
}

/** A command in a sentence: what is broken apart cannot be copied from there. */
const command =
  /(?<=^|: |→ |or |first |then |with )staffetta [a-z].*?(?=, or |, then |; | \(|\. [A-Z]|\.?$)/g;
const glue = '\u0001';

/** Sentences as a terminal of this width shows them best: broken between words, below where they begin, and never within a command. */
export function wrapSentences(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const lines = text.split('\n').map((words) => {
    if (displayWidth(words) <= width) return words;
    const [start = ''] = /^ *(?:→ )?/.exec(words) ?? [];
    const rest = words.slice(start.length).replaceAll(command, (one) => one.replaceAll(' ', glue));
    const indent = ' '.repeat(start.length);
    return start + wrap(rest, Math.max(20, width - start.length), indent).replaceAll(glue, ' ');
  });
  return lines.join('\n');
}
