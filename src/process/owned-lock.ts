/**
 * A lock that belongs to a process: a file that names it by number and start. One whose process has ended is nobody's, however new it is;
 * where nothing tells of processes it is believed for a while. Of several who find the same dead owner one takes its place: they lock the
 * taking over itself, and look again.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sha256Hex } from '../core/journal/sha256.ts';
import { isOver, startOf } from './process-tree.ts';

/** Nobody works longer than this. */
const lockMsMax = 10 * 60_000;
/** Between making the file and naming the owner in it. */
const unnamedMsMax = 5000;

/** `broken`: it was taken over from a process that had ended. */
export function takeLock(path: string, msMax = lockMsMax): 'taken' | 'broken' | 'busy' {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (made(path)) return 'taken';
  const owner = textOf(path);
  if (isLockHeld(path, msMax)) return 'busy';
  const over = `${path}.${sha256Hex(owner).slice(0, 8)}`;
  if (takeLock(over, msMax) === 'busy') return 'busy';
  try {
    // Given back meanwhile, it may be somebody's again who has not yet named himself in it.
    if (textOf(path) === owner && !isLockHeld(path, msMax)) rmSync(path, { force: true });
    return made(path) ? 'broken' : 'busy';
  } finally {
    dropLock(over);
  }
}

export function dropLock(path: string): void {
  rmSync(path, { force: true });
}

export function isLockHeld(path: string, msMax = lockMsMax): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const age = Date.now() - stats.mtimeMs;
  if (age > msMax) return false;
  const [pid = '', started = ''] = textOf(path).split(' ');
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 1) return age < unnamedMsMax;
  return !isOver({ pid: number, started });
}

function made(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${startOf(process.pid) ?? ''}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
