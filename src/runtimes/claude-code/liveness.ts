/**
 * Who holds a session. A running Claude Code keeps `sessions/<pid>.json` and takes it away when it ends; after a kill it stays.
 * It names the process (`pid`, and `procStart`, the start by the kernel's clock, because numbers are used again) and where that
 * number is valid (`pidDomain` ends with the name of the process namespace).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionCard } from '../../ports/runtime.ts';
import { endsOf } from '../open-quietly.ts';
import { count, recordOf, text, type Fields } from './read/schema.ts';

export interface Holder {
  readonly pid: number | null;
  readonly liveness: SessionCard['liveness'];
}

const holderBytesMax = 64 * 1024;

/** Holders by session. Of several the one that lives counts. */
export function holdersOf(home: string): ReadonlyMap<string, Holder> {
  const holders = new Map<string, Holder>();
  for (const record of pidFiles(join(home, 'sessions'))) {
    const session = text(record, 'sessionId');
    if (session === null || holders.get(session)?.liveness === 'alive') continue;
    holders.set(session, holderOf(record));
  }
  return holders;
}

function* pidFiles(folder: string): Generator<Fields> {
  for (const name of namesIn(folder)) {
    if (!/^\d+\.json$/.test(name)) continue;
    try {
      const record = recordOf(endsOf(join(folder, name), holderBytesMax, 0).head);
      if (record !== null) yield record;
    } catch {
      // Taken away in between: its process has ended.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function holderOf(record: Fields): Holder {
  const pid = count(record, 'pid');
  if (pid === null || pid === 0 || !isHere(text(record, 'pidDomain'))) return { pid, liveness: 'unknown' };
  return { pid, liveness: isRunning(pid, text(record, 'procStart')) ? 'alive' : 'dead' };
}

function isHere(domain: string | null): boolean {
  const there = domain === null ? null : /pid:\[\d+\]$/.exec(domain);
  if (there === null || there === undefined) return true;
  try {
    return readlinkSync('/proc/self/ns/pid') === there[0];
  } catch {
    return true;
  }
}

function isRunning(pid: number, start: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process lives too.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const [state, now] = statOf(pid);
  // Killed, and its parent has not asked how it ended: the number is still taken, nothing runs.
  if (state === 'Z' || state === 'X') return false;
  return start === null || now === null || now === start;
}

/** The third and the twenty-second field; the second is a name in brackets that may hold anything. Null on other systems. */
function statOf(pid: number): readonly [state: string | null, start: string | null] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return [fields[0] ?? null, fields[19] ?? null];
  } catch {
    return [null, null];
  }
}

/**
 * Without a file of a process the end of the session tells: a run that ended writes what it cost after the last word. Anything else
 * says nothing, because the program takes away the files of killed processes when it starts again. Asked of the records from
 * the newest on, until one tells.
 */
export function livenessByEnd(record: Fields): SessionCard['liveness'] | null {
  const type = text(record, 'type');
  if (type === 'cost-state' || type === 'ended-by-model') return 'ended';
  return type === 'user' || type === 'assistant' ? 'unknown' : null;
}
