/**
 * The lines of a growing file, one at a time, with the digest of all that was read so far. A line counts once its end is written;
 * a line that is longer than a record may be is passed over without being held in memory.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, read as readNow } from 'node:fs';
import { promisify } from 'node:util';
import { openQuietly, type OpenFile } from './open-quietly.ts';

const pieceBytes = 256 * 1024;
const readPiece = promisify(readNow);

/** As large as the largest blob that a store takes. */
export const recordBytesMax = 16 * 1024 * 1024;

export class Lines {
  /** Where the next line begins. */
  offset = 0;
  /** Lines that were too long. */
  refused = 0;
  readonly #file: OpenFile;
  #hash: Hash = createHash('sha256');

  constructor(path: string) {
    this.#file = openQuietly(path);
  }

  close(): void {
    closeSync(this.#file.descriptor);
  }

  /** Of all bytes before the offset. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Reads on to a place without giving lines; false where the file ends before it. */
  async skipTo(offset: number): Promise<boolean> {
    while (this.offset < offset) {
      const piece = await this.#piece(this.offset, Math.min(pieceBytes, offset - this.offset));
      if (piece.length === 0) return false;
      this.#hash.update(piece);
      this.offset += piece.length;
    }
    return true;
  }

  /** Up to the size that the file had when it was opened. */
  async *read(): AsyncGenerator<Uint8Array> {
    const line = new Line();
    let place = this.offset;
    for (;;) {
      const piece = await this.#piece(place, pieceBytes);
      if (piece.length === 0) return;
      place += piece.length;
      let from = 0;
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
        line.add(piece.subarray(from, end + 1), this.#hash);
        from = end + 1;
        this.offset += line.bytes;
        const { content, hash } = line.take(this.#hash);
        this.#hash = hash;
        if (content === null) this.refused++;
        else if (content.length > 0) yield content;
      }
      if (from < piece.length) line.add(piece.subarray(from), this.#hash);
    }
  }

  async #piece(place: number, bytes: number): Promise<Buffer> {
    const length = Math.min(bytes, this.#file.bytes - place);
    if (length <= 0) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await readPiece(this.#file.descriptor, buffer, 0, length, place);
    return buffer.subarray(0, bytesRead);
  }
}

/** A line while it is put together. */
class Line {
  bytes = 0;
  #pieces: Uint8Array[] = [];
  /** Of a line that is too long: its digest is taken as it passes, on a copy, since its end may not be there yet. */
  #passing: Hash | null = null;

  add(piece: Uint8Array, before: Hash): void {
    this.bytes += piece.length;
    if (this.#passing === null && this.bytes > recordBytesMax) {
      this.#passing = before.copy();
      for (const held of this.#pieces) this.#passing.update(held);
      this.#pieces = [];
    }
    if (this.#passing === null) this.#pieces.push(piece);
    else this.#passing.update(piece);
  }

  /** The line without its end, null if it was too long; and the digest with it. */
  take(before: Hash): { readonly content: Uint8Array | null; readonly hash: Hash } {
    const passing = this.#passing;
    const whole = Buffer.concat(this.#pieces);
    this.bytes = 0;
    this.#pieces = [];
    this.#passing = null;
    if (passing !== null) return { content: null, hash: passing };
    return { content: whole.subarray(0, -1), hash: before.update(whole) };
  }
}
