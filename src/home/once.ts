import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** True for the first of all processes that ask. */
export function markOnce(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch {
    return false;
  }
}
