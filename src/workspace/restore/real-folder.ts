/**
 * Working inside a folder that somebody else may be rearranging. Each component is opened without following a link, starting from
 * the root; what is done then is done relative to the open folder, so that exchanging a component for a link in
 * between changes nothing. Node has no `openat`; on Linux, `/proc/self/fd` serves as one. Elsewhere each component is looked
 * at just before use, which leaves a gap.
 */
import { defined } from '../../core/base/defined.ts';
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';

const descriptors = process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;

/** Calls `act` with a path that stands for the folder and cannot be redirected. `make`: create what is missing. */
export function withinFolder<T>(root: string, folder: string, act: (base: string) => T, make = false): T {
  const names = folder === '' ? [] : folder.split('/');
  const open: number[] = [];
  try {
    let base = root;
    base = enter(base, folder, open);
    for (const name of names) {
      const path = join(base, name);
      if (make && lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path);
      base = enter(path, folder, open);
    }
    return act(base);
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

function enter(path: string, folder: string, open: number[]): string {
  if (descriptors === undefined) {
    if (lstatSync(path).isDirectory()) return path;
    throw notAFolder(folder);
  }
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    open.push(descriptor);
    return `${descriptors}/${descriptor}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'ENOTDIR') throw notAFolder(folder, error);
    throw error;
  }
}

function notAFolder(folder: string, cause?: unknown): StaffettaError {
  return new StaffettaError('unsafe-path', `${folder} is not a folder of the workspace.`, {
    details: { path: folder },
    ...defined({ cause }),
  });
}
