/** Opening a file of the program so that nothing shows it was read: where the system can, not even its time of access. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { StaffettaError } from '../../core/base/error.ts';

// Not waiting for a FIFO's writer; Windows has neither.
const plain = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const quiet = plain | (constants.O_NOATIME ?? 0);

export interface OpenFile {
  readonly descriptor: number;
  readonly bytes: number;
}

export function openQuietlySync(path: string): OpenFile {
  const descriptor = opened(path);
  const stat = fstatSync(descriptor);
  if (stat.isFile()) return { descriptor, bytes: stat.size };
  closeSync(descriptor);
  throw new StaffettaError('invalid-input', `${path} is no file, so no session can be read from it.`, {
    hint: 'List the sessions again.',
  });
}

function opened(path: string): number {
  try {
    return openSync(path, quiet);
  } catch (error) {
    // Only the owner may ask for it.
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return openSync(path, plain);
    throw error;
  }
}

/** The whole of a small file; null where there is none or it is larger. */
export function readQuietly(path: string, bytesMax: number): string | null {
  let file: OpenFile | null = null;
  try {
    file = openQuietlySync(path);
    return file.bytes > bytesMax ? null : readFileSync(file.descriptor, 'utf8');
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file.descriptor);
  }
}
