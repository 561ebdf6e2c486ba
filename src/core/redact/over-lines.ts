/**
 * What goes over the end of a line:
 *
 *   password: |          - name: DB_PASSWORD        String password =          export DB_PASSWORD=…\
 *     …                    value: …                     "…";                   …
 *
 * A name that ends its line opens a place: the lines after it are looked at, as many as the form has. A line that ends in a backslash
 * is read together with the next. Each line keeps its own part of what is found; none is joined.
 *
 * A line in which a placeholder stands has been searched, and neither opens a place nor is one: redacting twice is redacting once.
 */
import type { Found } from './found.ts';
import { isLikelySecret, isMixed, isPasswordLooking, isRandomLooking } from './plausible.ts';
import { ranks } from './rules.ts';
import { isSecretOfName } from './rules/pairs.ts';
import { isEnvName, isPasswordName, isSecretName } from './secret-name.ts';

export interface Line {
  readonly text: string;
  readonly start: number;
  /** Where the next one begins. */
  readonly next: number;
}

export type LineAt = (from: number) => Line | undefined;

export interface OverLines {
  readonly found: readonly Found[];
  /** Where the lines begin that were read together, the first included. */
  readonly starts: readonly number[];
  /** The text ended before it could be decided: more may follow. */
  readonly isOpen: boolean;
}

const lineCharsMax = 300;
const blockLinesMax = 16;
const joinedLinesMax = 8;
const joinedCharsMax = 16 * 1024;

const listedName =
  /^([ \t+-]*)["']?(?:name|key)["']?[ \t]{0,4}:[ \t]{0,4}(["']?)([\w.-]{1,64})\2,?[ \t\r]*$/i;
