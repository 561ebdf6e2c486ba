/**
 * Bytes on their way through redaction: pushed in as they come, given out as far as they are certain. Text is cut at line ends, and a
 * private key is held back until it ended, so the outcome is the same however the bytes were cut. Binary content (a zero byte
 * among the first 8,000, as git judges it) is scanned in one piece and keeps its length: secrets in it become asterisks. Only
 * rules that know their secret exactly apply to it, unless it is text in two-byte characters: a guess could spoil a program.
 *
 * A line that was changed is scanned again until nothing more is found: redacting the outcome changes nothing.
 */
import { StaffettaError } from '../../base/error.ts';
import type { FoundSecret } from './found.ts';
import { jsonStrings } from './json-strings.ts';
import { noteTaken } from '../learned.ts';
import { placeholder, type Fingerprint } from '../placeholder.ts';
import { RedactionTally, type Redactions } from '../redactions.ts';
import type { Span } from '../rule.ts';
import { isExact } from '../rules.ts';
import { lineBeforeBytesMax, lineEndingAt } from './runs.ts';
import type { ScannedBefore, Scan } from './scan.ts';
import { lowBytes } from './view.ts';

export const passageLimits = {
  /** Scanned at a time, if lines allow. */
  pieceBytes: 256 * 1024,
  lineBytesMax: 32 * 1024 * 1024,
  binaryBytesMax: 64 * 1024 * 1024,
} as const;

const sniffedBytes = 8000;
/** Of secrets that are remembered while the passage lasts. */
const takenMax = 1000;
const newline = 0x0a;
const asterisk = 0x2a;
/** Every round takes a secret out of a line; what needs more than this was built to, and is taken as a whole. */
const roundsMax = 16;

export interface PassageOptions {
  /** Known to be text, whatever bytes are in it. */
  readonly isText?: boolean;
  /** How much is scanned at a time. The outcome does not depend on it. */
  readonly pieceBytes?: number;
}

export class Passage {
  readonly #pieceBytes: number;
  readonly #scan: Scan;
  readonly #fingerprint: Fingerprint;
  readonly #tally = new RedactionTally();
  readonly #taken = new Set<string>();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Of those waiting, the bytes that came since the last scan. */
  #freshBytes = 0;
  #hasNewline = false;
  #binary: boolean | undefined;
  #before: ScannedBefore = {};
  /** Bytes of the original before those waiting. */
  #doneBytes = 0;

  constructor(scan: Scan, fingerprint: Fingerprint, options: PassageOptions = {}) {
    this.#scan = scan;
    this.#fingerprint = fingerprint;
    this.#pieceBytes = options.pieceBytes ?? passageLimits.pieceBytes;
    if (options.isText === true) this.#binary = false;
  }

