/**
 * One seal at a time for a session. A hook leaves word of what is to be sealed, `hooks/session-….again`, and the holder of the lock takes
 * it up; a later word takes the place of an earlier one. A word that nobody took up, because a process was killed, is found at the
 * next start.
 */
import type { Home } from './home.ts';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLockHeld } from '../process/owned-lock.ts';
import { writePrivate } from '../process/private-file.ts';
import { recordName } from './session-record.ts';
import type { Trigger } from '../core/journal/event.ts';
import type { RuntimeName } from '../ports/runtime.ts';

export interface OfSession {
  readonly runtime: RuntimeName;
  readonly session: string;
  readonly folder: string;
}

export interface SealJob extends OfSession {
  readonly kind: 'seal';
  readonly transcript: string | null;
  readonly trigger: Trigger;
  readonly ended: boolean;
  /** No hook heard of the end: its program is gone. */
  readonly gone?: boolean;
}

type Meant = Pick<OfSession, 'runtime' | 'session'>;

export function lockOf(home: Home, { runtime, session }: Meant): string {
  return join(home.hooks, recordName(runtime, session).replace(/\.json$/, '.lock'));
}

function wordOf(home: Home, session: Meant): string {
  return lockOf(home, session).replace(/\.lock$/, '.again');
}

export function leaveWord(home: Home, job: SealJob): void {
  writePrivate(wordOf(home, job), JSON.stringify(job));
}

export function wordLeft(home: Home, session: Meant): SealJob | null {
  const path = wordOf(home, session);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SealJob;
  } catch {
    return null;
  }
}

export function takeUp(home: Home, session: Meant): void {
  rmSync(wordOf(home, session), { force: true });
}

/** Something is sealed at this moment, or is about to be. */
export function isUnderWay(home: Home, session: Meant): boolean {
  return existsSync(wordOf(home, session)) || isLockHeld(lockOf(home, session));
}
