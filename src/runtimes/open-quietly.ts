/** Opens files of the program so that it does not notice: no time stamp changes, and nothing waits for a pipe (RT1). */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { StaffettaError } from '../core/base/error.ts';

const plain = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Only the owner of a file may ask for this. */
const quiet = plain | (constants.O_NOATIME ?? 0);

const again = Buffer.allocUnsafe(64 * 1024);

export async function openQuietly(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, quiet).catch(async (error: unknown) => {
      if (codeOf(error) !== 'EPERM') throw error;
      return await open(path, plain);
    });
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw unreadable(path, error);
  }
  throw unreadable(path, null);
}

export interface Ends {
  readonly head: Buffer;
  /** Empty where the head is all there is. */
  readonly tail: Buffer;
  readonly bytes: number;
}

/**
 * The beginning and the end of a file. Throws what the system says; one call after the other is the fastest for many small reads.
 * The bytes are valid until the next file is looked at: a buffer for each of a thousand files costs more than reading them.
 */
export function endsOf(path: string, headBytes: number, tailBytes: number): Ends {
  const file = openQuietlyNow(path);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Error('it is no file');
    const isWhole = about.size <= headBytes + tailBytes;
    const first = isWhole ? about.size : headBytes;
    const last = isWhole ? 0 : tailBytes;
    const buffer = first + last <= again.length ? again : Buffer.allocUnsafe(first + last);
    const head = readAt(file, 0, buffer.subarray(0, first));
    return {
      head,
      tail: readAt(file, about.size - last, buffer.subarray(first, first + last)),
      bytes: about.size,
    };
  } finally {
    closeSync(file);
  }
}

/** All of a file, valid as long as its ends are. */
export function allOf(path: string): Buffer {
  try {
    return endsOf(path, Number.POSITIVE_INFINITY, 0).head;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function openQuietlyNow(path: string): number {
  try {
    return openSync(path, quiet);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
    return openSync(path, plain);
  }
}

function readAt(file: number, from: number, into: Buffer): Buffer {
  let done = 0;
  while (done < into.length) {
    const read = readSync(file, into, done, into.length - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return into.subarray(0, done);
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function unreadable(path: string, cause: unknown): StaffettaError {
  const gone = codeOf(cause) === 'ENOENT';
  return new StaffettaError(
    'unavailable',
    `The session ${path} ${gone ? 'is not there' : cause === null ? 'is not a file' : 'cannot be read'}.`,
    { hint: 'List the sessions again and take one that can be read.', details: { path }, cause },
  );
}