  push(bytes: Uint8Array): Uint8Array[] {
    const output: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += this.#pieceBytes) {
      const piece = bytes.subarray(at, at + this.#pieceBytes);
      this.#waiting.push(piece);
      this.#waitingBytes += piece.length;
      this.#freshBytes += piece.length;
      this.#hasNewline ||= piece.includes(newline);
      if (this.#freshBytes >= this.#pieceBytes) output.push(...this.#advance(false));
    }
    return output;
  }

  end(): Uint8Array[] {
    return this.#advance(true);
  }

  redactions(): Redactions {
    const account = this.#tally.total(this.#binary ?? false);
    noteTaken(account, this.#taken);
    return account;
  }

  #advance(final: boolean): Uint8Array[] {
    this.#freshBytes = 0;
    if (!final && this.#binary === undefined && this.#waitingBytes < sniffedBytes) return [];
    this.#binary ??= looksBinary(this.#waiting);
    if (this.#binary) return this.#advanceBinary(final);
    if (!final && !this.#hasNewline) {
      refuseAbove(this.#waitingBytes, passageLimits.lineBytesMax, 'A line');
      return [];
    }
    const bytes = this.#collected();
    refuseLongLine(bytes);
    const end = final ? bytes.length : bytes.lastIndexOf(newline) + 1;
    const { found, open } = this.#scan(bytes.subarray(0, end), this.#before);
    const cut = final ? end : (open?.from ?? end);
    const output = this.#rewritten(bytes.subarray(0, cut), found);
    if (cut > 0) this.#before = { inside: open?.inside, lineBefore: lastLineOf(output) };
    this.#doneBytes += cut;
    this.#waiting = cut === bytes.length ? [] : [bytes.subarray(cut)];
    this.#waitingBytes = bytes.length - cut;
    this.#hasNewline = bytes.subarray(cut).includes(newline);
    return output;
  }

  #collected(): Buffer {
    const [first] = this.#waiting;
    if (this.#waiting.length !== 1 || first === undefined) return Buffer.concat(this.#waiting);
    return Buffer.from(first.buffer, first.byteOffset, first.length);
  }

  #rewritten(bytes: Buffer, found: readonly FoundSecret[]): Uint8Array[] {
    const output: Uint8Array[] = [];
    let at = 0;
    for (let i = 0; i < found.length;) {
      const first = found[i]?.start ?? 0;
      if (first >= bytes.length) break;
      const start = first === 0 ? 0 : bytes.lastIndexOf(newline, first - 1) + 1;
      const next = bytes.indexOf(newline, first);
      const end = next === -1 ? bytes.length : next;
      const inLine: FoundSecret[] = [];
      for (let one = found[i]; one !== undefined && one.start < end; one = found[++i])
        inLine.push({ ...one, start: one.start - start, end: one.end - start });
      output.push(bytes.subarray(at, start), this.#settled(bytes.subarray(start, end), inLine, start));
      at = end;
    }
    output.push(bytes.subarray(at));
    return output.filter((piece) => piece.length > 0);
  }

  #settled(line: Buffer, found: readonly FoundSecret[], start: number): Buffer {
    let text = line;
    let next = found;
    for (let round = 0; next.length > 0; round++) {
      text = this.#replaced(text, round < roundsMax ? next : inWholes(text, next), start);
      next = this.#scan(text).found;
    }
    return text;
  }

  #replaced(line: Buffer, found: readonly FoundSecret[], start: number): Buffer {
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (const one of found) {
      pieces.push(line.subarray(at, one.start), Buffer.from(placeholder(one.rule, this.#noted(one, start))));
      at = one.end;
    }
    pieces.push(line.subarray(at));
    return Buffer.concat(pieces);
  }

  /** Notes a finding and answers its fingerprint. */
  #noted(one: FoundSecret, start: number): string {
    const print = this.#fingerprint(one.secret);
    for (const value of one.known ?? [one.secret]) if (this.#taken.size < takenMax) this.#taken.add(value);
    if (!one.continues)
      this.#tally.add({ rule: one.rule, fingerprint: print, at: this.#doneBytes + start + one.start });
    return print;
  }

  #advanceBinary(final: boolean): Uint8Array[] {
    refuseAbove(this.#waitingBytes, passageLimits.binaryBytesMax, 'Binary content');
    if (!final) return [];
    const bytes = this.#collected();
    let masked = bytes;
    let around = { start: bytes.length, end: 0 };
    for (let round = 0; ; round++) {
      const found = this.#foundInBinary(masked);
      if (found.length === 0) return [masked];
      if (masked === bytes) masked = Buffer.from(bytes);
      for (const one of found) {
        this.#noted(one, 0);
        around = { start: Math.min(around.start, one.start), end: Math.max(around.end, one.end) };
        if (round < roundsMax) mask(masked, one);
      }
      if (round >= roundsMax) mask(masked, around);
    }
  }

  #foundInBinary(bytes: Buffer): readonly FoundSecret[] {
    const wide = lowBytes(bytes);
    const inWide = wide === undefined ? [] : this.#scan(Buffer.from(wide.text, 'latin1')).found;
    const found = this.#scan(bytes).found.filter(isExact);
    return [
      ...found,
      ...inWide.map((one) => ({
        ...one,
        start: wide?.sourceStart(one.start) ?? 0,
        end: wide?.sourceEnd(one.end) ?? 0,
      })),
    ];
  }
}

/** The line; of JSON, which must stay JSON, the strings. A placeholder alone is never found again, so this comes to an end. */
function inWholes(line: Buffer, found: readonly FoundSecret[]): readonly FoundSecret[] {
  const text = line.toString('latin1');
  const wholes: FoundSecret[] = [];
  let i = 0;
  for (const { start, end } of jsonStrings(text) ?? []) {
    while ((found[i]?.end ?? Infinity) <= start) i++;
    const one = found[i];
    if (one !== undefined && one.start < end) wholes.push({ ...one, start, end });
  }
  const [first] = found;
  return wholes.length > 0 || first === undefined ? wholes : [{ ...first, start: 0, end: line.length }];
}

function mask(bytes: Buffer, { start, end }: Span): void {
  for (let i = start; i < end; i++) if (bytes[i] !== 0 && bytes[i] !== newline) bytes[i] = asterisk;
}

export function looksBinary(pieces: readonly Uint8Array[]): boolean {
  let left = sniffedBytes;
  for (const piece of pieces) {
    if (piece.subarray(0, left).includes(0)) return true;
    left -= piece.length;
    if (left <= 0) return false;
  }
  return false;
}

/** Judged by what was given out, as it will be when that is read again. */
function lastLineOf(output: readonly Uint8Array[]): string {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let i = output.length - 1; i >= 0 && bytes <= lineBeforeBytesMax; i--) {
    const piece = output[i] ?? new Uint8Array();
    pieces.unshift(piece.subarray(-lineBeforeBytesMax - 1));
    bytes += piece.length;
  }
  const tail = Buffer.concat(pieces);
  return lineEndingAt(tail, tail.length - 1);
}

function refuseLongLine(bytes: Buffer): void {
  if (bytes.length <= passageLimits.lineBytesMax) return;
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(newline, start);
    const end = next === -1 ? bytes.length : next;
    refuseAbove(end - start, passageLimits.lineBytesMax, 'A line');
    start = end + 1;
  }
}

function refuseAbove(bytes: number, bytesMax: number, what: string): void {
  if (bytes <= bytesMax) return;
  throw new StaffettaError(
    'too-large',
    `${what} of more than ${bytesMax} bytes cannot be searched for secrets.`,
    {
      hint: 'Leave it out; what is left out is listed.',
    },
  );
}
