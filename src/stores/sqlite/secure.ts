import type { DatabaseSync } from 'node:sqlite';
import { StaffettaError } from '../../core/base/error.ts';

/** Durability is asked for and then checked: a setting that did not take must not be found out by a power cut. */
export function secure(db: DatabaseSync, url: string): void {
  const mode = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string };
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number };
  if (mode.journal_mode === 'wal' && synchronous === 2) return;
  throw new StaffettaError(
    'store-unsupported',
    'The file system does not allow a write-ahead log with full synchronisation.',
    {
      details: { store: url, journalMode: mode.journal_mode, synchronous },
      hint: 'Put the store on a local disk: network file systems cannot share it safely.',
    },
  );
}
