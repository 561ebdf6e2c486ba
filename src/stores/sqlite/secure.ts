/**
 * How a store is journaled, which is settled when it is made and stays so.
 *
 *   write-ahead log    by default. Readers never wait. Only with a SQLite that is new enough, see `needed-version.ts`
 *   rollback journal   where the SQLite that makes the store is older. Readers wait for the end of a commit
 *
 * The row `journal` of `meta`, which is written in the transaction that makes the schema, says that it is the second; its absence says the
 * first. A store is made in the mode that every database begins in, and turned to the log after that: of two that make it at the same time, with
 * different versions of SQLite, one decides for both. Only a store without the row ever gets a log, and an older SQLite writes only to one with it.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StaffettaError } from '../../core/base/error.ts';
import { refuseLog } from './needed-version.ts';

export type JournalMode = 'log' | 'rollback';

/** The bytes of the header by which readers and writers are told what they must understand; 2 is the log. */
const formatAt = 18;

/** As the file itself says before it is opened; undefined where it says nothing yet. */
export function journalModeOf(path: string): JournalMode | undefined {
  const bytes = Buffer.alloc(1);
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (readSync(file, bytes, 0, 1, formatAt) === 0) return undefined;
    return bytes[0] === 2 ? 'log' : 'rollback';
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export const rollbackRow = "INSERT INTO meta(key, value) VALUES ('journal', 'rollback')";

/**
 * Durability is asked for and then checked: a setting that did not take must not be found out by a power cut. EXTRA also syncs the folder
 * from which a rollback journal was removed, without which it could come back and undo what was acknowledged; a log is as safe with FULL.
 */
export function secure(db: DatabaseSync, url: string): void {
  db.exec('PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number };
  if (synchronous !== 3) throw unsafe(url, { synchronous });
}

/** Of a store that has its schema. */
export function settleJournal(db: DatabaseSync, url: string): void {
  const [mode] = Object.values(db.prepare('PRAGMA journal_mode').get() ?? {});
  if (mode === 'wal') return refuseLog(url);
  if (db.prepare("SELECT 1 FROM meta WHERE key = 'journal'").get() !== undefined) return;
  refuseLog(url);
  const [now] = Object.values(db.prepare('PRAGMA journal_mode = WAL').get() ?? {});
  if (now !== 'wal') throw unsafe(url, { journalMode: now });
}

function unsafe(url: string, details: Readonly<Record<string, unknown>>): StaffettaError {
  return new StaffettaError(
    'store-unsupported',
    'The file system does not allow a write-ahead log with full synchronisation.',
    {
      details: { store: url, ...details },
      hint: 'Put the store on a local disk: network file systems cannot share it safely.',
    },
  );
}
