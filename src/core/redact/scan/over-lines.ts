/**
 * What goes over the end of a line:
 *
 *   password: |          - name: DB_PASSWORD        String password =          export DB_PASSWORD=…\
 *     …                    value: …                     "…";                   …
 *
 *   <key>Password</key>  <password>                 user,password              Authorization: Bearer
 *   <string>…</string>     …                        ada,…                      …
 *
 * A name that ends its line opens a place: the lines after it are looked at, as many as the form has. A line that ends in a backslash
 * is read together with the next. Each line keeps its own part of what is found; none is joined.
 *
 * A line in which a placeholder stands has been searched, and neither opens a place nor is one: redacting twice is redacting once.
 */
import type { FoundSecret } from './found.ts';
import { isLikelySecret, isMixed, isPasswordLooking, isRandomLooking } from '../plausible.ts';
import type { Span } from '../rule.ts';
import { ranks } from '../rules.ts';
import { isToken } from '../rules/headers.ts';
import { isSecretOfName } from '../rules/pairs.ts';
import { after, quotedAt } from '../rules/values.ts';
import { isEnvName, isPasswordName, isSecretName } from '../secret-name.ts';

export interface ScannedLine {
  readonly text: string;
  readonly start: number;
  /** Where the next one begins. */
  readonly next: number;
}

export type LineAt = (from: number) => ScannedLine | undefined;

export interface OverLines {
  readonly found: readonly FoundSecret[];
  /** Where the lines begin that were read together, the first included. */
  readonly starts: readonly number[];
  /** The text ended before it could be decided: more may follow. */
  readonly isOpen: boolean;
}

const lineCharsMax = 300;
const blockLinesMax = 16;
const rowsMax = 1000;
const joinedLinesMax = 8;
const joinedCharsMax = 16 * 1024;

const listedName =
  /^([ \t+-]*)["']?(?:name|key)["']?[ \t]{0,4}:[ \t]{0,4}(["']?)([\w.-]{1,64})\2,?[ \t\r]*$/i;
