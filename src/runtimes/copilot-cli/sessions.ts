/**
 * The sessions of a folder or of all, newest first (RT2). For the order only the time of each file is asked; of each session that is given
 * the first and the last few kilobytes are read. Agents that a session started have no file of their own.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionCard, SessionQuery } from '../../ports/runtime.ts';
import { partIn, textIn, timeIn } from '../../core/transcript/loose-json.ts';
import { endRecords, firstOf, promptLine, type LineFile } from '../line-ends.ts';
import { isInFolders, folderNames } from '../of-folder.ts';
import { codeOf } from '../open-quietly.ts';
import { holderOf } from './liveness.ts';
import { eventsOf, sessionsOf } from './locate.ts';
import { eventIn, promptIn, type CopilotEvent } from './read/record.ts';

/** The end of a session is told in several kilobytes, and each turn has the system prompt. */
const tailBytes = 128 * 1024;

interface Found extends LineFile {
  readonly id: string;
  readonly updatedAt: number;
}

export function* sessions(home: string, query: SessionQuery = {}): Generator<SessionCard> {
  const folders = query.folder === undefined ? null : folderNames(query.folder);
  const found = namesIn(sessionsOf(home))
    .filter((name) => !name.startsWith('.'))
    .flatMap((id) => look(eventsOf(home, id), id))
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const each of found) {
    if (left <= 0) return;
    const card = cardOf(each, join(sessionsOf(home), each.id));
    // One that cannot be read may be of this folder.
    if (folders !== null && card.folder !== null && !isInFolders(folders, card.folder)) continue;
    left -= 1;
    yield card;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function look(path: string, id: string): Found[] {
  try {
    const about = statSync(path);
    const updatedAt = Math.trunc(about.mtimeMs);
    return [{ id, path, updatedAt, bytes: about.size, isFile: about.isFile() }];
  } catch (error) {
    // A session in which nothing was said has no events; or it was deleted since.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    return [{ id, path, updatedAt: 0, bytes: 0, isFile: false }];
  }
}

function cardOf(found: Found, folder: string): SessionCard {
  const { records, pointerOnly } = endRecords(found, tailBytes, eventIn);
  const newest = records.filter(({ isAgents }) => !isAgents).toReversed();
  const holder = holderOf(folder);
  return {
    runtime: 'copilot-cli',
    id: found.id,
    path: found.path,
    folder: firstOf(records, (event) => textIn(partIn(event.data, 'context'), 'cwd')),
    startedAt: firstOf(records, (event) => timeIn(event.data, 'startTime') ?? event.at),
    updatedAt: found.updatedAt,
    bytes: found.isFile ? found.bytes : null,
    lastPrompt: firstOf(newest, ({ type, data }) =>
      type === 'user.message' ? promptLine(promptIn(data)) : null,
    ),
    title: firstOf(newest, ({ type, data }) =>
      type === 'session.title_changed' ? textIn(data, 'title') : null,
    ),
    version: firstOf(newest, ({ data }) => textIn(data, 'copilotVersion')),
    ...(holder ?? { liveness: isOver(newest) ? ('ended' as const) : ('unknown' as const), pid: null }),
    parent: null,
    pointerOnly,
  };
}

function isOver([last]: readonly CopilotEvent[]): boolean {
  return last?.type === 'session.shutdown';
}
