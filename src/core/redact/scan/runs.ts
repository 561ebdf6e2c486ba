/**
 * Long runs of base64 characters. Four kinds of secret have no literal to look for and are found by the shape of the run they
 * stand in: a secret inside base64, an AWS secret key, a Discord token, an Airtable token. Only runs that may be one of these are
 * reported.
 *
 * No run of the least length fits between two looks that far apart, so only every 24th byte is looked at and the rest of a run is
 * measured from there.
 */
import { endingRun, leadCharsMax, leadEnd } from '../lead.ts';

export interface TextRun {
  readonly start: number;
  readonly end: number;
  /** A line of its own after a line of base64: the last piece of something longer, such as a certificate. */
  readonly isRest: boolean;
}

const runBytesMin = 24;
export const awsKeyBytes = 40;
const airtableBytes = 64;
/** `pat`, fourteen characters and a full stop. */
export const airtableIdBytes = 18;

const newline = 0x0a;
const backslash = 0x5c;
const slash = 0x2f;
const dot = 0x2e;

const isRunByte = new Uint8Array(256);
for (const byte of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-',
  'latin1',
))
  isRunByte[byte] = 1;

export function findRuns(bytes: Buffer, lineBefore = ''): readonly TextRun[] {
  const runs: TextRun[] = [];
  let floor = 0;
  for (let at = runBytesMin - 1; at < bytes.length; at += runBytesMin) {
    if (isRunByte[bytes[at] ?? 0] !== 1) continue;
    const end = endOfRun(bytes, at + 1);
    const start = withoutSign(bytes, startOfRun(bytes, at, floor), end);
    if (end - start >= runBytesMin && mayHoldSecret(bytes, start, end))
      runs.push({ start, end, isRest: isRest(bytes, start, lineBefore) });
    floor = end;
    at = end;
  }
  return runs;
}

function startOfRun(bytes: Uint8Array, at: number, floor: number): number {
  let start = at;
  while (start > floor && (isRunByte[bytes[start - 1] ?? 0] === 1 || isEscapedSlash(bytes, start - 1)))
    start--;
  return start;
}

/** At the beginning of a line a plus or a minus is the diff's, unless the run has the length of a key with it. */
function withoutSign(bytes: Uint8Array, start: number, end: number): number {
  const isSign = bytes[start] === 0x2b || bytes[start] === 0x2d;
  const isFirst = start === 0 || bytes[start - 1] === newline;
  return isSign && isFirst && end - start !== awsKeyBytes ? start + 1 : start;
}

function endOfRun(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && (isRunByte[bytes[end] ?? 0] === 1 || isEscapedSlash(bytes, end))) end++;
  return end;
}

/** Some write a slash in JSON as \/, which must not break a run in two. */
function isEscapedSlash(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === backslash && bytes[at + 1] === slash;
}

/** Lines of base64 that go on are wrapped at 60 characters or more. */
const wrappedBytesMin = 48;
/** A quote, a comma and a return after the base64 of a line. */
export const marginBytesMax = 3;
/** Of a line before, its end tells enough. */
export const lineBeforeBytesMax = 1024;

/** After a line that ends in a long run, and with the same before it. */
function isRest(bytes: Buffer, start: number, lineBefore: string): boolean {
  const from = Math.max(0, start - leadCharsMax - 1);
  const newlineAt = bytes.subarray(from, start).lastIndexOf(newline);
  if (newlineAt === -1 && from > 0) return false;
  const lineStart = from + newlineAt + 1;
  const before = lineStart === 0 ? lineBefore : lineEndingAt(bytes, lineStart - 1);
  const run = endingRun(before);
  if (run.end - run.start < wrappedBytesMin) return false;
  const lead = bytes.toString('latin1', lineStart, start);
  return /^[+-]?[ \t\r"',]*$/.test(lead) || leadEnd(lead, before.slice(0, run.start)) === lead.length;
}

/** The end of the line that ends here. */
export function lineEndingAt(bytes: Buffer, end: number): string {
  const from = Math.max(0, end - lineBeforeBytesMax);
  return bytes.toString('latin1', from + bytes.subarray(from, end).lastIndexOf(newline) + 1, end);
}

function mayHoldSecret(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[end] === dot && bytes[end + 7] === dot) return true;
  if (end - start >= airtableBytes && isAfterAirtableId(bytes, start)) return true;
  const slashes = escapedSlashes(bytes, start, end);
  const length = end - start - slashes;
  // In escaped text the letter of an escape (\n, \t) runs into the word after it.
  if (length >= awsKeyBytes && length <= awsKeyBytes + 2 && isVaried(bytes, start, end)) return true;
  const isAfterEscape = bytes[start - 1] === backslash;
  return slashes > 0 || isPrintable(bytes, start) || (isAfterEscape && isPrintable(bytes, start + 1));
}

/** The public half of an Airtable token: its prefix is too common to be looked for. */
function isAfterAirtableId(bytes: Uint8Array, start: number): boolean {
  const at = start - airtableIdBytes;
  return bytes[start - 1] === dot && bytes[at] === 0x70 && bytes[at + 1] === 0x61 && bytes[at + 2] === 0x74;
}

function escapedSlashes(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(backslash, start); at !== -1 && at < end; at = bytes.indexOf(backslash, at + 1))
    count++;
  return count;
}

function isVaried(bytes: Uint8Array, start: number, end: number): boolean {
  let upper = 0;
  let lower = 0;
  let digits = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x61) lower++;
    else if (byte >= 0x41 && byte <= 0x5a) upper++;
    else if (byte >= 0x30 && byte <= 0x39) digits++;
  }
  return upper >= 5 && lower >= 5 && digits >= 1;
}

const sextetOf = new Uint8Array(256);
for (const [value, byte] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  'latin1',
).entries())
  sextetOf[byte] = value;
sextetOf[0x2d] = 62;
sextetOf[0x5f] = 63;

/** Whether the first twelve bytes that a run stands for are printable ASCII: chance gives that to one in a hundred thousand. */
function isPrintable(bytes: Uint8Array, start: number): boolean {
  for (let i = start; i < start + 16; i += 4) {
    const bits =
      ((sextetOf[bytes[i] ?? 0] ?? 0) << 18) |
      ((sextetOf[bytes[i + 1] ?? 0] ?? 0) << 12) |
      ((sextetOf[bytes[i + 2] ?? 0] ?? 0) << 6) |
      (sextetOf[bytes[i + 3] ?? 0] ?? 0);
    if (!isText(bits >> 16) || !isText((bits >> 8) & 0xff) || !isText(bits & 0xff)) return false;
  }
  return true;
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
