/**
 * The lines of a growing file, one at a time, with the checksum of all that was read so far. A line counts once its end is written;
 * a line that is longer than a record may be is passed over without being held in memory.
 */
import { closeSync, read as readNow } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { openQuietlySync, type OpenFile } from '../open-quietly.ts';

const pieceBytes = 256 * 1024;
/** What was read before is only summed up: fewer and larger pieces are faster, as long as a cache holds them. */
const skippedBytes = 1024 * 1024;
const readPiece = promisify(readNow);

/** As large as the largest blob that a store takes. */
const recordBytesMax = 16 * 1024 * 1024;

export class Lines {
  /** Where the next line begins. */
  offset = 0;
  /** Lines that were too long. */
  refused = 0;
  /** There is more behind the last line, without an end. */
  isCut = false;
  readonly #file: OpenFile;
  #sum = 0;

  constructor(path: string) {
    this.#file = openQuietlySync(path);
  }

  close(): void {
    closeSync(this.#file.descriptor);
  }

  /** Of all bytes before the offset. */
  checksum(): string {
    return this.#sum.toString(16).padStart(8, '0');
  }

  /** Reads on to a place without giving lines; false where the file ends before it. */
  async skipTo(offset: number): Promise<boolean> {
    // One buffer for all: a heap of them makes the process large, and whatever it starts slow to start.
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(skippedBytes, offset - this.offset)));
    while (this.offset < offset) {
      const piece = await this.#piece(this.offset, buffer.subarray(0, offset - this.offset));
      if (piece.length === 0) return false;
      this.#sum = crc32(piece, this.#sum);
      this.offset += piece.length;
    }
    return true;
  }

  /** Up to the size that the file had when it was opened. */
  async *read(): AsyncGenerator<Uint8Array> {
    const line = new Line();
    let place = this.offset;
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const piece = await this.#piece(place, buffer);
      if (piece.length === 0) {
        this.isCut = line.bytes > 0;
        return;
      }
      place += piece.length;
      let from = 0;
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
        line.add(piece.subarray(from, end + 1), this.#sum);
        from = end + 1;
        this.offset += line.bytes;
        const { content, sum } = line.take(this.#sum);
        this.#sum = sum;
        if (content === null) this.refused++;
        else if (content.length > 0) yield content;
      }
      // The buffer is used again before the line ends.
      if (from < piece.length) line.add(Buffer.from(piece.subarray(from)), this.#sum);
    }
  }

  async #piece(place: number, buffer: Buffer): Promise<Buffer> {
    const length = Math.min(buffer.length, this.#file.bytes - place);
    if (length <= 0) return Buffer.alloc(0);
    const { bytesRead } = await readPiece(this.#file.descriptor, buffer, 0, length, place);
    return buffer.subarray(0, bytesRead);
  }
}

/** A line while it is put together. */
class Line {
  bytes = 0;
  #pieces: Uint8Array[] = [];
  /** Of a line that is too long: it is summed up as it passes, apart, since its end may not be there yet. */
  #passing: number | null = null;

  add(piece: Uint8Array, before: number): void {
    this.bytes += piece.length;
    if (this.#passing === null && this.bytes > recordBytesMax) {
      this.#passing = this.#pieces.reduce((sum, held) => crc32(held, sum), before);
      this.#pieces = [];
    }
    if (this.#passing === null) this.#pieces.push(piece);
    else this.#passing = crc32(piece, this.#passing);
  }

  /** The line without its end, null if it was too long; and the checksum with it. */
  take(before: number): { readonly content: Uint8Array | null; readonly sum: number } {
    const passing = this.#passing;
    const whole = Buffer.concat(this.#pieces);
    this.bytes = 0;
    this.#pieces = [];
    this.#passing = null;
    if (passing !== null) return { content: null, sum: passing };
    return { content: whole.subarray(0, -1), sum: crc32(whole, before) };
  }
}
