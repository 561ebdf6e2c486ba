/**
 * Sessions in the database. A project is named by the first commit of its repository, which clones share; so a session
 * belongs to the folder in which it was started, and not to its project. Subagents have sessions of their own, with `parent`.
 */
import { statSync } from 'node:fs';
import type { SessionCard, SessionPlace, SessionQuery, StartedSession } from '../../ports/runtime.ts';
import { shortened } from '../../core/base/text.ts';
import type { JsonObject } from '../../core/transcript/step.ts';
import { below, isInFolders, folderNames } from '../of-folder.ts';
import { openDatabase, type NativeQuery, type NativeRow } from './database.ts';
import { databaseHolders, type DatabaseHolder } from '../process-files.ts';
import { lifeOf } from './liveness.ts';
import { dig, field, objectOf, parseJson, textOf } from './read/schema.ts';

/** A turn of more messages than this shows no last prompt. */
const lookBackMessages = 200;
const promptCharsMax = 200;
const cardsPerPage = 250;
const startedMax = 1000;
/** Larger ones are not parsed for a list. */
const glanceBytesMax = 64 * 1024;

export function* listSessions(path: string, query: SessionQuery = {}): Generator<SessionCard> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const database = openDatabase(path);
  try {
    const holders = databaseHolders(path);
    const limit = query.limit ?? Infinity;
    const folders = query.folder === undefined ? null : folderNames(query.folder);
    for (let given = 0; given < limit;) {
      const page = Math.min(cardsPerPage, limit - given);
      const cards = database.read((question) => {
        const looks = whatThereIs(question);
        return sessionRows(question, query, { offset: given, limit: page }).map((row) =>
          cardOf(question, row, { path, holders, looks }),
        );
      });
      yield* cards.filter(
        ({ folder }) => folders === null || folder === null || isInFolders(folders, folder),
      );
      given += cards.length;
      if (cards.length < page) return;
    }
  } finally {
    database.close();
  }
}

const startedSql = `WITH RECURSIVE started(id, at) AS (
  SELECT id, time_created FROM session WHERE parent_id = ?
  UNION SELECT session.id, session.time_created FROM session JOIN started ON session.parent_id = started.id
) SELECT id FROM started WHERE id <> ? ORDER BY at, id LIMIT ${startedMax}`;

export function startedBy({ id, path }: Pick<SessionPlace, 'id' | 'path'>): StartedSession[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const database = openDatabase(path);
  try {
    return database
      .read((question) => question.all(startedSql, id, id))
      .flatMap((row) => textIn(row, 'id') ?? [])
      .map((own) => ({ runtime: 'opencode', id: own, path, bytes: null }));
  } finally {
    database.close();
  }
}

interface Surroundings {
  readonly path: string;
  readonly holders: readonly DatabaseHolder[] | null;
  readonly looks: Looks;
}

/** Which of the tables that are known here there are, with the columns that are used. */
interface Looks {
  readonly conversation: boolean;
  readonly otherForm: boolean;
}

function whatThereIs(question: NativeQuery): Looks {
  const columns = (table: string): Set<unknown> =>
    new Set(question.all(`SELECT name FROM pragma_table_info('${table}')`).map((row) => row['name']));
  const has = (table: string, names: readonly string[]): boolean => {
    const found = columns(table);
    return names.every((name) => found.has(name));
  };
  const common = ['id', 'session_id', 'time_created', 'time_updated', 'data'];
  return {
    conversation: has('message', common) && has('part', [...common, 'message_id']),
    otherForm: has('session_message', ['session_id']),
  };
}

function sessionRows(
  question: NativeQuery,
  { folder }: SessionQuery,
  page: { readonly offset: number; readonly limit: number },
): NativeRow[] {
  const folders = folder === undefined ? [] : folderNames(folder);
  const there = folders.map(() => '(directory = ? OR substr(directory, 1, ?) = ?)').join(' OR ');
  return question.all(
    `SELECT * FROM session ${there === '' ? '' : `WHERE ${there}`} ORDER BY time_updated DESC, id LIMIT ? OFFSET ?`,
    ...folders.flatMap((each) => [each, below(each).length, below(each)]),
    page.limit,
    page.offset,
  );
}

