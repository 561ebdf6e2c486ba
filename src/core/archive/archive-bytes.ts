import { unsound } from './archive.ts';
import { limits } from '../base/limits.ts';
import { utf8 } from '../base/utf8.ts';

const lineFeed = 10;

/** Cuts a stream of bytes into lines and payloads. Memory holds one of them, and one part of the stream. */
export class ArchiveBytes {
  readonly #parts: AsyncIterator<Uint8Array>;
  #part: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#parts = source[Symbol.asyncIterator]();
  }

  /** Up to the next line feed. Undefined at the end of the stream. */
  async line(what: string): Promise<string | undefined> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      if (!(await this.#more())) {
        if (size === 0) return undefined;
        throw unsound(`it breaks off in ${what}`);
      }
      const end = this.#part.indexOf(lineFeed, this.#at);
      const piece = this.#part.subarray(this.#at, end === -1 ? this.#part.length : end);
      pieces.push(piece);
      size += piece.length;
      if (size > limits.archiveLineBytesMax) throw unsound(`${what} is longer than a line may be`);
      this.#at += piece.length + (end === -1 ? 0 : 1);
      if (end !== -1) return text(Buffer.concat(pieces), what);
    }
  }

  /** Exactly so many bytes, and the line feed behind them. */
  async payload(bytes: number, what: string): Promise<Uint8Array> {
    const taken = Buffer.allocUnsafe(bytes + 1);
    for (let filled = 0; filled < taken.length;) {
      if (!(await this.#more())) throw unsound(`it breaks off in ${what}`);
      const piece = this.#part.subarray(this.#at, this.#at + taken.length - filled);
      taken.set(piece, filled);
      filled += piece.length;
      this.#at += piece.length;
    }
    if (taken[bytes] !== lineFeed) throw unsound(`${what} is longer than it says`);
    return taken.subarray(0, bytes);
  }

  async ended(): Promise<boolean> {
    return !(await this.#more());
  }

  /** Stops reading; the source may be closed. */
  async close(): Promise<void> {
    await this.#parts.return?.();
  }

  async #more(): Promise<boolean> {
    while (this.#at >= this.#part.length) {
      const next = await this.#parts.next();
      if (next.done === true) return false;
      this.#part = next.value;
      this.#at = 0;
    }
    return true;
  }
}

function text(bytes: Uint8Array, what: string): string {
  try {
    return utf8(bytes);
  } catch (cause) {
    throw unsound(`${what} is not UTF-8`, { cause });
  }
}
