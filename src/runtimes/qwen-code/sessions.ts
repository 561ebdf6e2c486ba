/**
 * The sessions of a folder or of all, newest first (RT2). For the order only the time of each file is asked; of each session that is given
 * the first and the last few kilobytes are read. Agents that a session started are listed with their parent.
 *
 * Nothing says whether a process is at work on a session: the program keeps neither a lock nor a process id. A hook of ours knows.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SessionCard, SessionPlace, SessionQuery, StartedSession } from '../../ports/runtime.ts';
import { own, textIn, timeIn, type Fields } from '../../core/transcript/loose-json.ts';
import { isInFolders, folderNames } from '../of-folder.ts';
import { endRecords, firstOf, promptLine } from '../line-ends.ts';
import { codeOf } from '../open-quietly.ts';
import { projectName, projectsOf } from './locate.ts';
import { fieldsIn, saidIn, titleIn } from './read/record.ts';

const tailBytes = 32 * 1024;

interface Found {
  readonly id: string;
  readonly path: string;
  readonly parent: string | null;
  readonly updatedAt: number;
  readonly bytes: number;
  readonly isFile: boolean;
}

export function* sessions(home: string, query: SessionQuery = {}): Generator<SessionCard> {
  const folders = query.folder === undefined ? null : folderNames(query.folder);
  const found = projectsIn(home, folders)
    .flatMap(sessionsIn)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const each of found) {
    if (left <= 0) return;
    const card = cardOf(each);
    // Several folders can have one name as a project. One that cannot be read may be of this folder.
    if (folders !== null && card.folder !== null && !isInFolders(folders, card.folder)) continue;
    left -= 1;
    yield card;
  }
}

function projectsIn(home: string, folders: readonly string[] | null): string[] {
  const names = (folders ?? []).map(projectName);
  return entriesIn(projectsOf(home))
    .filter(
      (name) => folders === null || names.some((wanted) => name === wanted || name.startsWith(`${wanted}-`)),
    )
    .map((name) => join(projectsOf(home), name));
}

function sessionsIn(project: string): Found[] {
  const chats = join(project, 'chats');
  const agents = join(project, 'subagents');
  return [
    ...entriesIn(chats)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => look(join(chats, name), basename(name, '.jsonl'), null)),
    ...entriesIn(agents).flatMap((session) => agentsOf(join(agents, session))),
  ];
}

function agentsOf(folder: string): Found[] {
  return entriesIn(folder).flatMap((name) => {
    const id = /^agent-(.+)\.jsonl$/.exec(name)?.[1];
    return id === undefined ? [] : look(join(folder, name), id, basename(folder));
  });
}

/** All agents of a session are in one folder, no matter which of them started which. */
export function startedBy({ path, id }: Pick<SessionPlace, 'path' | 'id'>): StartedSession[] {
  return agentsOf(join(dirname(dirname(path)), 'subagents', id))
    .filter(({ isFile }) => isFile)
    .map((found) => ({ found, startedAt: cardOf(found).startedAt ?? 0 }))
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.found.id < b.found.id ? -1 : 1))
    .map(({ found }) => ({ runtime: 'qwen-code', id: found.id, path: found.path, bytes: found.bytes }));
}

function look(path: string, id: string, parent: string | null): Found[] {
  try {
    const about = statSync(path);
    const updatedAt = Math.trunc(about.mtimeMs);
    return [{ id, path, parent, updatedAt, bytes: about.size, isFile: about.isFile() }];
  } catch (error) {
    // Deleted since the folder was listed.
    if (codeOf(error) === 'ENOENT') return [];
    return [{ id, path, parent, updatedAt: 0, bytes: 0, isFile: false }];
  }
}

function entriesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function cardOf(found: Found): SessionCard {
  const { records, pointerOnly } = endRecords(found, tailBytes, recordOf);
  const newest = records.toReversed();
  return {
    runtime: 'qwen-code',
    id: found.id,
    path: found.path,
    folder: firstOf(records, (each) => textIn(each, 'cwd')),
    startedAt: firstOf(records, (each) => timeIn(each, 'timestamp')),
    updatedAt: found.updatedAt,
    bytes: found.isFile ? found.bytes : null,
    lastPrompt: firstOf(newest, (each) =>
      textIn(each, 'type') === 'user' ? promptLine(saidIn(each).user) : null,
    ),
    title: firstOf(newest, titleIn),
    version: firstOf(newest, (each) => textIn(each, 'version')),
    liveness: 'unknown',
    pid: null,
    parent: found.parent,
    pointerOnly,
  };
}

function recordOf(line: Buffer): Fields | null {
  const fields = fieldsIn(line);
  return fields === null || own(fields, 'uuid') === undefined ? null : fields;
}