function cardOf(question: NativeQuery, row: NativeRow, { path, holders, looks }: Surroundings): SessionCard {
  const id = String(row['id']);
  const folder = textIn(row, 'directory');
  const updatedAt = numberIn(row, 'time_updated') ?? numberIn(row, 'time_created') ?? 0;
  const last = looks.conversation ? lookBack(question, id) : null;
  const turn = {
    folder,
    open: last?.open ?? false,
    updatedAt: Math.max(updatedAt, last?.updatedAt ?? 0),
  };
  return {
    runtime: 'opencode',
    id,
    path,
    folder,
    startedAt: numberIn(row, 'time_created'),
    updatedAt,
    bytes: null,
    lastPrompt: last?.prompt ?? null,
    title: textIn(row, 'title'),
    version: textIn(row, 'version'),
    ...lifeOf(turn, holders),
    parent: textIn(row, 'parent_id'),
    pointerOnly: pointerReason(question, id, { looks, empty: last === null }),
  };
}

interface Glance {
  readonly updatedAt: number;
  readonly open: boolean;
  readonly prompt: string | null;
}

/** The last message, and from there backwards to what the user said last. */
function lookBack(question: NativeQuery, session: string): Glance | null {
  const [last] = question.all(`${glanceSql} LIMIT 1`, session);
  if (last === undefined) return null;
  const open = isOpen(objectOf(parseJson(textIn(last, 'data') ?? '')));
  const glance = { updatedAt: numberIn(last, 'updated') ?? 0, open };
  for (const row of question.each(userSql, session)) {
    const data = objectOf(parseJson(textIn(row, 'data') ?? ''));
    const prompt = field(data, 'role') === 'user' ? saidIn(question, textIn(row, 'id') ?? '') : null;
    if (prompt !== null) return { ...glance, prompt };
  }
  return { ...glance, prompt: null };
}

const glanceSql = `SELECT id, time_updated AS updated, CASE WHEN octet_length(data) <= ${glanceBytesMax} THEN data END AS data
  FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC`;
/** The program writes its JSON without spaces. Looking for the role here is twice as fast as parsing each message. */
const userSql = `SELECT id, data FROM (${glanceSql} LIMIT ${lookBackMessages}) WHERE instr(data, '"role":"user"') > 0`;

function isOpen(data: JsonObject | null): boolean {
  if (field(data, 'role') === 'user') return true;
  if (objectOf(field(data, 'error')) !== null) return false;
  return dig(data, 'time', 'completed') === undefined || field(data, 'finish') === 'tool-calls';
}

/** What the program put into the user's mouth is passed over. */
function saidIn(question: NativeQuery, message: string): string | null {
  const rows = question.all(
    `SELECT data FROM part WHERE message_id = ? AND octet_length(data) <= ${glanceBytesMax} ORDER BY id LIMIT 8`,
    message,
  );
  const said = rows
    .map((row) => objectOf(parseJson(textIn(row, 'data') ?? '')))
    .find((data) => field(data, 'type') === 'text' && field(data, 'synthetic') !== true);
  const text = textOf(field(said ?? null, 'text'));
  if (text === null) return null;
  const line = text
    .slice(0, 4 * promptCharsMax)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortened(line, promptCharsMax);
}

function pointerReason(
  question: NativeQuery,
  session: string,
  { looks, empty }: { readonly looks: Looks; readonly empty: boolean },
): string | null {
  if (!looks.conversation) {
    return 'This version of opencode keeps conversations in tables that are not known here.';
  }
  if (!empty || !looks.otherForm) return null;
  const [other] = question.all('SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1', session);
  return other === undefined
    ? null
    : 'opencode keeps this conversation in a newer form that is not known here.';
}

function textIn(row: NativeRow, name: string): string | null {
  const value = row[name];
  return typeof value === 'string' ? value : null;
}

function numberIn(row: NativeRow, name: string): number | null {
  const value = row[name];
  return typeof value === 'number' ? value : null;
}
