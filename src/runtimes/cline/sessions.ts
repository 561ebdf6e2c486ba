/**
 * The sessions of a folder or of all, newest first (RT2). For the order only the time of each conversation is asked; of each session that is
 * given, what lies beside it is read, and the beginning of the conversation. Agents that a session started are listed with their parent.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { partIn, textIn, timeIn } from '../../core/transcript/loose-json.ts';
import type { SessionCard, SessionPlace, SessionQuery, StartedSession } from '../../ports/runtime.ts';
import { promptLine } from '../line-ends.ts';
import { folderNames, isInFolders } from '../of-folder.ts';
import { codeOf, endsOf } from '../open-quietly.ts';
import { settingsText } from '../settings-file.ts';
import { jsonIn } from './capture.ts';
import { DocumentMembers } from './document.ts';
import { Holders, lifeOf } from './liveness.ts';
import { manifestOf, messagesEnd, sessionsIn, type Env } from './locate.ts';
import { read } from './read/read.ts';

/** What was said last is looked for in conversations up to this size. */
const wholeBytes = 128 * 1024;
const headBytes = 16 * 1024;

interface Found {
  readonly id: string;
  readonly path: string;
  readonly parent: string | null;
  readonly updatedAt: number;
  readonly bytes: number;
  readonly isFile: boolean;
}

export function* sessions(env: Env, query: SessionQuery = {}): Generator<SessionCard> {
  const folders = query.folder === undefined ? null : folderNames(query.folder);
  const holders = new Holders(env);
  const root = sessionsIn(env);
  const found = namesIn(root)
    .flatMap((name) => conversationsIn(join(root, name), name))
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for (const each of found) {
    if (left <= 0) return;
    const card = cardOf(each, holders);
    // One that cannot be read may be of this folder.
    if (folders !== null && card.folder !== null && !isInFolders(folders, card.folder)) continue;
    left -= 1;
    yield card;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

/** The session's own, and those of agents that it started. */
function conversationsIn(folder: string, session: string): Found[] {
  return namesIn(folder).flatMap((name) => {
    if (!name.endsWith(messagesEnd)) return [];
    const id = name.slice(0, -messagesEnd.length);
    const path = join(folder, name);
    return id === session ? look(path, id, null) : look(path, `${session}__${id}`, session);
  });
}

function look(path: string, id: string, parent: string | null): Found[] {
  try {
    const about = statSync(path);
    const updatedAt = Math.trunc(about.mtimeMs);
    return [{ id, path, parent, updatedAt, bytes: about.size, isFile: about.isFile() }];
  } catch (error) {
    // Deleted since the folder was listed.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    return [{ id, path, parent, updatedAt: 0, bytes: 0, isFile: false }];
  }
}

export function startedBy({ path, id }: Pick<SessionPlace, 'path' | 'id'>): StartedSession[] {
  const folder = join(path, '..');
  return conversationsIn(folder, id)
    .filter(({ parent, isFile }) => parent === id && isFile)
    .map((found) => ({ found, startedAt: glimpse(found).startedAt ?? found.updatedAt }))
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.found.id < b.found.id ? -1 : 1))
    .map(({ found }) => ({ runtime: 'cline', id: found.id, path: found.path, bytes: found.bytes }));
}

interface Glimpse {
  readonly version: string | null;
  readonly lastPrompt: string | null;
  readonly startedAt: number | null;
  readonly reason: string | null;
}

function glimpse({ path, bytes, isFile }: Found): Glimpse {
  const none = { version: null, lastPrompt: null, startedAt: null };
  if (!isFile) return { ...none, reason: 'It is not a file.' };
  try {
    const isWhole = bytes <= wholeBytes;
    const { head } = endsOf(path, isWhole ? wholeBytes : headBytes, 0);
    const members = new DocumentMembers();
    const records = [...members.take(Buffer.from(head))];
    if (members.head === null) return { ...none, reason: 'It is no document with a list of messages.' };
    const steps = read(records.slice(0, isWhole ? undefined : 1)).steps;
    const last = isWhole ? steps.findLast(({ source }) => source === 'user') : undefined;
    return {
      version: textIn(partIn(jsonIn(`${members.head}[]}`), 'origin'), 'version'),
      lastPrompt: promptLine(last?.text ?? ''),
      startedAt: steps[0]?.at ?? null,
      reason: null,
    };
  } catch (error) {
    const code = codeOf(error);
    return {
      ...none,
      reason: code === 'ENOENT' ? 'It was deleted.' : `It cannot be read (${code ?? 'unknown'}).`,
    };
  }
}

function cardOf(found: Found, holders: Holders): SessionCard {
  const { id, path, parent, updatedAt, bytes, isFile } = found;
  const beside = manifestOf(path);
  const manifest = jsonIn(settingsText(beside));
  const { version, lastPrompt, startedAt, reason } = glimpse(found);
  return {
    runtime: 'cline',
    id,
    path,
    folder: textIn(manifest, 'cwd'),
    startedAt: parent === null ? (timeIn(manifest, 'started_at') ?? startedAt) : startedAt,
    updatedAt,
    bytes: isFile ? bytes : null,
    lastPrompt,
    title: parent === null ? textIn(partIn(manifest, 'metadata'), 'title') : null,
    version,
    ...lifeOf(manifest, beside, holders),
    parent,
    pointerOnly: reason,
  };
}
