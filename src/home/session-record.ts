/**
 * Who speaks in a session of a coding agent, as its hooks know it. One small file a session, in the home of the store and for the user alone:
 * `hooks/session-<runtime>-<id>.json`. It is written aside and moved, so a reader sees the old one or the new one; of two writers at
 * once the later wins. Nothing depends on it that the journal does not decide: it says in whose name a command or the MCP
 * server speaks, and spares a hook looking everything up again.
 */
import { programs } from '../core/resume/runtime-names.ts';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskId } from '../core/journal/id.ts';
import type { RuntimeName, SessionCard } from '../ports/runtime.ts';
import type { Home } from './home.ts';
import { writePrivate } from '../process/private-file.ts';
import { ancestorsOf, isOver } from '../process/process-tree.ts';

export interface RecordedLeg {
  readonly task: TaskId;
  readonly generation: number;
  readonly leaseMs: number;
  /** When its lease was last renewed. */
  readonly renewedAt: number;
}

export interface SessionRecord {
  readonly v: 1;
  readonly runtime: RuntimeName;
  readonly session: string;
  /** The name it speaks under. */
  readonly agent: string;
  /** The program that runs the session; null where nothing tells. Numbers are used again, so its start is kept too. */
  readonly host: { readonly pid: number; readonly started: string | null } | null;
  readonly folder: string;
  readonly transcript: string | null;
  readonly at: number;
  readonly turn: 'open' | 'settled';
  readonly leg: RecordedLeg | null;
  /** A tool that may change files has run since the last seal. */
  readonly changed: boolean;
  /** Anything at all has happened since. */
  readonly news: boolean;
  /** Size of the transcript when its window was last looked at. */
  readonly lookedBytes: number;
  /** The tasks it was told of, so that it is told again only of others. */
  readonly greeted: readonly string[] | null;
  readonly ended: boolean;
  /** A tool that writes files was used since the last seal. */
  readonly edited?: boolean;
  /** Calls of tools, counted up to a few: a session that has made none leaves nothing behind. */
  readonly tools?: number;
  /** The workspace was looked at too late to know how it was at the start. */
  readonly lateBase?: boolean;
  /** The process that started the program holds the task and sees to it. */
  readonly lent?: boolean;
  /** The store's file, once it was found to be the user's own. */
  readonly file?: string;
  /** The task whose leg it held last. */
  readonly last?: TaskId;
  /** What it holds could not be looked up when it last changed: only the store knows. */
  readonly unsure?: boolean;
}

const recordBytesMax = 64 * 1024;
const recordsMax = 200;

/** Ids come from outside: nothing of one may lead anywhere else. */
export function recordName(runtime: string, session: string): string {
  return `session-${runtime}-${session.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(-100)}.json`;
}

export function keptName(runtime: string, session: string): string {
  return recordName(runtime, session).replace(/^session-/, 'kept-');
}

export function readRecord(home: Home, runtime: string, session: string): SessionRecord | null {
  const found = parsed(join(home.hooks, recordName(runtime, session)));
  return found?.runtime === runtime && found.session === session ? found : null;
}

export function writeRecord(home: Home, record: SessionRecord): void {
  writePrivate(join(home.hooks, recordName(record.runtime, record.session)), JSON.stringify(record));
}

/** Newest first; those that cannot be read are passed over. */
export function allRecords(home: Home): SessionRecord[] {
  let names: string[];
  try {
    names = readdirSync(home.hooks);
  } catch {
    return [];
  }
  return names
    .filter((name) => /^session-.*\.json$/.test(name))
    .slice(0, recordsMax * 10)
    .flatMap((name) => parsed(join(home.hooks, name)) ?? [])
    .toSorted((a, b) => b.at - a.at);
}

/** Keeps the newest. */
export function pruneRecords(home: Home): void {
  for (const { runtime, session } of allRecords(home).slice(recordsMax))
    for (const name of [recordName(runtime, session), keptName(runtime, session)])
      rmSync(join(home.hooks, name), { force: true });
}

function parsed(path: string): SessionRecord | null {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > recordBytesMax) return null;
    const found = JSON.parse(text) as SessionRecord;
    return (found.v as number) === 1 && typeof found.session === 'string' ? found : null;
  } catch {
    return null;
  }
}

/** Whether the program that ran a session is gone; false where nothing tells. */
export function isHostGone({ host }: Pick<SessionRecord, 'host'>): boolean {
  return host !== null && isOver(host);
}

/**
 * What hooks know of a session beyond its files: that its program is gone in the middle of a turn, and no hook has heard of an end;
 * or null, where its program runs.
 */
export function toldByHooks(records: readonly SessionRecord[]): (card: SessionCard) => SessionCard | null {
  return (card) => {
    const record = records.find(({ runtime, session }) => runtime === card.runtime && session === card.id);
    if (record === undefined || record.ended || record.host === null) return card;
    const isGone = isHostGone(record);
    if (!isGone && card.liveness !== 'dead') return null;
    return isGone && record.turn === 'open' ? { ...card, liveness: 'dead' } : card;
  };
}

/**
 * The session that this process works for: the one its environment names, else the one whose program started it. Undefined where
 * no hook has recorded it.
 */
export function recordedSpeaker(
  home: Home,
  env: NodeJS.ProcessEnv,
  runtime: string | undefined,
): SessionRecord | undefined {
  for (const { session: variable, name } of programs) {
    const session = env[variable];
    if (session === undefined || session === '' || (runtime !== undefined && runtime !== name)) continue;
    const found = readRecord(home, name, session);
    if (found !== null) return found;
  }
  const records = allRecords(home).filter(
    (record) => !record.ended && record.host !== null && (runtime ?? record.runtime) === record.runtime,
  );
  if (records.length === 0) return undefined;
  for (const { pid, started } of ancestorsOf(process.ppid)) {
    const found = records.find(({ host }) => host?.pid === pid && host.started === started);
    if (found !== undefined) return found;
  }
  return undefined;
}
