/** Quick looks at the bytes around an anchor, before any line is made a string. */
import type { Span } from '../rule.ts';

const isNameByte = table('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-');
const isMargin = table(' \t"\'`]?\\*)');
const isSeparator = table('=:>|,');
const endsAddress = table(' \t\r\n"\'`<>');
const endsUserinfo = table(' \t\r\n"\'`<>/?#');

function table(characters: string): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const byte of Buffer.from(characters, 'latin1')) bytes[byte] = 1;
  return bytes;
}

const newline = 0x0a;
const backslash = 0x5c;
const space = 0x20;
const escapedSpace = table('nrt');
const isSpace = table(' \t\r\n');
const endsNumber = table(',;}] \t\r\n');
/** Also the last heading of a table. */
const startsListed = table(':,;|\t<>');
const isQuote = table('"\'`');

/**
 * After the rest of a name, maybe after quotes, a bracket and spaces, comes what separates it from its value. A quoted value may
 * follow a space alone, an option's value too. `tokens` are counted, not kept, and a short number is no secret.
 */
export function nameGlance(bytes: Uint8Array, { end }: Span): boolean {
  let afterAnchor = end;
  // Some anchors have with them what follows the name.
  while (isNameByte[bytes[afterAnchor - 1] ?? 0] === 0) afterAnchor--;
  let at = afterAnchor;
  while (at - afterAnchor < 64 && isNameByte[bytes[at] ?? 0] === 1) at++;
  const nameEnd = at;
  if (nameEnd === afterAnchor + 1 && isPlural(bytes, afterAnchor)) return false;
  let endsLine = false;
  let isQuoted = false;
  while (at - nameEnd < 64 && isMargin[bytes[at] ?? 0] === 1) {
    if (bytes[at] === backslash && escapedSpace[bytes[at + 1] ?? 0] === 1) {
      at++;
      endsLine ||= bytes[at] !== 0x74;
    }
    isQuoted ||= isQuote[bytes[at] ?? 0] === 1;
    at++;
  }
  if (isOtherwise(bytes, at)) return true;
  if (isSeparator[bytes[at] ?? 0] === 1) return bytes[at] === 0x3e || !isShortNumber(bytes, at + 1);
  if (bytes[nameEnd] === space)
    return isElement(bytes, afterAnchor) || isQuoted || isOption(bytes, afterAnchor) || isValue(bytes, at);
  endsLine ||= bytes[at] === newline || bytes[at] === 0x0d || at >= bytes.length;
  if (endsLine && isListed(bytes, afterAnchor)) return true;
  return at > nameEnd && isValue(bytes, at);
}

/** `… or "…"`, what goes on over the end of an element, and the ways in which some languages give a name its value. */
function isOtherwise(bytes: Uint8Array, at: number): boolean {
  // `</`, `<- "`, `("`, `{ get; set; } = "`
  if (bytes[at] === 0x3c) return bytes[at + 1] === 0x2f || bytes[at + 1] === 0x2d;
  if (bytes[at] === 0x28) return isQuote[bytes[at + 1] ?? 0] === 1 || bytes[at + 1] === backslash;
  if (bytes[at] === 0x7b)
    return bytes[at + 1] === space && (bytes[at + 2] === 0x67 || bytes[at + 2] === 0x69);
  return bytes[at] === 0x6f && bytes[at + 1] === 0x72 && bytes[at + 2] === space && bytes[at - 1] === space;
}

/** `name: DB_PASSWORD` at the end of a line: its value may stand on the next. */
function isListed(bytes: Uint8Array, afterAnchor: number): boolean {
  let at = startOfName(bytes, afterAnchor) - 1;
  while (bytes[at] === space || isQuote[bytes[at] ?? 0] === 1 || bytes[at] === backslash) at--;
  return startsListed[bytes[at] ?? 0] === 1;
}

/** `<password type="…">` */
function isElement(bytes: Uint8Array, afterAnchor: number): boolean {
  const before = bytes[startOfName(bytes, afterAnchor) - 1];
  return before === 0x3c || before === 0x3a;
}

function startOfName(bytes: Uint8Array, afterAnchor: number): number {
  let at = afterAnchor;
  while (at > 0 && afterAnchor - at < 80 && isNameByte[bytes[at - 1] ?? 0] === 1) at--;
  return at;
}

const value = Buffer.from('value');

