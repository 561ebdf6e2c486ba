/**
 * The database, version by version. `user_version` is the number of the last migration applied. A reader may open a
 * store with more migrations than it knows as long as none of those is breaking; `meta.readable_by` says
 * from which number on a program must know them.
 *
 *   task       a row per task: the head, its snapshot, the lease in force, and the card's searchable part
 *   entry      the journals, in commit order; `position` grows by one with every entry of the store
 *   entry_key  idempotency keys
 *   blob       content by digest; codec 0 = as is, 1 = zstd
 *   hint       the mailbox
 *   removed    what a sweep took away, so that a hole is told from a loss
 */
export interface Migration {
  readonly number: number;
  readonly breaking: boolean;
  readonly sql: string;
}

/** "Stff" */
export const applicationId = 0x53746666;

export const migrations: readonly Migration[] = [
  {
    number: 1,
    breaking: true,
    sql: `
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE task(
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  seq INTEGER NOT NULL,
  digest BLOB NOT NULL,
  lease_generation INTEGER,
  lease_until INTEGER,
  status TEXT NOT NULL,
  lane TEXT,
  holder TEXT,
  dead INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  card TEXT NOT NULL,
  snapshot TEXT NOT NULL
) STRICT;
CREATE INDEX task_by_status ON task(status, opened_at, n);
CREATE INDEX task_by_opened ON task(opened_at, n);
CREATE INDEX task_by_lease ON task(lease_until) WHERE lease_until IS NOT NULL;
CREATE TABLE entry(
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entry_by_seq ON entry(task, seq);
CREATE TABLE entry_key(
  task INTEGER NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY(task, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE blob(
  n INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  codec INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  put_at INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX blob_by_digest ON blob(digest);
CREATE TABLE hint(
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  address TEXT NOT NULL,
  task TEXT NOT NULL,
  offer INTEGER NOT NULL,
  due INTEGER NOT NULL,
  deliveries INTEGER NOT NULL,
  UNIQUE(address, task, offer)
) STRICT;
CREATE TABLE removed(
  task TEXT NOT NULL,
  entries INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`,
  },
];

export const schemaNumber = migrations.length;
