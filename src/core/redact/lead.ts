/**
 * Programs that list a file put something before every line: a number, the file's name, a time, the sign of a diff. Lines of base64
 * that belong together are told by what stands before them.
 */
import type { Span } from './rule.ts';

export const leadCharsMax = 512;
const trailingCharsMax = 64;
/** The quote and the plus of a programming language, the frame of a table, what `cat -A` shows of a line's end. */
const trailing = /(?:\\[nr]|\^M|\xe2\x94\x82|[ \t\r"'`,;()\\|$]|(?<=[ \t"'`])\+)*$/;

/** A number, maybe behind a file's name, and the sign that programs put between it and the line; an arrow and a bar as text or as bytes. */
const listing =
  /^(?:[^\s:]{1,200}[:-])?[ \t]{0,12}\d{1,7}(?:[:|)-]|\t|\u2192|\xe2\x86\x92|\u2502|\xe2\x94\x82|[ \t]{1,4}\|?)/;

/** What stands before a place of a line, without what a listing put there. */
export function withoutListing(before: string): string {
  return before.length > leadCharsMax ? before : before.replace(listing, '');
}

/** The base64 that a line ends in. */
export function endingRun(line: string): Span {
  const end = line.length - (trailing.exec(line.slice(-trailingCharsMax))?.[0].length ?? 0);
  let start = end;
  while (start > 0 && end - start < 2 && line.charAt(start - 1) === '=') start--;
  while (start > 0 && isBase64(line.charCodeAt(start - 1))) start--;
  return { start, end };
}

function isBase64(code: number): boolean {
  if (code >= 0x2f && code <= 0x39) return true;
  const upper = code & ~0x20;
  return (upper >= 0x41 && upper <= 0x5a) || code === 0x2b;
}

const number = /\d+|(?<![A-Za-z0-9])[0-9a-f]{7,40}(?![A-Za-z0-9])/y;
const space = /[ \t]+/y;

/**
 * Where a line goes on behind what another began with. Numbers count up, the first sign of a diff's lines may differ, space aligns,
 * and grep has a colon behind what it found and a minus behind what stands around it.
 */
export function leadEnd(line: string, lead: string): number | undefined {
  if (lead.length > leadCharsMax) return undefined;
  const isSigned = /^[ +-]/.test(lead) && /^[ +-]/.test(line) ? 1 : 0;
  let at = endOf(space, line, isSigned) ?? isSigned;
  for (let i = endOf(space, lead, isSigned) ?? isSigned; i < lead.length;) {
    const kind = [number, space].find((one) => endOf(one, lead, i) !== undefined);
    if (kind === undefined) {
      if (!isSame(lead.charAt(i), line.charAt(at))) return undefined;
      i++;
      at++;
      continue;
    }
    i = endOf(kind, lead, i) ?? i + 1;
    const next = endOf(kind, line, at);
    // An editor takes away the space at the end of a line.
    if (next === undefined && !(kind === space && at === line.length && i === lead.length)) return undefined;
    at = next ?? at;
  }
  return at;
}

function isSame(a: string, b: string): boolean {
  return a === b || ((a === ':' || a === '-') && (b === ':' || b === '-'));
}

function endOf(kind: RegExp, text: string, at: number): number | undefined {
  kind.lastIndex = at;
  return kind.test(text) ? kind.lastIndex : undefined;
}
