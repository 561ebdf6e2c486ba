/** What lies at the path of a store, in words where it cannot be seen. */
import { statSync, type Stats } from 'node:fs';
import { StaffettaError } from '../core/base/error.ts';

/** Undefined only if nothing is there. What cannot be seen is no proof of that. */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StaffettaError('store-io', `${path} cannot be reached: ${diskReason(cause)}.`, {
      cause,
      details: { path },
      hint: 'Ask for permission on its folder, or choose another store with --store.',
    });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
};

export function diskReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
