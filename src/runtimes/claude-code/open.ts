/** Opens files of the program so that it does not notice: no time stamp changes, and nothing waits for a pipe (RT1). */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { StaffettaError } from '../../core/error.ts';

const plain = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Only the owner of a file may ask for this. */
const quiet = plain | (constants.O_NOATIME ?? 0);

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

/** The beginning and the end of a file. Throws what the system says; one call after the other is the fastest for many small reads. */
export function endsOf(path: string, headBytes: number, tailBytes: number): Ends {
  const file = openQuietlyNow(path);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Error('it is no file');
    const head = readAt(file, 0, Math.min(headBytes, about.size));
    const rest = Math.min(tailBytes, about.size - head.length);
    return { head, tail: readAt(file, about.size - rest, rest), bytes: about.size };
  } finally {
    closeSync(file);
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

function readAt(file: number, from: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let done = 0;
  while (done < bytes) {
    const read = readSync(file, buffer, done, bytes - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return buffer.subarray(0, done);
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
