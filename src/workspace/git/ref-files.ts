/**
 * Whether a branch can be there, seen from the files that git keeps branches in: one each below `refs`, or a line in `packed-refs`.
 * A file is not yet a branch (it may be damaged, or name one that is gone); where there is none, there is no branch.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A longer list is git's to search. */
const packedBytesMax = 4 * 1024 * 1024;

export function mayHaveRef(commonFolder: string, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  // Another way to keep them, in files of another kind.
  if (existsSync(join(commonFolder, 'reftable'))) return true;
  if (names.some((name) => existsSync(join(commonFolder, name)))) return true;
  const packed = join(commonFolder, 'packed-refs');
  try {
    const size = statSync(packed, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) return false;
    if (size > packedBytesMax) return true;
    const text = readFileSync(packed, 'latin1');
    return names.some((name) => text.includes(` ${name}\n`));
  } catch {
    return true;
  }
}
