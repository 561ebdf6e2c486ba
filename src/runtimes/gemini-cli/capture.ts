/**
 * A session's lines from a cursor on. The file is only ever appended to, so a cursor is a byte offset behind a line end, and a
 * fingerprint of what stands before it: blocks of 4 KB spread evenly over all of it, the first and the last always among
 * them, which is everything where the file is small. Where the fingerprint does not match, the file is another one (it was
 * replaced, or cut), and all of it is captured again.
 *
 *   cursor    1 <offset> <SHA-256 of the blocks>
 *
 * The size is taken once, when the file is opened: what the program writes meanwhile is for the next time. Older versions kept a
 * session as one JSON document, `.json`; that is captured from its beginning whenever it changed, a record a message (`document.ts`).
 */
import { closeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { assert } from '../../core/base/assert.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { Captured, CapturedEnd, Cursor, SessionPlace } from '../../ports/runtime.ts';
import { recordsIn } from './read/document.ts';
import { openQuietFile, readAt } from './quiet-file.ts';
import { recordCut } from '../../core/transcript/not-told.ts';
import { Tally } from '../../core/transcript/tally.ts';

const recordBytesMax = 64 * 1024 * 1024 - 1;
const chunkBytes = 256 * 1024;
const blockBytes = 4096;
const blocksMax = 16;

export function captureGemini(place: SessionPlace, from?: Cursor): Captured {
  closeSync(opened(place.path).fd);
  let end: CapturedEnd | null = null;
  async function* records(): AsyncGenerator<Uint8Array> {
    const file = opened(place.path);
    try {
      const tally = new Tally();
      const document = place.path.endsWith('.json');
      const start = resumeAt(file, from, document);
      const offset = yield* (document ? wholeDocument : linesFrom)(file, start, tally);
      const fromStart = from !== undefined && start === 0 && parseCursor(from)?.offset !== 0;
      end = { cursor: cursorAt(file.fd, offset), fromStart, omissions: tally.omissions() };
    } finally {
      closeSync(file.fd);
    }
  }
  return {
    records: records(),
    end(): CapturedEnd {
      assert(end !== null, 'the end of a capture is asked for before its records were read');
      return end;
    },
  };
}

interface OpenFile {
  readonly fd: number;
  readonly bytes: number;
}

function opened(path: string): OpenFile {
  try {
    return openQuietFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StaffettaError('invalid-input', `The session ${path} cannot be read: ${reason}`, {
      hint: 'List the sessions again: Gemini CLI removes sessions on its own.',
      cause,
    });
  }
}

async function* linesFrom(file: OpenFile, start: number, tally: Tally): AsyncGenerator<Uint8Array, number> {
  let offset = start;
  let read = start;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let refused = false;
  // Used again: what is held of it from one chunk to the next is copied.
  const buffer = Buffer.allocUnsafe(chunkBytes);
  while (read < file.bytes) {
    const chunk = readAt(file.fd, read, buffer.subarray(0, file.bytes - read));
    if (chunk.length === 0) break;
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      held.push(chunk.subarray(from, at));
      heldBytes += at - from;
      from = at + 1;
      offset = read + from;
      if (refused || heldBytes > recordBytesMax)
        tally.add('record-too-large', 'a record of 64 MB or more is not taken in');
      else if (heldBytes > 0) yield copyOf(held);
      held = [];
      heldBytes = 0;
      refused = false;
    }
    const rest = chunk.subarray(from);
    heldBytes += rest.length;
    refused ||= heldBytes > recordBytesMax;
    if (refused) held = [];
    else if (rest.length > 0) held.push(Buffer.from(rest));
    read += chunk.length;
  }
  if (heldBytes > 0) tally.add(recordCut.kind, recordCut.why);
  return offset;
}

/** A copy, so that a record that is kept does not keep the whole chunk with it. */
function copyOf(pieces: readonly Buffer[]): Uint8Array {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? Buffer.from(only) : Buffer.concat(pieces);
}

async function* wholeDocument(
  file: OpenFile,
  start: number,
  tally: Tally,
): AsyncGenerator<Uint8Array, number> {
  if (start === file.bytes) return start;
  if (file.bytes > recordBytesMax) tally.add('record-too-large', 'a record of 64 MB or more is not taken in');
  else yield* recordsIn(onOneLine(readAt(file.fd, 0, file.bytes)));
  return file.bytes;
}

/** A record is a line. In JSON a line end is only ever space between things: inside of a text it is written otherwise. */
function onOneLine(document: Uint8Array): Uint8Array {
  return document.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
}

/** 0 where there is no cursor, or it belongs to other bytes than those before us. */
function resumeAt(file: OpenFile, from: Cursor | undefined, document: boolean): number {
  const cursor = from === undefined ? null : parseCursor(from);
  if (cursor === null || cursor.offset > file.bytes) return 0;
  if (document && cursor.offset !== file.bytes) return 0;
  return fingerprint(file.fd, cursor.offset) === cursor.mark ? cursor.offset : 0;
}

function parseCursor(cursor: Cursor): { offset: number; mark: string } | null {
  const match = /^1 (\d{1,15}) ([0-9a-f]{64})$/.exec(cursor);
  return match === null ? null : { offset: Number(match[1]), mark: match[2] ?? '' };
}

function cursorAt(fd: number, offset: number): Cursor {
  return `1 ${offset} ${fingerprint(fd, offset)}`;
}

function fingerprint(fd: number, offset: number): string {
  const hash = createHash('sha256');
  const blocks = Math.min(blocksMax, Math.ceil(offset / blockBytes));
  const last = Math.max(0, offset - blockBytes);
  for (let i = 0; i < blocks; i += 1) {
    const at = blocks === 1 ? 0 : Math.round((last * i) / (blocks - 1));
    hash.update(readAt(fd, at, Math.min(blockBytes, offset - at)));
  }
  return hash.digest('hex');
}
