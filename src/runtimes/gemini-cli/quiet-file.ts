/** Reading that leaves no trace: no lock, no time stamp where the system allows it, and no waiting on what is no file. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Throws the error of the system; a pipe or a folder in place of a file is refused, not waited for. */
export function openQuietFile(path: string): { fd: number; bytes: number; changedAt: number } {
  const fd = openFor(path);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, bytes: stat.size, changedAt: stat.mtimeMs };
  closeSync(fd);
  throw new Error('it is no regular file');
}

/** Only the owner of a file may read it without a mark of the time. */
function openFor(path: string): number {
  try {
    return openSync(path, flags | (constants.O_NOATIME ?? 0));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
    return openSync(path, flags);
  }
}

/** So many bytes, or as many as a buffer holds; fewer only where the file ends. */
export function readAt(fd: number, from: number, into: number | Buffer): Buffer {
  const buffer = typeof into === 'number' ? Buffer.allocUnsafe(into) : into;
  const { length } = buffer;
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, buffer, filled, length - filled, from + filled);
    if (got === 0) break;
    filled += got;
  }
  return buffer.subarray(0, filled);
}

/** The whole of a small file; null where it is missing, too large or no file. */
export function readSmall(path: string, max: number): string | null {
  try {
    const { fd, bytes } = openQuietFile(path);
    try {
      return bytes > max ? null : readAt(fd, 0, bytes).toString('utf8');
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