const openName =
  /^([ \t+-]*)["'`]?([\w.-]{1,64})["'`]?[ \t]{0,4}:[ \t]{0,4}(?:([|>])[+\d-]{0,2})?[ \t]{0,4}(?:#[^\r]*)?\r?$/;
const openVariable =
  /^([ \t+-]*)(?:[A-Za-z][\w<>[\]]{0,40}[ \t]{1,4}){0,5}([\w.-]{1,64})[ \t]{0,4}(?::[ \t]{0,4}[A-Za-z][\w<>]{0,40}[ \t]{0,4})?=[ \t\r]*$/;
const namedLine =
  /^([ \t+-]*["'`]?value["'`]?[ \t]{0,4}:[ \t]{0,4}(["'`]?))([^ \t\r"'`]{1,512})\2,?[ \t]{0,8}(?:#[^\r]*)?\r?$/i;
const scalarLine = /^([ \t+-]*)((["'`]?))([^ \t\r"'`]{6,512})\3[,;]?[ \t\r]*$/;

/** What the lines after a name hold of its value. Undefined where the line opens nothing. */
export function valuesAfter(line: Line, lineAt: LineAt): OverLines | undefined {
  const { text } = line;
  if (text.length > lineCharsMax || text.includes('[redacted:')) return undefined;
  const listed = listedName.exec(text);
  if (listed !== null) {
    const [, , , name = ''] = listed;
    if (!isSecretName(name)) return undefined;
    // In a diff the old value and the new one.
    return read(line, lineAt, {
      linesMax: 2,
      find: (next) => valueIn(next, namedLine, (value) => isSecretOfName(name, value)),
    });
  }
  const assigned = openName.exec(text) ?? openVariable.exec(text);
  if (assigned === null) return undefined;
  const [, margin = '', name = '', block] = assigned;
  if (!isSecretName(name.replace(/^[-.]+/, ''))) return undefined;
  const isCode = /=[ \t\r]*$/.test(text);
  const find = (next: Line): Found | 'other' | undefined => {
    const match = scalarLine.exec(next.text);
    const isBlank = /^[ \t+\r-]*$/.test(next.text);
    if (!isBlank && !isBelow(margin, /^[ \t+-]*/.exec(next.text)?.[0] ?? '')) return undefined;
    if (match === null || (isCode && match[2] === '')) return 'other';
    return valueIn(next, scalarLine, (value) => isAssigned(name, value));
  };
  return read(line, lineAt, { linesMax: block === undefined ? 1 : blockLinesMax, find });
}

/** Further in, and no item of a list. */
function isBelow(margin: string, next: string): boolean {
  return next.length > margin.length && !/[+-]/.test(margin === '' ? next : next.slice(1));
}

function isAssigned(name: string, value: string): boolean {
  if (value.endsWith(':')) return false;
  if (isPasswordName(name) ? isPasswordLooking(value) : isRandomLooking(value)) return true;
  return isEnvName(name) && isPasswordName(name) && isMixed(value) && isLikelySecret(value);
}

interface Reading {
  readonly linesMax: number;
  /** What a line holds; `other` if it belongs to the place and holds nothing; undefined if the place has ended. */
  readonly find: (next: Line) => Found | 'other' | undefined;
}

function read(line: Line, lineAt: LineAt, { linesMax, find }: Reading): OverLines {
  const found: Found[] = [];
  const starts = [line.start];
  let at = line.next;
  for (let n = 0; n < linesMax; n++) {
    const next = lineAt(at);
    if (next === undefined) return { found, starts, isOpen: true };
    if (next.text.length > 4 * lineCharsMax) break;
    const one = find(next);
    if (one === undefined) break;
    starts.push(next.start);
    if (one !== 'other') found.push(one);
    at = next.next;
  }
  return { found, starts, isOpen: false };
}

function valueIn(
  line: Line,
  expression: RegExp,
  isSecret: (value: string) => boolean,
): Found | 'other' | undefined {
  const match = expression.exec(line.text);
  const value = match?.at(-1) ?? '';
  if (match === null) return undefined;
  if (value.includes('[redacted:') || !isSecret(value)) return 'other';
  const start = line.start + line.text.indexOf(value, (match[1] ?? '').length);
  return {
    start,
    end: start + value.length,
    rule: 'assigned-secret',
    rank: ranks.assigned,
    secret: value,
    continues: false,
  };
}

const continued = /(?<!\\)(?:\\\\)*\\\r?$/;

/** A line that ends in a backslash and those it goes on in: what is found across their ends. */
export function acrossEnds(
  line: Line,
  lineAt: LineAt,
  scan: (text: string) => readonly Found[],
): OverLines | undefined {
  if (!/\\\r?$/.test(line.text) || !continued.test(line.text.slice(-64))) return undefined;
  const starts: number[] = [];
  const pieces: string[] = [];
  let chars = 0;
  for (let next: Line | undefined = line; ; next = lineAt(next.next)) {
    if (next === undefined) return { found: [], starts, isOpen: true };
    const goesOn = pieces.length + 1 < joinedLinesMax && continued.test(next.text.slice(-64));
    const piece: string = goesOn ? next.text.replace(/\\\r?$/, '') : next.text;
    chars += piece.length;
    if (piece.includes('[redacted:') || chars > joinedCharsMax) return undefined;
    starts.push(next.start);
    pieces.push(piece);
    if (!goesOn) break;
  }
  return {
    found: scan(pieces.join('')).flatMap((one) => onLines(one, pieces, starts)),
    starts,
    isOpen: false,
  };
}

/** The parts of something found in the lines joined; nothing if it lies in one of them, where it was found already. */
function onLines(found: Found, pieces: readonly string[], starts: readonly number[]): Found[] {
  const parts: Found[] = [];
  let from = 0;
  for (const [i, piece] of pieces.entries()) {
    const start = Math.max(found.start - from, 0);
    const end = Math.min(found.end - from, piece.length);
    const lineStart = starts[i] ?? 0;
    if (start < end)
      parts.push({ ...found, start: lineStart + start, end: lineStart + end, continues: parts.length > 0 });
    from += piece.length;
  }
  return parts.length > 1 ? parts : [];
}
