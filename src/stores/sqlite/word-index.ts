/**
 * The words of a store in a file of their own, `store.db.search`, mode 0600: an FTS5 table over the texts. It is a cache. Commits are
 * not synced, a file that is damaged or of another version is made anew, and where none can be written the index lives in memory.
 */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TaskId } from '../../core/journal/id.ts';
import { isLogSafe, nodeSqlite } from './needed-version.ts';
import type {
  Batch,
  FoundWords,
  WordMark,
  WordPlace,
  FeedReached,
  WordIndex,
} from '../../ports/word-index.ts';

/** Raised when the tables, or what is taken from entries, change. */
const indexVersion = 1;
const opened = '\u0002';
const closed = '\u0003';
const around = 80;

/** In order of name. No other one is run: a user who can lay a file beside the store could have put it there. */
const triggers = [
  `CREATE TRIGGER words_added AFTER INSERT ON words BEGIN
  INSERT INTO found(rowid, text) VALUES (new.n, new.text);
END`,
  `CREATE TRIGGER words_gone AFTER DELETE ON words BEGIN
  INSERT INTO found(found, rowid, text) VALUES ('delete', old.n, old.text);
END`,
];

const schema = `
CREATE TABLE reached(position INTEGER NOT NULL, digest TEXT) STRICT;
INSERT INTO reached VALUES (0, NULL);
CREATE TABLE words(
  n INTEGER PRIMARY KEY,
  task TEXT NOT NULL,
  place TEXT NOT NULL,
  field TEXT,
  ref TEXT,
  seq INTEGER,
  at INTEGER,
  by TEXT,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX words_by_task ON words(task, place);
CREATE VIRTUAL TABLE found USING fts5(text, content='words', content_rowid='n', tokenize="unicode61 remove_diacritics 2");
${triggers.join(';\n')};
PRAGMA user_version = ${indexVersion};
`;

interface Row {
  readonly n: number;
  readonly task: string;
  readonly place: string;
  readonly field: string | null;
  readonly ref: string | null;
  readonly seq: number | null;
  readonly at: number | null;
  readonly by: string | null;
  readonly shown: string;
}

/** Without a path it lives in memory. */
export function openWordIndex(path?: string): WordIndex {
  if (path !== undefined) {
    for (const again of [true, false]) {
      try {
        return new SqliteWords(connect(path));
      } catch {
        // Damaged, or of another version: nothing is lost with it.
        if (again) removeFiles(path);
      }
    }
  }
  return new SqliteWords(connect(':memory:'));
}

function connect(path: string): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  }
  const db = new (nodeSqlite().DatabaseSync)(path, { timeout: 10_000, defensive: true });
  try {
    db.exec(
      `PRAGMA journal_mode = ${isLogSafe() ? 'WAL' : 'DELETE'}; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF`,
    );
    atOnce(db, () => {
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version === indexVersion) {
        refuseOtherTriggers(db);
        return;
      }
      if (version !== 0) throw new Error(`version ${version}`);
      db.exec(schema);
    });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseOtherTriggers(db: DatabaseSync): void {
  const rows = db
    .prepare("SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name")
    .all();
  if (JSON.stringify(rows.map(({ sql }) => sql)) !== JSON.stringify(triggers))
    throw new Error('it has triggers that are not ours');
}

function removeFiles(path: string): void {
  for (const file of ['', '-wal', '-shm', '-journal'].map((end) => `${path}${end}`)) {
    try {
      rmSync(file, { force: true });
    } catch {
      // It is then in the way of the next try, which ends in memory.
    }
  }
}

