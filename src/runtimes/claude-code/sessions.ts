/**
 * The sessions of a folder or of all, newest first (RT2). For the order only the time of each file is asked; of each session that is
 * given the first and the last few kilobytes are read. Agents that a session started are in files of their own, beside it in
 * `<session>/subagents/agent-<id>.jsonl`, and are listed with their parent.
 */
import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { SessionCard, SessionPlace, SessionQuery, StartedSession } from '../../ports/runtime.ts';
import { isInFolders, folderNames } from '../of-folder.ts';
import { holdersOf, livenessByEnd, type Holder } from './liveness.ts';
import { nameLengthMax, projectName, projectsOf } from './locate.ts';
import { codeOf, endsOf, type Ends } from '../open-quietly.ts';
import { blocks, flag, part, recordOf, text, time, type Fields } from './read/schema.ts';
import { isOfConversation, skim } from './read/skim.ts';
import { saidBy } from './read/words.ts';

const headBytes = 8 * 1024;
const tailBytes = 16 * 1024;
const promptLengthMax = 200;
const titles = ['customTitle', 'aiTitle', '"summary"'];

interface Found {
  readonly id: string;
  readonly path: string;
  readonly parent: string | null;
  readonly updatedAt: number;
  readonly bytes: number;
  readonly isFile: boolean;
}

export async function* sessions(home: string, query: SessionQuery = {}): AsyncGenerator<SessionCard> {
  const folders = query.folder === undefined ? null : folderNames(query.folder);
  const { here = [], elsewhere = [] } = Object.groupBy(projectsIn(home), (project) =>
    folders === null || isOfFolders(project, folders) ? 'here' : 'elsewhere',
  );
  const found = here.flatMap(sessionsIn);
  if (folders !== null) found.push(...movedInto(folders, elsewhere));
  found.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  const holders = holdersOf(home);
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const each of found) {
    if (left <= 0) return;
    const card = cardOf(each, holders.get(each.parent ?? each.id));
    if (folders !== null && isOther(each.path, card.folder, folders)) continue;
    left -= 1;
    yield card;
  }
}

/** So many sessions of other folders are looked at, the newest. */
const othersMax = 200;

/** Sessions that began in a folder that is gone and went on in this one: the program keeps them under the old name. */
function movedInto(folders: readonly string[], elsewhere: readonly string[]): Found[] {
  return elsewhere
    .flatMap(sessionsIn)
    .filter(({ parent }) => parent === null)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, othersMax)
    .filter((found) => {
      const ends = readEnds(found);
      const records = typeof ends === 'string' ? [] : recordsAt(ends);
      const last = firstOf(records.toReversed(), (each) => text(each, 'cwd'));
      if (last === null || !folders.includes(last)) return false;
      const first = firstOf(records, (each) => text(each, 'cwd'));
      // An agent may change its folder on the way; only a folder that is gone was moved.
      return first !== null && first !== last && !existsSync(first);
    });
}

/**
 * Several folders can have one name as a project, and the names of others begin with it. A session that was moved into a project still
 * says where it began.
 */
function isOther(path: string, folder: string | null, wanted: readonly string[]): boolean {
  // One that cannot be read may be of this folder.
  if (folder === null) return !wanted.some((each) => path.includes(`${sep}${projectName(each)}${sep}`));
  if (isInFolders(wanted, folder)) return false;
  const name = projectName(folder);
  return wanted.some((each) => name === projectName(each) || name.startsWith(`${projectName(each)}-`));
}

function projectsIn(home: string): string[] {
  const root = projectsOf(home);
  return entriesIn(root).map((entry) => join(root, entry.name));
}

function isOfFolders(project: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isProject(basename(project), projectName(folder)));
}

function isProject(name: string, wanted: string): boolean {
  return wanted.length <= nameLengthMax
    ? name === wanted || name.startsWith(`${wanted}-`)
    : name.startsWith(`${wanted.slice(0, nameLengthMax)}-`);
}

function sessionsIn(project: string): Found[] {
  return entriesIn(project).flatMap((entry) => {
    const path = join(project, entry.name);
    if (entry.name.endsWith('.jsonl')) return look(path, basename(entry.name, '.jsonl'), null);
    return entry.isDirectory() ? agentsIn(path) : [];
  });
}

function agentsIn(session: string): Found[] {
  const folder = join(session, 'subagents');
  return entriesIn(folder).flatMap((entry) => {
    const id = /^agent-(.+)\.jsonl$/.exec(entry.name)?.[1];
    return id === undefined ? [] : look(join(folder, entry.name), id, basename(session));
  });
}

/** All agents of a session are beside it, no matter which of them started which. */
export function startedBy({ path }: Pick<SessionPlace, 'path'>): StartedSession[] {
  if (!path.endsWith('.jsonl')) return [];
  return agentsIn(path.slice(0, -'.jsonl'.length))
    .filter(({ isFile }) => isFile)
    .map(({ id, path: file, bytes }) => ({ id, path: file, bytes, startedAt: startOf(file) }))
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    .map(({ id, path: file, bytes }) => ({ runtime: 'claude-code', id, path: file, bytes }));
}