const openName =
  /^([ \t+-]*)["'`]?([\w.-]{1,64})["'`]?[ \t]{0,4}:[ \t]{0,4}(?:([|>])[+\d-]{0,2})?[ \t]{0,4}(?:#[^\r]*)?\r?$/;
const openVariable =
  /^([ \t+-]*)(?:[A-Za-z][\w<>[\]]{0,40}[ \t]{1,4}){0,5}([\w.-]{1,64})[ \t]{0,4}(?::[ \t]{0,4}[A-Za-z][\w<>]{0,40}[ \t]{0,4})?=[ \t\r]*$/;
const openKey = /^[ \t+-]*<key>([\w.-]{1,64})<\/key>[ \t\r]*$/;
const openElement = /^([ \t+-]*)<(?:[\w.-]{1,40}:)?([\w.-]{1,64})(?:[ \t][^<>]{0,200})?>[ \t\r]*$/;
const openHeader = /(?<![\w-])bearer[ \t\r]*$/i;
const namedLead = /^[ \t+-]*["'`]?value["'`]?[ \t]{0,4}:[ \t]{0,4}/i;
/** The sign of a diff, and that of an item of a list. */
const scalarLead = /^[+-]?[ \t]*(?:-[ \t]+)?/;
const stringLead = /^[ \t+-]*<string>/;
const word = /[^ \t\r"'`][^ \t\r]{0,511}/y;
const words = /[^ \t\r"'`](?:[^\r]{0,510}[^ \t\r])?/y;
const data = /[^<\r]{6,512}(?=<)/y;
const token = /[\w.~+/-]{16,512}={0,2}/y;
const behindValue = /^["'`]?[,;]?[ \t]{0,8}(?:#[^\r]*|<\/[^\r]*)?\r?$/;

/** What the lines after a name hold of its value. Undefined where the line opens nothing. */
export function valuesAfter(line: ScannedLine, lineAt: LineAt): OverLines | undefined {
  const { text } = line;
  if (text.length > lineCharsMax || text.includes('[redacted:')) return undefined;
  const listed = listedName.exec(text)?.[3];
  if (listed !== undefined && isSecretName(listed))
    // In a diff the old value and the new one.
    return read(line, lineAt, {
      linesMax: 2,
      find: (next) => valueIn(next, [namedLead, word], (value) => isSecretOfName(listed, value)),
    });
  const key = openKey.exec(text)?.[1];
  if (key !== undefined && isSecretName(key))
    return read(line, lineAt, {
      linesMax: 1,
      find: (next) => valueIn(next, [stringLead, data], (value) => isAssigned(key, value)),
    });
  if (openHeader.test(text))
    return read(line, lineAt, { linesMax: 1, find: (next) => valueIn(next, [scalarLead, token], isToken) });
  return scalarsAfter(line, lineAt) ?? cellsBelow(line, lineAt);
}

function scalarsAfter(line: ScannedLine, lineAt: LineAt): OverLines | undefined {
  const { text } = line;
  const assigned = openName.exec(text) ?? openVariable.exec(text) ?? openElement.exec(text);
  if (assigned === null) return undefined;
  const [, margin = '', name = '', block] = assigned;
  if (!isSecretName(name.replace(/^[-.]+/, ''))) return undefined;
  const isCode = /=[ \t\r]*$/.test(text);
  const find = (next: ScannedLine): readonly FoundSecret[] | undefined => {
    const lead = scalarLead.exec(next.text)?.[0] ?? '';
    const isBlank = lead.length === next.text.trimEnd().length;
    if (!isBlank && !isBelow(margin, lead)) return undefined;
    if (isBlank || (isCode && !/["'`]/.test(next.text.charAt(lead.length)))) return [];
    const value = [scalarLead, block === undefined ? word : words] as const;
    return valueIn(next, value, (one) => one.length >= 6 && isAssigned(name, one)) ?? [];
  };
  return read(line, lineAt, { linesMax: block === undefined ? 1 : blockLinesMax, find });
}

const heading = /^[A-Za-z][\w .-]{0,40}$/;

/** The rows of a table below a heading that says secret, in text or Markdown. */
function cellsBelow(line: ScannedLine, lineAt: LineAt): OverLines | undefined {
  const mark = [',', '\t', ';', '|'].find((one) => line.text.includes(one));
  const headings = mark === undefined ? [] : cellsOf(line.text, mark);
  if (mark === undefined || headings.length < 2) return undefined;
  const isFrame = (i: number): boolean => mark === '|' && (i === 0 || i === headings.length - 1);
  if (!headings.every(({ text }, i) => heading.test(text) || (text === '' && isFrame(i)))) return undefined;
  const isSecret = headings.map(({ text }) => isSecretName(text.replaceAll(' ', '_')));
  if (!isSecret.includes(true)) return undefined;
  const find = (next: ScannedLine): readonly FoundSecret[] | undefined => {
    const cells = cellsOf(next.text, mark);
    if (cells.length !== headings.length || cells.some(({ text }) => isSecretName(text))) return undefined;
    return cells.flatMap(({ text, start }, i) => {
      const isValue = isSecret[i] === true && !text.includes('[redacted:');
      const name = headings[i]?.text ?? '';
      return isValue && isAssigned(name, text) ? [foundAt(next.start + start, text)] : [];
    });
  };
  return read(line, lineAt, { linesMax: rowsMax, find });
}

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** Without the quotes around them. */
function cellsOf(line: string, mark: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; at <= line.length;) {
    const quoted = line.charAt(at) === '"' ? line.indexOf(`"${mark}`, at + 1) : -1;
    const next = line.indexOf(mark, quoted === -1 ? at : quoted);
    const end = next === -1 ? line.length : next;
    const [margin = ''] = /^[ \t"'`]*/.exec(line.slice(at, end)) ?? [];
    const start = at + margin.length;
    cells.push({ text: line.slice(start, end).replace(/[ \t\r"'`]+$/, ''), start });
    at = end + 1;
  }
  return cells;
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
  /** What a line holds; nothing found if it belongs to the place; undefined if the place has ended. */
  readonly find: (next: ScannedLine) => readonly FoundSecret[] | undefined;
}

function read(line: ScannedLine, lineAt: LineAt, { linesMax, find }: Reading): OverLines {
  const found: FoundSecret[] = [];
  const starts = [line.start];
  let at = line.next;
  for (let n = 0; n < linesMax; n++) {
    const next = lineAt(at);
    if (next === undefined) return { found, starts, isOpen: true };
    if (next.text.length > 4 * lineCharsMax) break;
    const inLine = find(next);
    if (inLine === undefined) break;
    starts.push(next.start);
    found.push(...inLine);
    at = next.next;
  }
  return { found, starts, isOpen: false };
}

/** The value behind a lead, to the end of the line. */
function valueIn(
  line: ScannedLine,
  [lead, bare]: readonly [lead: RegExp, bare: RegExp],
  isSecret: (value: string) => boolean,
): readonly FoundSecret[] | undefined {
  const from = lead.exec(line.text)?.[0].length;
  const span = from === undefined ? undefined : spanAt(line.text, from, bare);
  if (span === undefined || !behindValue.test(line.text.slice(span.end))) return undefined;
  const value = line.text.slice(span.start, span.end);
  return value.includes('[redacted:') || !isSecret(value) ? [] : [foundAt(line.start + span.start, value)];
}

function spanAt(text: string, start: number, bare: RegExp): Span | undefined {
  const quote = text.charAt(start);
  if (bare !== data && /["'`]/.test(quote)) return quotedAt(text, start + 1, quote);
  const end = after(bare, text, start);
  return end === undefined ? undefined : { start, end: /[,;]$/.test(text.slice(start, end)) ? end - 1 : end };
}

function foundAt(start: number, secret: string): FoundSecret {
  return {
    start,
    end: start + secret.length,
    rule: 'assigned-secret',
    rank: ranks.assigned,
    secret,
    continues: false,
  };
}

const continued = /(?<!\\)(?:\\\\)*\\\r?$/;

/** A line that ends in a backslash and those it goes on in: what is found across their ends. */
export function acrossEnds(
  line: ScannedLine,
  lineAt: LineAt,
  scan: (text: string) => readonly FoundSecret[],
): OverLines | undefined {
  if (!/\\\r?$/.test(line.text) || !continued.test(line.text.slice(-64))) return undefined;
  const starts: number[] = [];
  const pieces: string[] = [];
  let chars = 0;
  for (let next: ScannedLine | undefined = line; ; next = lineAt(next.next)) {
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
function onLines(found: FoundSecret, pieces: readonly string[], starts: readonly number[]): FoundSecret[] {
  const parts: FoundSecret[] = [];
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