function atOnce<T>(db: DatabaseSync, act: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = act();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

class SqliteWords implements WordIndex {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  reached(): FeedReached {
    return this.#db.prepare('SELECT position, digest FROM reached').get() as unknown as FeedReached;
  }

  add({ from, to, words, retold }: Batch): boolean {
    return atOnce(this.#db, () => {
      const now = this.reached();
      if (now.position !== from.position || now.digest !== from.digest) return false;
      const drop = this.#db.prepare(`DELETE FROM words WHERE task = ? AND place = 'history'`);
      for (const task of retold) drop.run(task);
      const insert = this.#db.prepare(
        'INSERT INTO words(task, place, field, ref, seq, at, by, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      );
      for (const { task, where, field, ref, seq, at, by, text } of words)
        insert.run(task, where, field, ref, seq, at, by, text);
      this.#db.prepare('UPDATE reached SET position = ?, digest = ?').run(to.position, to.digest);
      return true;
    });
  }

  find(
    words: string,
    { before, limit }: { readonly before: number | null; readonly limit: number },
  ): readonly FoundWords[] {
    const rows = isUnspaced(words) ? this.#inside(words, before, limit) : this.#indexed(words, before, limit);
    return rows.map(({ n, task, place, shown, ...rest }) => ({
      ...rest,
      ...unmarked(shown),
      place: n,
      task: task as TaskId,
      where: place as WordPlace,
    }));
  }

  #indexed(words: string, before: number | null, limit: number): readonly Row[] {
    const match = matchOf(words);
    if (match === undefined) return [];
    return this.#db
      .prepare(
        `SELECT w.n, w.task, w.place, w.field, w.ref, w.seq, w.at, w.by,
           snippet(found, 0, ?, ?, '…', 32) AS shown
         FROM found JOIN words w ON w.n = found.rowid
         WHERE found MATCH ? AND found.rowid < ? ORDER BY found.rowid DESC LIMIT ?`,
      )
      .all(opened, closed, match, before ?? Number.MAX_SAFE_INTEGER, limit) as unknown as readonly Row[];
  }

  /** Scripts that write no spaces have no words for the index; their texts are looked through. */
  #inside(words: string, before: number | null, limit: number): readonly Row[] {
    const rows = this.#db
      .prepare(
        `SELECT n, task, place, field, ref, seq, at, by, text AS shown FROM words
         WHERE instr(text, ?) > 0 AND n < ? ORDER BY n DESC LIMIT ?`,
      )
      .all(words.trim(), before ?? Number.MAX_SAFE_INTEGER, limit) as unknown as readonly Row[];
    return rows.map((row) => ({ ...row, shown: excerpt(row.shown, words.trim()) }));
  }

  forget(task: TaskId): void {
    this.#db.prepare('DELETE FROM words WHERE task = ?').run(task);
  }

  clear(): void {
    atOnce(this.#db, () => {
      this.#db.exec('DELETE FROM words; UPDATE reached SET position = 0, digest = NULL');
    });
  }

  close(): void {
    this.#db.close();
  }
}

/** Every word as the beginning of one. Quotes keep whatever is asked for from being taken for a query of the index. */
function matchOf(words: string): string | undefined {
  const asked = words.match(/[^\s"]+/gu)?.filter((word) => /[\p{L}\p{N}]/u.test(word)) ?? [];
  return asked.length === 0 ? undefined : asked.map((word) => `"${word}"*`).join(' AND ');
}

function isUnspaced(words: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(
    words,
  );
}

function excerpt(text: string, words: string): string {
  const at = text.indexOf(words);
  const from = Math.max(0, at - around);
  const to = at + words.length + around;
  const inside = `${opened}${words}${closed}`;
  return `${from > 0 ? '…' : ''}${text.slice(from, at)}${inside}${text.slice(at + words.length, to)}${to < text.length ? '…' : ''}`;
}

function unmarked(shown: string): Pick<FoundWords, 'text' | 'marks'> {
  const marks: WordMark[] = [];
  let text = '';
  for (const [index, part] of shown.split(opened).entries()) {
    const end = index === 0 ? -1 : part.indexOf(closed);
    if (end !== -1) marks.push({ from: text.length, to: text.length + end });
    text += part.replaceAll(closed, '');
  }
  return { text, marks };
}
