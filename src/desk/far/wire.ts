/** Two streams of bytes as lines of JSON with bytes between them. What it says is in `core/archive/far-words.ts`. */
import { defined } from '../../core/base/defined.ts';
import { ArchiveBytes } from '../../core/archive/archive-bytes.ts';
import { FarFrame, FarReply, frameBytesMax } from '../../core/archive/far-words.ts';
import { errorCodes, isStaffettaError, StaffettaError } from '../../core/base/error.ts';

/** Pieces of an export are small: they go together. */
const frameBytesMin = 64 * 1024;
const lineFeed = Buffer.from('\n');

export interface WireStreams {
  readonly input: AsyncIterable<Uint8Array>;
  /** Waits while the other end is behind; rejects where it is gone. */
  readonly write: (bytes: Uint8Array | string) => Promise<void>;
}

export class Wire {
  readonly #bytes: ArchiveBytes;
  readonly #write: WireStreams['write'];

  constructor({ input, write }: WireStreams) {
    this.#bytes = new ArchiveBytes(input);
    this.#write = write;
  }

  async say(message: object): Promise<void> {
    await this.#write(`${JSON.stringify(message)}\n`);
  }

  /** The next line. Undefined where nothing more comes, in the middle of one too. */
  async line(): Promise<string | undefined> {
    return await this.#unbroken(async () => await this.#bytes.line('a message'));
  }

  /** The next line as data; what is no JSON is null. */
  async hear(): Promise<unknown> {
    const line = await this.line();
    if (line === undefined) return undefined;
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return null;
    }
  }

  async pour(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    let waiting: Uint8Array[] = [];
    let size = 0;
    const send = async (): Promise<void> => {
      const all = Buffer.concat(waiting);
      [waiting, size] = [[], 0];
      for (let at = 0; at < all.length; at += frameBytesMax) {
        const part = all.subarray(at, at + frameBytesMax);
        await this.#write(Buffer.concat([Buffer.from(`{"bytes":${part.length}}\n`), part, lineFeed]));
      }
    };
    for await (const piece of pieces) {
      waiting.push(piece);
      size += piece.length;
      if (size >= frameBytesMin) await send();
    }
    await send();
    await this.say({ bytes: 0 });
  }

  /** What the other end pours. An error in its place is thrown, and so is a link that breaks. */
  async *poured(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const message = await this.hear();
      const frame = FarFrame.safeParse(message);
      if (!frame.success) throw failureIn(message) ?? lost();
      if (frame.data.bytes === 0) return;
      const bytes = await this.#unbroken(async () => await this.#bytes.payload(frame.data.bytes, 'a frame'));
      if (bytes === undefined) throw lost();
      yield bytes;
    }
  }

  async #unbroken<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (isStaffettaError(error, 'corrupt') || code !== undefined) return undefined;
      throw error;
    }
  }
}

/** An error as the other end tells it. */
export function failureIn(message: unknown): StaffettaError | undefined {
  const reply = FarReply.safeParse(message);
  if (!reply.success || !('error' in reply.data)) return undefined;
  const { code, message: words, hint, details } = reply.data.error;
  return new StaffettaError(errorCodes.find((known) => known === code) ?? 'unavailable', words, {
    ...defined({ hint, details }),
  });
}

export function lost(): StaffettaError {
  return new StaffettaError('outcome-unknown', 'The other machine is gone, or said what makes no sense.', {
    hint: 'Nothing is lost: the task is here or there, and in one place only. Give the same command again: it goes on where this one stopped.',
  });
}
