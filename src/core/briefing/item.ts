/** One line of a briefing: what it says, and the names under which the whole can be asked for. */
import { sanitize, sanitizeLine } from '../base/sanitize.ts';
import type { SectionName } from './section.ts';

export interface BriefingItem {
  readonly section: SectionName;
  /** Shown before the text, and never cut. */
  readonly label?: string;
  readonly text: string;
  /** s42, j12, d3, r12; a claim without evidence has none and says so. */
  readonly names: readonly string[];
  /** Its place among those of its section when all are shown; they are taken in the order in which they are listed. */
  readonly place: number;
}

/** Longer than this is cut at first, and grows piece by piece where there is room. */
export const shortChars = 280;
/** Of a line; its name leads to the rest. */
export const dataCharsMax = 1200;

/** Foreign text in one line, that can neither end the fence around it nor begin one. */
export function asData(text: string): string {
  return unfenced(sanitizeLine(text.trim())).replace(/ {2,}/g, ' ');
}

/** Words without the marks that only a page shows: emphasis, and where a link leads if it says what it is. */
export function plain(text: string): string {
  return text
    .replace(/\[([^\]\n]{1,200})\]\((?:[^()\s]{1,400})\)/g, '$1')
    .replace(/\*\*(?=\S)([^*\n]{1,400}?)\*\*/g, '$1');
}

/** What people agreed on keeps its lines; they are indented, so that none can be taken for a heading. */
export function asTerms(text: string): string {
  return unfenced(sanitize(text.trim()))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n  ');
}

/** A command on one line; what ends a line in it is shown. */
export function asCommand(command: string): string {
  const lines = command
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return asData(lines.join(' ⏎ '));
}

/** Nothing in it opens or closes a data fence. */
export function unfenced(text: string): string {
  return text.replace(/<(?=\/?\s*data\b)/gi, '‹');
}

/** Goes on in the line of another sentence of the same step. */
export function joinOn({ text }: BriefingItem, shown: number): string {
  return ` … ${excerpt(text, shown)}`;
}

/** The line as far as it is shown: `shown` characters of the text. */
export function lineOf({ label, text, names }: BriefingItem, shown: number): string {
  // A name may be that of a file, and a label may quote: both are whatever somebody made them.
  const tail = names.length === 0 ? '' : ` [${asData(names.join(' '))}]`;
  return `- ${label === undefined ? '' : `${asData(label)}: `}${excerpt(text, shown)}${tail}\n`;
}

/** Both ends of a long text say more than its beginning alone: what was asked, and what became of it. */
const endShare = 0.4;
const bothEndsMin = 240;

/** As much of a text as is shown. */
function excerpt(text: string, shown: number): string {
  if (text.length <= shown) return text;
  if (shown < bothEndsMin) return `${cutAtWord(text, shown)}…`;
  const end = Math.floor(shown * endShare);
  const tail = text.slice(-end);
  const from = /\s/.exec(tail)?.index ?? 0;
  return `${cutAtWord(text, shown - end)} […] ${tail.slice(from > end / 2 ? 0 : from).trim()}`.toWellFormed();
}

export function cutAtWord(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = text.slice(0, chars);
  const blank = cut.lastIndexOf(' ');
  const whole = blank > chars / 2 ? cut.slice(0, blank) : cut;
  return /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
}

const ascii = /^[\u0000-\u007f]*$/;

/** The same words, however they are set. Most text is ASCII, where the short way gives the same. */
export function sameWords(text: string): string {
  const lower = text.toLowerCase();
  return (
    ascii.test(lower) ? lower.replace(/[^a-z0-9]+/g, ' ') : lower.replace(/[^\p{L}\p{N}]+/gu, ' ')
  ).trim();
}
