/**
 * The records of a session file from a cursor on, in one pass with a buffer of a fixed size (RT3, RT4, RT8).
 *
 * A cursor is `2:<offset>:<CRC-32 of all bytes before it>`, always at the end of a line. The program only appends; whether it did is
 * seen by summing up what came before again, in a fifth of a second for a gigabyte: less would take an edit in the middle for growth.
 * Lines longer than `recordBytesMax` are counted and not kept. A last line without its end is counted, and left
 * for the next time.
 */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { recordCut } from '../core/transcript/not-told.ts';
import type { Omission } from '../core/transcript/step.ts';
import type { Captured, CapturedEnd, Cursor, SessionPlace } from '../ports/runtime.ts';
import { StaffettaError } from '../core/base/error.ts';
import { openQuietly } from './open-quietly.ts';

export const capturedLineMax = 32 * 1024 * 1024;
const chunkBytes = 256 * 1024;
/** What was captured before is only summed up: fewer and larger pieces are faster, as long as a cache holds them. */
const knownChunkBytes = 1024 * 1024;
const newline = 10;

/** Records that are left out of a capture, by a rule of the program's folder. */
export interface LeavingOut {
  /** Why, by the kind that they are counted as. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Whether bytes can hold such a record: few do, so that few are parsed. */
  readonly mayBe: (bytes: Buffer) => boolean;
  readonly kindOf: (line: Buffer) => string | null;
}

const nothing: LeavingOut = { reasons: {}, mayBe: () => false, kindOf: () => null };

export async function captureLines(
  place: Pick<SessionPlace, 'path'>,
  from?: Cursor,
  leavingOut: LeavingOut = nothing,
): Promise<Captured> {
  return await captureOf(place.path, (file) => recordsFrom(file, from, leavingOut));
}

type RecordsOf = (file: FileHandle) => AsyncGenerator<Uint8Array, CapturedEnd>;

/** Records of one file, read when they are asked for, and their end once they were. */
export async function captureOf(path: string, recordsOf: RecordsOf): Promise<Captured> {
  // Opened once to refuse early what cannot be read; the records open it again when they are asked for.
  await (await openQuietly(path)).close();
  let end: CapturedEnd | null = null;
  async function* records(): AsyncGenerator<Uint8Array> {
    const file = await openQuietly(path);
    try {
      end = yield* recordsOf(file);
    } finally {
      await file.close();
    }
  }
  return {
    records: records(),
    end() {
      if (end !== null) return end;
      throw new StaffettaError(
        'wrong-state',
        'The end of a capture was asked for before its records were read.',
        {
          hint: 'Read all records first.',
        },
      );
    },
  };
}

async function* recordsFrom(
  file: FileHandle,
  from: Cursor | undefined,
  leavingOut: LeavingOut,
): AsyncGenerator<Uint8Array, CapturedEnd> {
  // What is appended from now on belongs to the next capture.
  const { size } = await file.stat();
  const start = await startAt(file, from);
  const lines = new Lines(start, leavingOut);
  for await (const chunk of chunksOf(file, start.offset, size)) yield* lines.take(chunk);
  return { cursor: lines.cursor(), fromStart: start.fromStart, omissions: lines.omissions() };
}

interface Start {
  readonly offset: number;
  readonly sum: number;
  readonly fromStart: boolean;
}

async function startAt(file: FileHandle, from: Cursor | undefined): Promise<Start> {
  const beginning = { offset: 0, sum: 0, fromStart: from !== undefined };
  if (from === undefined) return beginning;
  const known = /^2:(\d{1,15}):([0-9a-f]{8})$/.exec(from);
  const offset = Number(known?.[1]);
  if (known === null) return beginning;
  let sum = 0;
  let bytes = 0;
  for await (const chunk of chunksOf(file, 0, offset, knownChunkBytes)) {
    sum = crc32(chunk, sum);
    bytes += chunk.length;
  }
  return bytes === offset && hex(sum) === known[2] ? { offset, sum, fromStart: false } : beginning;
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}

/** The buffer is used again: a chunk is valid until the next is asked for. */
async function* chunksOf(
  file: FileHandle,
  from: number,
  to: number,
  atOnce = chunkBytes,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(atOnce, Math.max(1, to - from)));
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const tooLarge = `a record of more than ${capturedLineMax / 1024 / 1024} MiB is not kept`;

class Lines {
  readonly #counts = new Map<string, number>();
  readonly #leavingOut: LeavingOut;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #offset: number;
  #running: number;
  /** At the end of the last whole line. */
  #whole: number;

  constructor({ offset, sum }: Start, leavingOut: LeavingOut) {
    this.#leavingOut = leavingOut;
    this.#offset = offset;
    this.#running = sum;
    this.#whole = sum;
  }

  *take(chunk: Buffer): Generator<Uint8Array> {
    this.#add(chunk);
    const isSuspect = this.#leavingOut.mayBe(chunk);
    let from = 0;
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      const record = this.#line(chunk.subarray(from, to), isSuspect);
      if (record !== null) yield record;
      from = to + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  #add(chunk: Buffer): void {
    const last = chunk.lastIndexOf(newline) + 1;
    if (last > 0) {
      this.#running = crc32(chunk.subarray(0, last), this.#running);
      this.#whole = this.#running;
    }
    this.#running = crc32(chunk.subarray(last), this.#running);
  }

  #hold(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > capturedLineMax) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
  }

  #line(last: Buffer, isSuspect: boolean): Uint8Array | null {
    const bytes = this.#bytes + last.length;
    const isOne = this.#pieces.length === 0;
    // The buffer is used again: a line is copied, once.
    const line =
      bytes > capturedLineMax ? last : isOne ? Buffer.from(last) : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#bytes = 0;
    this.#offset += bytes + 1;
    if (bytes > capturedLineMax) return this.#omit('record-too-large');
    if (isBlank(line)) return null;
    const { mayBe, kindOf } = this.#leavingOut;
    const rule = (isSuspect || !isOne) && mayBe(line) ? kindOf(line) : null;
    return rule === null ? line : this.#omit(rule);
  }

  #omit(kind: string): null {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    return null;
  }

  cursor(): Cursor {
    return `2:${this.#offset}:${hex(this.#whole)}`;
  }

  omissions(): Omission[] {
    const isCut = this.#bytes > capturedLineMax || this.#pieces.some((piece) => !isBlank(piece));
    return [
      ...[...this.#counts].map(([kind, count]) => ({
        kind,
        count,
        why: this.#leavingOut.reasons[kind] ?? tooLarge,
      })),
      ...(isCut ? [recordCut] : []),
    ];
  }
}

function isBlank(line: Buffer): boolean {
  const first = line[0];
  if (first !== undefined && first !== 32 && first !== 13 && first !== 9) return false;
  return line.every((byte) => byte === 32 || byte === 13 || byte === 9);
}
