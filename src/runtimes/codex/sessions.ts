/** The sessions on this machine, the newest first. Each costs a stat and a look at its first and last kilobytes. */
import { statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { SessionCard, SessionPlace, SessionQuery, StartedSession } from '../../ports/runtime.ts';
import { isInFolders, folderNames } from '../of-folder.ts';
import { sessionFiles, type Found } from './find.ts';
import { glance, type Glance } from './read/glance.ts';
import { writerLocks, type HeldLock, type ProcFiles } from './locks.ts';
import { readQuietly } from './open-quietly.ts';
import { fieldsOf, parsed, textIn } from './read/schema.ts';

const indexBytesMax = 8 * 1024 * 1024;

export function* sessions(home: string, query: SessionQuery = {}, proc?: ProcFiles): Generator<SessionCard> {
  const locks = writerLocks(home, proc);
  const titles = titlesIn(home);
  const folders = query.folder === undefined ? null : folderNames(query.folder);
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const { file, stat } of newestFirst(home)) {
    if (left <= 0) return;
    const card = cardOf(file, stat, { locks, titles });
    // One that cannot be read may be of this folder: it is named, with the reason.
    if (folders !== null && card.folder !== null && !isInFolders(folders, card.folder)) continue;
    left--;
    yield card;
  }
}

/** So many of the sessions that are younger are looked at, the oldest. */
const youngerMax = 1000;

/** Ids begin with the time: a session that another one started has a greater one. Each names who started it. */
export function startedBy(home: string, { id }: Pick<SessionPlace, 'id'>): StartedSession[] {
  const family = new Set([id.toLowerCase()]);
  return sessionFiles(home)
    .filter((file) => file.id > id.toLowerCase() && !file.compressed)
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.path < b.path ? -1 : 1))
    .slice(0, youngerMax)
    .flatMap(({ id: own, path }) => {
      const told = glance(path);
      if (typeof told === 'string' || told.parent === null || family.has(own)) return [];
      if (!family.has(told.parent.toLowerCase())) return [];
      family.add(own);
      const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? null;
      return [{ runtime: 'codex' as const, id: own, path, bytes }];
    });
}

interface Known {
  readonly locks: ReadonlyMap<string, HeldLock>;
  readonly titles: ReadonlyMap<string, string>;
}

function newestFirst(home: string): { readonly file: Found; readonly stat: Stats }[] {
  return sessionFiles(home)
    .flatMap((file) => {
      const stat = statSync(file.path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ file, stat }];
    })
    .sort(
      (one, other) => other.stat.mtimeMs - one.stat.mtimeMs || (one.file.path < other.file.path ? 1 : -1),
    );
}

function cardOf(file: Found, stat: Stats, { locks, titles }: Known): SessionCard {
  const seen = file.compressed ? 'it is compressed' : glance(file.path);
  const told = typeof seen === 'string' ? null : seen;
  return {
    runtime: 'codex',
    id: file.id,
    path: file.path,
    folder: told?.folder ?? null,
    startedAt: told?.startedAt ?? null,
    updatedAt: Math.trunc(stat.mtimeMs),
    bytes: stat.size,
    lastPrompt: told?.lastPrompt ?? null,
    title: titles.get(file.id) ?? null,
    version: told?.version ?? null,
    ...livenessOf(locks.get(file.id), told),
    parent: told?.parent ?? null,
    pointerOnly: typeof seen === 'string' ? seen : null,
  };
}

/**
 * A lock that nobody holds was left by a process that was killed, even if its last turn had ended. One that the daemon holds says only that
 * the thread is loaded: it is at work in the middle of a turn.
 */
function livenessOf(held: HeldLock | undefined, told: Glance | null): Pick<SessionCard, 'liveness' | 'pid'> {
  if (held === 'unknown') return { liveness: 'unknown', pid: null };
  if (typeof held === 'object' && !(held.byDaemon && told?.ended === true))
    return { liveness: 'alive', pid: held.pid === 0 ? null : held.pid };
  if (held === 'stale') return { liveness: 'dead', pid: null };
  const ended = told?.ended ?? null;
  return { liveness: ended === null ? 'unknown' : ended ? 'ended' : 'dead', pid: null };
}

/** Names that were given to sessions: lines of `{id, thread_name}`, the last one counts. */
function titlesIn(home: string): Map<string, string> {
  const titles = new Map<string, string>();
  const index = readQuietly(join(home, 'session_index.jsonl'), indexBytesMax) ?? '';
  for (const line of index.split('\n')) {
    const fields = fieldsOf(parsed(line));
    const [id, name] = [textIn(fields, 'id'), textIn(fields, 'thread_name')];
    if (id !== null && name !== null) titles.set(id.toLowerCase(), name);
  }
  return titles;
}
