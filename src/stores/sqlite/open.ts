import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isStaffettaError, StaffettaError, type ErrorCode } from '../../core/base/error.ts';
import { unobserved, type Reached } from '../../ports/step.ts';
import type { Store } from '../../ports/store.ts';
import { sqliteAddress } from './address.ts';
import { sqliteBlobs } from './blobs.ts';
import { sqliteCatalog } from './catalog.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { makeFolder, syncFolder } from './durable.ts';
import { translate } from './errors.ts';
import { sqliteJournal } from './journal.ts';
import { sqliteMailbox } from './mailbox.ts';
import { inspect, migrate } from './migrate.ts';
import { isLogSafe, nodeSqlite, refuseLog } from './needed-version.ts';
import { nameGuard, refuseSecondName } from './one-name.ts';
import { sqliteRenewer } from './renewer.ts';
import { journalModeOf, secure, settleJournal } from './secure.ts';
import { sqliteUpkeep } from './upkeep.ts';

export interface SqliteOptions {
  /** Create the file if it is not there. */
  readonly create?: boolean;
  /** How long a writer waits for its turn. */
  readonly busyMs?: number;
  readonly reached?: Reached;
  /**
   * How a store that is made now is journaled, for good. By default with a write-ahead log, where the SQLite that runs can be trusted with
   * one; where older ones are to share it, ask for a rollback journal.
   */
  readonly journal?: 'log' | 'rollback';
}

export async function openSqliteStore(path: string, options: SqliteOptions = {}): Promise<Store> {
  nodeSqlite();
  if (!isLogSafe() && journalModeOf(path) === 'log') refuseLog(path);
  refuseSecondName(path);
  const bytes = sizeOf(path);
  if (bytes === 0) refuseOrphanedLog(path);
  if (options.create !== true && (bytes ?? 0) === 0) {
    throw new StaffettaError('store-missing', `There is no store at ${path}.`, {
      details: { path },
      hint: 'Open a first task to create it: staffetta open "what should be done". To go on from a session of a coding agent: staffetta resume --in PROGRAM',
    });
  }
  // An empty file is one whose creation was cut short.
  if ((bytes ?? 0) === 0) createFile(path);
  if (bytes === undefined) options.reached?.('sqlite:created');
  const connection = await openConnection(path, options);
  const renewer = sqliteRenewer(path);
  return {
    address: sqliteAddress(path),
    renewer,
    journal: sqliteJournal(connection),
    catalog: sqliteCatalog(connection),
    blobs: sqliteBlobs(connection),
    mailbox: sqliteMailbox(connection),
    upkeep: sqliteUpkeep(connection, path),
    async close() {
      await renewer.close();
      connection.close();
    },
  };
}

/**
 * For reading and writing; where the place is read-only and there is something to read, for reading alone. Where the disk is full, as
 * far as there is room: what is stored can still be read and carried away.
 */
async function openConnection(path: string, options: SqliteOptions): Promise<Connection> {
  try {
    const { journal = isLogSafe() ? 'log' : 'rollback' } = options;
    return await ready(connect(path, options), async (connection) => await migrate(connection, journal));
  } catch (error) {
    if ((sizeOf(path) ?? 0) === 0) throw error;
    const readable = isStaffettaError(error, 'store-full')
      ? await openNarrow(path, options)
      : isStaffettaError(error, 'store-readonly')
        ? await openReadOnly(path, options)
        : undefined;
    if (readable === undefined) throw error;
    return readable;
  }
}

/**
 * A log that others keep beside the file is read with it, which takes its index to be there already. Without a log or a journal the file
 * is all there is, and nobody can change it. Undefined where one could not be read: what stands in it must not be passed over.
 */
async function openReadOnly(path: string, options: SqliteOptions): Promise<Connection | undefined> {
  const alone = new URL(`${pathToFileURL(path).href}?immutable=1`);
  const isAlone = ['-wal', '-journal'].every((end) => (sizeOf(`${path}${end}`) ?? 0) === 0);
  for (const place of isAlone ? [path, alone] : [path]) {
    try {
      return await ready(connect(path, options, place), inspect);
    } catch (error) {
      if (!isStaffettaError(error, 'store-readonly') && !isStaffettaError(error, 'store-io')) throw error;
    }
  }
  return undefined;
}

/** Undefined where that does not help either. */
async function openNarrow(path: string, options: SqliteOptions): Promise<Connection | undefined> {
  const opened = (prepare: string): DatabaseSync => {
    const db = database(path);
    try {
      db.exec(prepare);
      secure(db, path);
      settleJournal(db, path);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  const narrow = { shared: () => opened(''), alone: () => opened('PRAGMA locking_mode = EXCLUSIVE') };
  try {
    return await ready(new Connection(narrow, path, connectionOptions(path, options)), inspect);
  } catch (error) {
    if (isStaffettaError(error) && unhelpful.has(error.code)) return undefined;
    throw error;
  }
}

/** Says less than that the disk is full: also that it has no schema yet, where its creation was cut short. */
const unhelpful: ReadonlySet<ErrorCode> = new Set([
  'store-full',
  'store-io',
  'store-busy',
  'store-unsupported',
]);

async function ready(
  connection: Connection,
  prepare: (connection: Connection) => Promise<void>,
): Promise<Connection> {
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** SQLite drops the log of an empty database. A store that has a log was written to, so its file was emptied by somebody else. */
function refuseOrphanedLog(path: string): void {
  if ((sizeOf(`${path}-wal`) ?? 0) === 0) return;
  throw new StaffettaError('corrupt', `${path} is empty, but its log is not: its contents were lost.`, {
    details: { path },
    hint: 'Restore a backup. Keep the file that ends in -wal: the latest changes are in it.',
  });
}

/** Only its owner may read what agents said. SQLite gives the log and index files the mode of the database. */
function createFile(path: string): void {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    syncFolder(dirname(path));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const full = code === 'ENOSPC';
    const readonly = code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
    const why = full ? 'the disk is full' : readonly ? 'the folder is read-only' : (cause as Error).message;
    throw new StaffettaError(
      full ? 'store-full' : readonly ? 'store-readonly' : 'store-io',
      `A store cannot be created at ${path}: ${why}.`,
      {
        cause,
        details: { path },
        hint: 'Choose another place with --store, or set STAFFETTA_STORE.',
      },
    );
  }
}

/** `readOnly` is the same file as an address, where it is only to be read. */
function connect(path: string, options: SqliteOptions, readOnly?: string | URL): Connection {
  let db: DatabaseSync;
  try {
    db = database(readOnly ?? path, readOnly !== undefined);
  } catch (error) {
    throw translate(error, path);
  }
  return new Connection(db, path, connectionOptions(path, options));
}

const settings = {
  timeout: 0,
  enableForeignKeyConstraints: false,
  allowExtension: false,
  // No statement can change the tables that describe the others. A Node that does not know it passes it over.
  defensive: true,
} as const;

/** What the file describes reaches no further than its own rows, and damaged pages are noticed when read. */
function database(place: string | URL, readOnly = false): DatabaseSync {
  const db = new (nodeSqlite().DatabaseSync)(place, { ...settings, readOnly });
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  return db;
}

function connectionOptions(
  path: string,
  { busyMs = 10_000, reached = unobserved }: SqliteOptions,
): ConnectionOptions {
  return { busyMs, reached, mayWrite: nameGuard(path) };
}
