/**
 * The sessions of a folder, newest first: names and times of all files, and of each only its first and last few kilobytes, and
 * that only when its turn comes. The calls are synchronous: a thousand sessions are several thousand of them, each too short
 * to be worth a way through the thread pool.
 *
 *   chats/session-<time>-<first 8 of the id>.jsonl    a session; `.json` in older versions, which a resume copies to `.jsonl`
 *   chats/session-….jsonl.unreadable-<ms>             one that the program could not load, and put aside before it wrote it anew
 *   chats/<id of the parent>/<id>.jsonl               a subagent's
 *
 * A session that was continued has a second file with the same id and no conversation in it: the header that the program wrote
 * before it went on in the first one. It is no session of its own. Alone it is what is left after the program's cleanup, which
 * takes such a header for an empty session and removes every file of that id: it is named, with that reason.
 * The program keeps no lock and no process id; what else tells whether a session is alive is in `liveness.ts`.
 */
import type { Stats } from 'node:fs';
import { closeSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SessionCard, SessionPlace, SessionQuery, StartedSession } from '../../ports/runtime.ts';
import { livesOf, type Life, type Signs } from './liveness.ts';
import { messageOf } from './read/message.ts';
import type { Project } from './projects.ts';
import { names, projectsOf } from './projects.ts';
import { openQuietFile, readAt } from './quiet-file.ts';
import type { RecordOperation } from './read/schema.ts';
import { textIn, timeIn } from '../../core/transcript/loose-json.ts';
import { operationOf } from './read/schema.ts';

const edgeBytes = 8 * 1024;
/** A header without a conversation holds the context that the model was given, and that is at most a listing of the folder. */
const headerBytesMax = 256 * 1024;
const promptMax = 200;
const sessionName = /^session-.*\.jsonl?(\.unreadable-\d+)?$/;

interface Found {
  readonly path: string;
  readonly folder: string | null;
  readonly parent: string | null;
  readonly bytes: number;
  readonly changedAt: number;
  /** The others of the same session. */
  twins: readonly Found[];
}

export async function* sessionsOf(
  home: string,
  query: SessionQuery = {},
  signs: Signs = { processes: null, shells: [] },
): AsyncGenerator<SessionCard> {
  const found = projectsOf(home, query.folder).flatMap(filesOf);
  found.sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? 1 : -1));
  const lives = livesOf(
    found.filter(({ parent }) => parent === null),
    () => projectsOf(home).flatMap((project) => filesOf(project).filter(({ parent }) => parent === null)),
    signs,
  );
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const file of found) {
    if (left <= 0) return;
    if (isLeftover(file)) continue;
    left -= 1;
    yield cardOf(file, lifeOf(file, lives));
  }
}

function filesOf(project: Project): Found[] {
  const here = names(project.chats);
  const copied = new Set(here);
  const own = here
    .filter((name) => sessionName.test(name) && !copied.has(`${name}l`))
    .flatMap((name) => look(join(project.chats, name), project, null));
  const below = here
    .filter((name) => !name.startsWith('session-'))
    .flatMap((name) =>
      names(join(project.chats, name))
        .filter((file) => file.endsWith('.jsonl'))
        .flatMap((file) => look(join(project.chats, name, file), project, name)),
    );
  for (const group of Map.groupBy(own, ({ path }) => shortId(path)).values())
    for (const file of group) file.twins = group.filter((other) => other !== file);
  return [...own, ...below];
}

/** Those that one of them started are in a folder of its name beside that of its parent. */
export function startedBy({ id, path }: Pick<SessionPlace, 'id' | 'path'>): StartedSession[] {
  const here = dirname(path);
  const chats = basename(here) === 'chats' ? here : dirname(here);
  const found: (StartedSession & { readonly startedAt: number })[] = [];
  const seen = new Set([id]);
  for (const parent of seen)
    for (const name of names(join(chats, parent)).filter((file) => file.endsWith('.jsonl')))
      for (const file of look(join(chats, parent, name), { folder: null }, parent)) {
        const started = glimpse(file);
        const own = started.id ?? basename(name, '.jsonl');
        if (seen.has(own)) continue;
        seen.add(own);
        const { path: at, bytes } = file;
        found.push({ runtime: 'gemini-cli', id: own, path: at, bytes, startedAt: started.startedAt ?? 0 });
      }
  return found
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    .map(({ startedAt: _startedAt, ...one }) => one);
}

function look(path: string, { folder }: Pick<Project, 'folder'>, parent: string | null): Found[] {
  const stat = statOf(path);
  if (stat === null) return [];
  return [{ path, folder, parent, bytes: stat.size, changedAt: stat.mtimeMs, twins: [] }];
}

/** Of what a link leads to; of the link itself where it leads nowhere. */
function statOf(path: string): Stats | null {
  for (const stat of [statSync, lstatSync])
    try {
      return stat(path);
    } catch {
      continue;
    }
  return null;
}

function shortId(path: string): string {
  return /-([^-.]*)\.jsonl?(?:\.|$)/.exec(basename(path))?.[1] ?? path;
}

