/** Names on disk. A file that is synced can still be lost with its name, until the folder that holds the name is synced too. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Some systems do not sync folders, and a folder may let one in without letting one look: then there is nothing to be done. */
const cannot: ReadonlySet<string | undefined> = new Set(['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

export function syncFolder(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    if (!cannot.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/**
 * A private folder whose name is durable, and those above it that had to be made. The one above is synced even if nothing was made: the
 * process that made it may have died before it could.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  const top = made === undefined ? folder : resolve(made);
  for (let at = folder; ; at = dirname(at)) {
    syncFolder(dirname(at));
    if (at === top || at === dirname(at)) return;
  }
}
