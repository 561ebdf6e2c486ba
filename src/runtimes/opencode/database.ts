/**
 * The program's database, opened so that the program never notices (RT1).
 *
 * It is SQLite in WAL mode and other processes may write to it at any moment. What was measured with SQLite 3.53:
 *   -wal and -shm there     `mode=ro&readonly_shm=1` reads live data and changes no byte and no time stamp. Without
 *                           readonly_shm the time stamp of -shm moves. This also works after the program was killed.
 *                           (For root, SQLite sets the owner of both to the one that they have.)
 *   no -wal, or an empty    any ordinary read-only open creates -wal and -shm beside the database. Nobody has it open then, and
 *   one without -shm        all there is stands in the file itself, so it is opened as `immutable`. That is only true for as long as
 *                           no writer comes: after every question the files are looked at again, and if one came the
 *                           answer is thrown away and the question is put again to a connection of the first kind.
 *   a -wal without -shm     left by a copy, or by a machine that stopped. It cannot be read in place without creating -shm,
 *                           so both files are copied to a scratch folder, and read there; again for as long as no writer comes.
 *
 * Questions are short and no transaction stays open between two of them, so the program can always start its WAL anew.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StaffettaError } from '../../core/base/error.ts';

export type NativeRow = Readonly<Record<string, unknown>>;

export interface NativeQuery {
  all(sql: string, ...values: SQLInputValue[]): NativeRow[];
  /** One by one, for answers that are too many to hold. */
  each(sql: string, ...values: SQLInputValue[]): Iterable<NativeRow>;
}

export interface Database {
  /** All that `ask` reads is of one moment. It may be called twice. */
  read<T>(ask: (question: NativeQuery) => T): T;
  close(): void;
}

type Manner = 'shared' | 'still' | 'copied';

interface Connection {
  readonly manner: Manner;
  readonly prepared: Map<string, StatementSync>;
  readonly db: DatabaseSync;
  readonly stamp: string;
  release(): void;
}

const attemptsMax = 5;
const busyMs = 2000;

export function openDatabase(path: string): Database {
  let connection: Connection | null = translated(path, () => connect(path));
  return {
    read: (ask) =>
      translated(path, () => {
        for (let attempt = 1; ; attempt += 1) {
          connection ??= connect(path);
          const outcome = askOnce(connection, ask);
          if (attempt === attemptsMax || holds(outcome, connection, path)) return unwrap(outcome);
          connection.release();
          connection = null;
        }
      }),
    close: () => {
      connection?.release();
      connection = null;
    },
  };
}

/**
 * A shared connection sees whatever others do; it fails where the program closed the database between the look at its files and
 * the first question. The other two are right only while nobody writes.
 */
function holds(outcome: Outcome<unknown>, { manner, stamp }: Connection, path: string): boolean {
  return (manner === 'shared' && !('error' in outcome)) || stampOf(path) === stamp;
}

/** What SQLite says, in words that tell which file it was. */
function translated<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof StaffettaError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new StaffettaError('unavailable', `The sessions of opencode in ${path} cannot be read: ${words}.`, {
      hint: 'Look whether the file is there, may be read, and is a database that opencode wrote.',
      details: { path },
      cause: error,
    });
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

function unwrap<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function askOnce<T>(connection: Connection, ask: (question: NativeQuery) => T): Outcome<T> {
  const { db } = connection;
  const statement = (sql: string): StatementSync => prepare(connection, sql);
  try {
    db.exec('BEGIN');
    try {
      return {
        value: ask({
          all: (sql, ...values) => statement(sql).all(...values),
          each: (sql, ...values) => statement(sql).iterate(...values) as Iterable<NativeRow>,
        }),
      };
    } finally {
      db.exec('ROLLBACK');
    }
  } catch (error) {
    return { error };
  }
}

function prepare({ db, prepared }: Connection, sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const made = db.prepare(sql);
  prepared.set(sql, made);
  return made;
}

const companions = ['', '-wal', '-shm'] as const;

/** A process that opens a pipe waits for another to write into it, and a device may never end. */
function refuseOthers(path: string): void {
  for (const end of companions) {
    const stat = statSync(`${path}${end}`, { throwIfNoEntry: false });
    if (stat?.isFile() === false) throw new Error(`${path}${end} is no regular file`);
  }
}

function connect(path: string): Connection {
  refuseOthers(path);
  const stamp = stampOf(path);
  const manner = mannerOf(path);
  if (manner === 'copied') return connectCopy(path, stamp);
  const url = pathToFileURL(path);
  url.search = manner === 'shared' ? 'mode=ro&readonly_shm=1' : 'mode=ro&immutable=1';
  const db = openUrl(url, true);
  return { manner, prepared: new Map(), db, stamp, release: () => db.close() };
}

function connectCopy(path: string, stamp: string): Connection {
  const scratch = mkdtempSync(join(tmpdir(), 'staffetta-opencode-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    copyFileSync(path, join(scratch, 'copy.db'));
    copyFileSync(`${path}-wal`, join(scratch, 'copy.db-wal'));
    const db = openUrl(pathToFileURL(join(scratch, 'copy.db')), false);
    return {
      manner: 'copied',
      prepared: new Map(),
      db,
      stamp,
      release: () => {
        db.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Fetched when it is needed: loading it takes time and, on older Node, prints a warning. */
function openUrl(url: URL, readOnly: boolean): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const db = new DatabaseSync(url, { readOnly, timeout: busyMs });
  try {
    // A view or trigger that somebody put into the file must not reach further than the file.
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function mannerOf(path: string): Manner {
  const wal = sizeOf(`${path}-wal`);
  const shm = sizeOf(`${path}-shm`);
  if (wal !== null && shm !== null) return 'shared';
  return wal === null || wal === 0 ? 'still' : 'copied';
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function stampOf(path: string): string {
  return companions
    .map((end) => statSync(`${path}${end}`, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? 'none' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`))
    .join(' ');
}