function startOf(path: string): number {
  try {
    return firstOf(linesIn(endsOf(path, headBytes, 0).head), (each) => time(each, 'timestamp')) ?? 0;
  } catch {
    return 0;
  }
}

function look(path: string, id: string, parent: string | null): Found[] {
  try {
    const about = statSync(path);
    const { mtimeMs, size } = about;
    return [{ id, path, parent, updatedAt: Math.trunc(mtimeMs), bytes: size, isFile: about.isFile() }];
  } catch (error) {
    // Deleted since the folder was listed.
    if (codeOf(error) === 'ENOENT') return [];
    return [{ id, path, parent, updatedAt: 0, bytes: 0, isFile: false }];
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function cardOf(found: Found, holder: Holder | undefined): SessionCard {
  const ends = readEnds(found);
  const records = typeof ends === 'string' ? [] : recordsAt(ends);
  const newest = records.toReversed();
  return {
    runtime: 'claude-code',
    id: found.id,
    path: found.path,
    folder: firstOf(records, (each) => text(each, 'cwd')),
    startedAt: firstOf(records, (each) => time(each, 'timestamp')),
    updatedAt: found.updatedAt,
    bytes: found.isFile ? found.bytes : null,
    lastPrompt: lastPromptOf(newest),
    title: titleOf(newest),
    version: firstOf(having(newest, '"version"'), (each) => text(each, 'version')),
    liveness: holder?.liveness ?? firstOf(newest, livenessByEnd) ?? 'unknown',
    pid: holder?.pid ?? null,
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

function reasonAgainst(found: Found, records: readonly Line[]): string | null {
  if (found.bytes === 0) return 'It is empty.';
  // The first record may be longer than what is read here.
  if (found.bytes > headBytes || records.some((line) => line.record() !== null)) return null;
  return 'None of its lines is a record.';
}

/** Parsed when it is looked at, and once: of most sessions a handful of lines is needed. */
class Line {
  /** A character for each byte. */
  readonly text: string;
  readonly #bytes: Buffer;
  #record: Fields | null | undefined;

  constructor(bytes: Buffer, text: string) {
    this.#bytes = bytes;
    this.text = text;
  }

  record(): Fields | null {
    // Behind the last end of a line is nothing, and an error for each of a thousand files is dear.
    if (this.#record === undefined) this.#record = this.text === '' ? null : recordOf(this.#bytes);
    return this.#record;
  }
}

function recordsAt({ head, tail, bytes }: Ends): Line[] {
  if (bytes <= head.length) return linesIn(head);
  return [...linesIn(head).slice(0, -1), ...linesIn(tail).slice(1)];
}

/** At the end of the file the last may be torn, and is no record then. */
function linesIn(bytes: Buffer): Line[] {
  const text = bytes.toString('latin1');
  const lines: Line[] = [];
  let from = 0;
  for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
    lines.push(new Line(bytes.subarray(from, to), text.slice(from, to)));
    from = to + 1;
  }
  return [...lines, new Line(bytes.subarray(from), text.slice(from))];
}

/** A line in which the name does not stand has no field of it, and is not parsed to see that. */
function* having(lines: Iterable<Line>, name: string): Generator<Line> {
  for (const line of lines) if (line.text.includes(name)) yield line;
}

function firstOf<T>(lines: Iterable<Line>, get: (record: Fields) => T | null): T | null {
  for (const line of lines) {
    const record = line.record();
    const value = record === null ? null : get(record);
    if (value !== null) return value;
  }
  return null;
}

/** A title is a record beside the conversation, and nowhere in most sessions: only lines are parsed that can hold one. */
function titleOf(newest: readonly Line[]): string | null {
  const titled = newest.filter(
    ({ text: line }) => !isOfConversation(line) && titles.some((name) => line.includes(name)),
  );
  return (
    firstOf(titled, (each) => text(each, 'customTitle')) ??
    firstOf(titled, (each) => text(each, 'aiTitle')) ??
    firstOf(titled, (each) => (text(each, 'type') === 'summary' ? text(each, 'summary') : null))
  );
}

function lastPromptOf(newest: readonly Line[]): string | null {
  const prompt = firstOf(mayBePrompts(newest), promptOf);
  if (prompt === null) return null;
  const line = prompt.replaceAll(/\s+/g, ' ').trim();
  return line.length > promptLengthMax ? `${line.slice(0, promptLengthMax - 1).toWellFormed()}…` : line;
}

/** Long results are not parsed only to see that nobody typed them. */
function* mayBePrompts(newest: readonly Line[]): Generator<Line> {
  for (const line of newest) if (skim(line.text) === null) yield line;
}

function promptOf(record: Fields): string | null {
  const type = text(record, 'type');
  if (type === 'last-prompt') return text(record, 'lastPrompt');
  if (type !== 'user' || flag(record, 'isMeta')) return null;
  const said = blocks(part(record, 'message'))
    .flatMap((block) => (text(block, 'type') === 'text' ? saidBy(record, text(block, 'text') ?? '') : []))
    .filter((each) => each.source === 'user');
  return said.length === 0 ? null : said.map((each) => each.text).join('\n');
}
