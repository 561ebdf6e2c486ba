/**
 * The database, version by version. `user_version` is the number of the last migration applied. A reader may open a
 * store with more migrations than it knows as long as none of those is breaking; `meta.readable_by` says
 * from which number on a program must know them. A migration adds no trigger, no view, no virtual table and no unique index, and one
 * that alters what is there is breaking: an older version refuses a store where what it knows is not as it was made.
 *
 *   task       a row per task: the head, its snapshot, the lease in force, and the card's searchable part
 *   entry      the journals, in commit order; `position` grows by one with every entry of the store; a body is text as it
 *              is, or a blob where it was packed
 *   entry_key  idempotency keys
 *   blob       content by digest; codec 0 = as is, 1 = zstd, 2 = packed JSON. Data that would leave pages half empty is cut:
 *              the row with the digest has the first piece, and as many rows as its `pieces` says follow it, with data only
 *   hint       the mailbox
 *   wait       what blocked tasks wait for, and whether they watch it
 *   ended      needs that have ended and leave somebody waiting in vain: failed or cancelled, or done and watched
 *   removed    what a sweep took away, so that a hole is told from a loss, and the last position then given
 */
export interface Migration {
  readonly number: number;
  readonly breaking: boolean;
  readonly sql: string;
  /** Rows for what the new tables say of tasks that are there already. */
  readonly fill?: string;
}

/** "Stff" */
export const applicationId = 0x53746666;

/** From which number on a program must know the migrations of a store to write to it. */
export const readableBy = "SELECT value FROM meta WHERE key = 'readable_by'";

export const migrations: readonly Migration[] = [
  {
    number: 1,
    breaking: true,
    sql: `
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE task(
  n INTEGER PRIMARY KEY,
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
CREATE TABLE entry(
  position INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body ANY NOT NULL
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
  digest BLOB,
  codec INTEGER,
  bytes INTEGER,
  put_at INTEGER,
  pieces INTEGER,
  data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX blob_by_digest ON blob(digest) WHERE digest IS NOT NULL;
CREATE TABLE hint(
  task TEXT NOT NULL,
  address TEXT NOT NULL,
  offer INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  due INTEGER NOT NULL,
  deliveries INTEGER NOT NULL,
  receipt INTEGER,
  PRIMARY KEY(task, address, offer)
) STRICT, WITHOUT ROWID;
CREATE TABLE removed(
  task TEXT NOT NULL,
  entries INTEGER NOT NULL,
  top INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_by_top ON removed(top);
`,
  },
  {
    number: 2,
    // An older version would free tasks, and leave them in the index as ones that wait.
    breaking: true,
    sql: `
CREATE TABLE wait(
  need TEXT NOT NULL,
  task TEXT NOT NULL,
  watched INTEGER NOT NULL,
  PRIMARY KEY(need, task)
) STRICT, WITHOUT ROWID;
CREATE INDEX wait_by_task ON wait(task);
CREATE TABLE ended(need TEXT PRIMARY KEY, lost INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
    // From the snapshots: a checksum, a space and JSON. A task whose snapshot is of no use is found by `recover`.
    fill: `
INSERT OR IGNORE INTO wait(need, task, watched)
SELECT need.value, waiting.id, 1
FROM (SELECT id, substr(snapshot, 34) AS state FROM task WHERE status = 'blocked' AND json_valid(substr(snapshot, 34))) AS waiting,
  json_each(waiting.state, '$.unmet') AS need
WHERE need.type = 'text';
INSERT INTO ended(need, lost)
SELECT id, status <> 'done' FROM task
WHERE status IN ('done', 'failed', 'cancelled') AND id IN (SELECT need FROM wait)
`,
  },
  {
    number: 3,
    breaking: false,
    // Each list asks for the runs, and there are few among many tasks.
    sql: `
CREATE INDEX task_of_run ON task(opened_at, n) WHERE lane = 'supervise';
`,
  },
];

export const schemaNumber = migrations.length;

/** The statements that describe a store of that number, as SQLite keeps them: a test holds them against what it does keep. */
export function madeBy(number: number): readonly string[] {
  return migrations
    .filter((migration) => migration.number <= number)
    .flatMap(({ sql }) => sql.split(';\n'))
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
