/**
 * What a transcript that was given as bytes is counted as, decided while it is stored: how many records it has, and how many of them
 * the conversation before it had already. Memory holds one document at most. Of many lines the first
 * ones say the shape and all are counted: none is parsed unless there is another to compare them with.
 */
import { looseText } from '../../transcript/loose-json.ts';
import { documentBytesMax, shapeOfHead, takeApart, type Apart, type ShapeName } from './detect.ts';

export interface Conversation {
  readonly shape: ShapeName;
  readonly records: number;
  /** To compare it with another; null where it is too long for that. */
  readonly apart: (() => Apart | null) | null;
}

/** Of lines, this much says the shape. */
const headBytes = 2 * 1024 * 1024;
/** And of more than fits this much, if less does not. */
const longHeadBytes = 8 * 1024 * 1024;

export class ConversationBytes {
  readonly #max: number;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** Once it is more than a document may be. */
  #tail: { readonly shape: ShapeName; readonly lines: LineCount } | null | undefined;

  constructor(max = documentBytesMax) {
    this.#max = max;
  }

  /** They must not change until the end. */
  push(bytes: Uint8Array): void {
    if (this.#tail !== undefined) {
      this.#tail?.lines.push(bytes);
      return;
    }
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#max) this.#overflow();
  }

  /** Null where nothing here knows its shape. */
  end(): Conversation | null {
    if (this.#tail === null || this.#bytes === 0) return null;
    if (this.#tail !== undefined)
      return { shape: this.#tail.shape, records: this.#tail.lines.end(), apart: null };
    const shape = this.#bytes <= headBytes ? undefined : shapeOfHead(Buffer.concat(this.#head()));
    if (shape === null) return null;
    if (shape !== undefined)
      return { shape, records: this.#countLines(), apart: () => takeApart(Buffer.concat(this.#pieces)) };
    const apart = takeApart(Buffer.concat(this.#pieces));
    return apart === null ? null : { shape: apart.shape, records: apart.records, apart: () => apart };
  }

  #head(): readonly Uint8Array[] {
    let bytes = 0;
    return this.#pieces.filter((piece) => {
      const isBefore = bytes < headBytes;
      bytes += piece.length;
      return isBefore;
    });
  }

  #countLines(): number {
    const lines = new LineCount();
    for (const piece of this.#pieces) lines.push(piece);
    return lines.end();
  }

  #overflow(): void {
    const all = Buffer.concat(this.#pieces.splice(0));
    const end = all.lastIndexOf(newline, Math.min(longHeadBytes, this.#max));
    const shape = end === -1 ? undefined : takeApart(all.subarray(0, end))?.shape;
    this.#tail = shape === undefined ? null : { shape, lines: new LineCount() };
    this.#tail?.lines.push(all);
  }
}

const newline = 10;

/** Counts lines that are not blank. */
class LineCount {
  #count = 0;
  #isOpen = false;

  push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const found = bytes.indexOf(newline, from);
      const end = found === -1 ? bytes.length : found;
      // Nearly every line says so with its first byte.
      for (let at = from; !this.#isOpen && at < end; at += 1) this.#isOpen = (bytes[at] ?? 0) > 32;
      from = end + 1;
      if (found !== -1) this.#close();
    }
  }

  end(): number {
    this.#close();
    return this.#count;
  }

  #close(): void {
    if (this.#isOpen) this.#count += 1;
    this.#isOpen = false;
  }
}

/**
 * How many messages of an earlier conversation a later one keeps at its beginning; 0 where it is another conversation. All of them
 * are kept where it only grew. Where it was changed on the way (an answer that was still coming in, or was asked for again) it is the
 * same one if at least half is kept and somebody has spoken there: conversations of one program all begin with its own words.
 */
export function keptOf(earlier: Apart, later: Apart): number {
  const kept = sameAtBeginning(earlier, later);
  if (kept === earlier.records || kept * 2 < earlier.records) return kept === earlier.records ? kept : 0;
  return later.read().steps.some(({ source, record }) => source === 'user' && record < kept) ? kept : 0;
}

function sameAtBeginning(earlier: Apart, later: Apart): number {
  if (earlier.shape !== later.shape) return 0;
  for (const [i, { place, value }] of earlier.members.entries()) {
    const other = later.members[i];
    if (place !== i || other?.place !== i) return i;
    const text = looseText(value);
    if (text === null || text !== looseText(other.value)) return i;
  }
  return Math.min(earlier.members.length, later.members.length);
}
