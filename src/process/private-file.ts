import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whole, and readable by the user alone. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, text, { mode: 0o600 });
    chmodSync(aside, 0o600);
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}
