/**
 * What went wrong in a hook, for a user who asks why: `hook.log` in the home of the store, a line an event. It is kept short: past a
 * size it becomes `hook.log.1`, which takes the place of an older one. Where it cannot be written (a full disk), the line goes to the
 * user's temporary folder; where that cannot be written either, nowhere: a host is never troubled with it.
 */
import { appendFileSync, chmodSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Home } from './home.ts';

const logBytesMax = 256 * 1024;
const lineCharsMax = 2000;

export function logLine(home: Home, text: string, now = new Date()): void {
  if (!appendLine(home.log, lineOf(text, now))) logElsewhere(text, now);
}

/** Where no store of this user's is. */
export function logElsewhere(text: string, now = new Date()): void {
  appendLine(join(tmpdir(), `staffetta-hook-${process.getuid?.() ?? 0}.log`), lineOf(text, now));
}

function lineOf(text: string, now: Date): string {
  return `${now.toISOString()} ${text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, lineCharsMax)}\n`;
}

function appendLine(path: string, line: string): boolean {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== undefined && size > logBytesMax) renameSync(path, `${path}.1`);
    if (size === undefined) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, line, { mode: 0o600 });
    if (size === undefined) chmodSync(path, 0o600);
    return true;
  } catch {
    return false;
  }
}
