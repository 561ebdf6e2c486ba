/**
 * One seal at a time for a session. A hook leaves word of what is to be sealed, `hooks/session-….again`, and whoever has the lock takes it
 * up; a later word takes the place of an earlier one. A word that nobody took up, because a process was killed, is found at the
 * next start.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHeld } from './owned-lock.ts';
import { hooksFolder, recordName, writePrivate } from './session-record.ts';
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

export function lockOf(store: string, { runtime, session }: Meant): string {
  return join(hooksFolder(store), recordName(runtime, session).replace(/\.json$/, '.lock'));
}

function wordOf(store: string, session: Meant): string {
  return lockOf(store, session).replace(/\.lock$/, '.again');
}

export function leaveWord(store: string, job: SealJob): void {
  writePrivate(wordOf(store, job), JSON.stringify(job));
}

export function wordLeft(store: string, session: Meant): SealJob | null {
  const path = wordOf(store, session);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SealJob;
  } catch {
    return null;
  }
}

export function takeUp(store: string, session: Meant): void {
  rmSync(wordOf(store, session), { force: true });
}

/** Something is sealed at this moment, or is about to be. */
export function isUnderWay(store: string, session: Meant): boolean {
  return existsSync(wordOf(store, session)) || isHeld(lockOf(store, session));
}