/** `key="…" value="…"` */
function isValue(bytes: Uint8Array, at: number): boolean {
  return (
    ((bytes[at] ?? 0) | 0x20) === 0x76 && value.every((byte, i) => ((bytes[at + i] ?? 0) | 0x20) === byte)
  );
}

/** An s, but not that of `credentials`. */
function isPlural(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) | 0x20) === 0x73 && ((bytes[at - 1] ?? 0) | 0x20) !== 0x6c;
}

function isShortNumber(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (at - from < 4 && bytes[at] === space) at++;
  const start = at;
  while (at - start < 12 && isDigit(bytes[at])) at++;
  if (at === start || at - start >= 12 || endsNumber[bytes[at] ?? newline] === 0) return false;
  // A sign ends it only where nothing goes on behind the sign.
  return isSpace[bytes[at] ?? newline] === 1 || endsNumber[bytes[at + 1] ?? newline] === 1;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** `--password hunter`, and `ENV API_TOKEN …` of a Dockerfile. */
function isOption(bytes: Uint8Array, afterAnchor: number): boolean {
  let at = startOfName(bytes, afterAnchor);
  if (bytes[at] === 0x2d) return true;
  at--;
  while (bytes[at] === space) at--;
  return bytes[at] === 0x56 && bytes[at - 1] === 0x4e && bytes[at - 2] === 0x45;
}

const http = Buffer.from('http');

/** There is an @ before the path; in other than web addresses, the password itself may look like a path. */
export function userinfoGlance(bytes: Uint8Array, { start, end }: Span): boolean {
  const ends = isWebAddress(bytes, start) ? endsUserinfo : endsAddress;
  for (let at = end; at < bytes.length && at - end < 800; at++) {
    if (bytes[at] === 0x40) return true;
    if (ends[bytes[at] ?? 0] === 1) return false;
  }
  return false;
}

function isWebAddress(bytes: Uint8Array, end: number): boolean {
  const start = bytes[end - 1] === 0x73 ? end - 5 : end - 4;
  return start >= 0 && http.every((byte, i) => bytes[start + i] === byte);
}

/** White space comes next, as it is or escaped. */
export function spaceGlance(bytes: Uint8Array, { end }: Span): boolean {
  const next = bytes[end];
  return next === space || next === 0x09 || next === backslash || next === 0x25;
}

/** White space and one of these words come next, as they are; or something that has to be decoded to tell. */
export function wordGlance(words: readonly string[]): (bytes: Uint8Array, anchor: Span) => boolean {
  const known = new Set(words);
  const charsMax = Math.max(...words.map(({ length }) => length));
  return (bytes, { end }) => {
    if (bytes[end] !== space && bytes[end] !== 0x09) return bytes[end] === backslash || bytes[end] === 0x25;
    let word = '';
    for (let at = end + 1; ; at++) {
      const byte = bytes[at] ?? newline;
      if (isLetter(byte)) word += String.fromCharCode(byte | 0x20);
      // Whatever is no plain sign may hide a letter, or nothing at all.
      else return byte === backslash || byte === 0x25 || byte === 0x1b || byte > 0x7e || known.has(word);
      if (word.length > charsMax) return false;
    }
  };
}

/** `re_`, eight characters and another underscore; most words that end so are others. */
export function resendGlance(bytes: Uint8Array, anchor: Span): boolean {
  return bytes[anchor.start + 11] === 0x5f && startGlance(bytes, anchor);
}

/** A digit, a slash and a number of sixteen digits. */
export function asanaGlance(bytes: Uint8Array, { start }: Span): boolean {
  for (let at = start + 2; at < start + 18; at++) if (!isDigit(bytes[at])) return false;
  return true;
}

/** Not in the middle of a word, as the `sk-` of `task-` is; the letter of an escape (\\n, \\t) is no word. */
export function startGlance(bytes: Uint8Array, { start }: Span): boolean {
  return !isLetter(bytes[start - 1]) || bytes[start - 2] === backslash;
}

function isLetter(byte: number | undefined): boolean {
  const lower = (byte ?? 0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Between two characters of a word: a character that nobody sees splits something only there. */
export function insideGlance(bytes: Uint8Array, { start, end }: Span): boolean {
  let before = start - 1;
  while (bytes[before] === backslash) before--;
  return isNameByte[bytes[before] ?? 0] === 1 && isNameByte[bytes[end] ?? 0] === 1;
}
