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
import { codeOf, endsOf, type Ends } from '../open-quietly.ts';
import { projectName, projectsOf } from './locate.ts';
import { fieldsIn, saidIn, titleIn } from './read/record.ts';

const headBytes = 16 * 1024;
const tailBytes = 32 * 1024;
const promptLengthMax = 200;
const newline = 10;

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
  const ends = readEnds(found);
  const records = typeof ends === 'string' ? [] : recordsAt(ends);
  const newest = records.toReversed();
  return {
    runtime: 'qwen-code',
    id: found.id,
    path: found.path,
    folder: firstOf(records, (each) => textIn(each, 'cwd')),
    startedAt: firstOf(records, (each) => timeIn(each, 'timestamp')),
    updatedAt: found.updatedAt,
    bytes: found.isFile ? found.bytes : null,
    lastPrompt: firstOf(newest, promptIn),
    title: firstOf(newest, titleIn),
    version: firstOf(newest, (each) => textIn(each, 'version')),
    liveness: 'unknown',
    pid: null,
    parent: found.parent,
    pointerOnly: typeof ends === 'string' ? ends : reasonAgainst(found, records),
  };
}

/** The ends of the file, or why there are none. */
function readEnds(found: Found): Ends | string {
  if (!found.isFile) return 'It is not a file.';
  try {
    return endsOf(found.path, headBytes, tailBytes);
  } catch (error) {
    return codeOf(error) === 'ENOENT'
      ? 'It was deleted.'
      : `It cannot be read (${codeOf(error) ?? 'unknown'}).`;
  }
}

function reasonAgainst(found: Found, records: readonly Fields[]): string | null {
  if (found.bytes === 0) return 'It is empty.';
  // The first record may be longer than what is read here.
  return found.bytes > headBytes || records.length > 0 ? null : 'None of its lines is a record.';
}

function recordsAt({ head, tail, bytes }: Ends): Fields[] {
  const lines =
    bytes <= head.length ? linesIn(head) : [...linesIn(head).slice(0, -1), ...linesIn(tail).slice(1)];
  return lines
    .map(fieldsIn)
    .filter((each): each is Fields => each !== null && own(each, 'uuid') !== undefined);
}

function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = bytes.indexOf(newline); to >= 0; to = bytes.indexOf(newline, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return [...lines, bytes.subarray(from)];
}

function firstOf<T>(records: readonly Fields[], get: (record: Fields) => T | null): T | null {
  for (const record of records) {
    const value = get(record);
    if (value !== null) return value;
  }
  return null;
}

function promptIn(record: Fields): string | null {
  if (textIn(record, 'type') !== 'user') return null;
  const line = saidIn(record).user.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return null;
  return line.length > promptLengthMax ? `${line.slice(0, promptLengthMax - 1).toWellFormed()}…` : line;
}