interface Glimpse {
  readonly id: string | null;
  readonly startedAt: number | null;
  readonly title: string | null;
  readonly lastPrompt: string | null;
  readonly empty: boolean;
  /** Why it cannot be read. */
  readonly reason: string | null;
}

function isLeftover(file: Found): boolean {
  if (file.twins.length === 0) return false;
  const own = glimpse(file);
  if (!own.empty || own.reason !== null) return false;
  return file.twins.some((twin) => {
    const other = glimpse(twin);
    return other.id === own.id && other.reason === null && !other.empty;
  });
}

/** A session that goes on has two files for a while. */
function lifeOf({ path, twins }: Found, lives: ReadonlyMap<string, Life>): Life | undefined {
  return [path, ...twins.map((twin) => twin.path)].map((each) => lives.get(each)).find(Boolean);
}

function cardOf(file: Found, life: Life | undefined): SessionCard {
  const seen = glimpse(file);
  return {
    runtime: 'gemini-cli',
    id: seen.id ?? basename(file.path).replace(/^session-|\.jsonl?$/g, ''),
    path: file.path,
    folder: file.folder,
    startedAt: seen.startedAt,
    updatedAt: Math.trunc(file.changedAt),
    bytes: file.bytes,
    lastPrompt: seen.lastPrompt,
    title: seen.title,
    // The program does not say.
    version: null,
    liveness: life?.liveness ?? 'unknown',
    pid: life?.pid ?? null,
    parent: file.parent,
    pointerOnly: seen.reason ?? (seen.empty ? 'it holds a header and no conversation' : null),
  };
}

function glimpse(file: Found): Glimpse {
  const none = { id: null, startedAt: null, title: null, lastPrompt: null, empty: false };
  try {
    const { fd, bytes } = openQuietFile(file.path);
    try {
      return glimpseIn(fd, bytes, file);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return { ...none, reason: error instanceof Error ? error.message : String(error) };
  }
}

function glimpseIn(fd: number, bytes: number, file: Found): Glimpse {
  const small = bytes <= (file.twins.length > 0 ? headerBytesMax : edgeBytes);
  const head = readAt(fd, 0, small ? bytes : edgeBytes);
  const tail = small ? head : readAt(fd, bytes - edgeBytes, edgeBytes);
  const first = headerIn(head, file.path);
  const ends = file.path.endsWith('.json') ? [tail] : linesOf(tail, small);
  return {
    ...first,
    title: lastOf(ends, '"summary"', titleIn),
    lastPrompt: lastOf(ends, '"user"', promptIn),
    empty: small && first.reason === null && !ends.some((line) => converses(operationOf(line))),
  };
}

function headerIn(head: Buffer, path: string): Pick<Glimpse, 'id' | 'startedAt' | 'reason'> {
  if (head.length === 0) return { id: null, startedAt: null, reason: 'it is empty' };
  const document = path.endsWith('.json');
  const end = head.indexOf(10);
  const line = end === -1 || document ? head : head.subarray(0, end);
  const operation = operationOf(line);
  if (operation.op === 'header')
    return {
      id: textIn(operation.fields, 'sessionId'),
      startedAt: timeIn(operation.fields, 'startTime'),
      reason: null,
    };
  const text = line.toString('latin1');
  const id = /"sessionId"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? null;
  const startedAt = Date.parse(/"startTime"\s*:\s*"([^"\\]{1,40})"/.exec(text)?.[1] ?? '');
  return {
    id,
    startedAt: Number.isNaN(startedAt) ? null : startedAt,
    reason: id === null ? 'its first line is no header of a session' : null,
  };
}

function linesOf(bytes: Buffer, whole: boolean): Buffer[] {
  const lines: Buffer[] = [];
  let from = whole ? 0 : bytes.indexOf(10) + 1;
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}

/** Only lines with the word in them are worth understanding. */
function lastOf<T>(
  lines: readonly Buffer[],
  word: string,
  pick: (operation: RecordOperation) => T | null,
): T | null {
  for (const line of lines.toReversed()) {
    const picked = line.includes(word) ? pick(operationOf(line)) : null;
    if (picked !== null) return picked;
  }
  return null;
}

function titleIn(operation: RecordOperation): string | null {
  return operation.op === 'set' || operation.op === 'header' ? textIn(operation.fields, 'summary') : null;
}

function promptIn(operation: RecordOperation): string | null {
  for (const value of messagesIn(operation).toReversed()) {
    const said = messageOf(value)?.utterances.find(({ voice }) => voice === 'user')?.text;
    if (said !== undefined) return said.length > promptMax ? `${said.slice(0, promptMax - 1)}…` : said;
  }
  return null;
}

function converses(operation: RecordOperation): boolean {
  return messagesIn(operation).some((value) =>
    messageOf(value)?.utterances.some(({ voice }) => voice === 'user' || voice === 'agent'),
  );
}

function messagesIn(operation: RecordOperation): readonly unknown[] {
  if (operation.op === 'message') return [operation.fields];
  return operation.op === 'set' || operation.op === 'header' ? (operation.messages ?? []) : [];
}
