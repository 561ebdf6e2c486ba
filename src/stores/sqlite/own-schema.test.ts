import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { schemaFaults, type SchemaRow } from './own-schema.ts';
import { migrations, schemaNumber } from './schema.ts';

/** What SQLite keeps of the migrations after the first `from`, up to `number`, and of what is done to it then. */
function made(number: number, ...after: readonly string[]): readonly SchemaRow[] {
  const db = new DatabaseSync(':memory:', { defensive: false });
  for (const migration of migrations) if (migration.number <= number) db.exec(migration.sql);
  for (const sql of after) db.exec(sql);
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema').all() as unknown as SchemaRow[];
  db.close();
  return rows;
}

test.each(migrations.map(({ number }) => number))(
  'what migrations make up to %i is what is expected',
  (n) => {
    expect(made(n).length).toBeGreaterThan(0);
    expect(schemaFaults(n, made(n))).toEqual([]);
  },
);

test('nothing is expected of a store that has no schema yet', () => {
  expect(schemaFaults(0, [])).toEqual([]);
  expect(schemaFaults(0, made(1)).length).toBeGreaterThan(0);
});

test('what SQLite counts for itself is let pass', () => {
  const rows = made(schemaNumber, "INSERT INTO meta VALUES ('a', 'b')", 'ANALYZE');
  expect(rows.some(({ name }) => name === 'sqlite_stat1')).toBe(true);
  expect(schemaFaults(schemaNumber, rows)).toEqual([]);
});

const rewritten = (name: string, from: string, to: string): string =>
  `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${name}'`;

test.each([
  ['trigger "silent"', 'CREATE TRIGGER silent AFTER INSERT ON entry BEGIN DELETE FROM entry_key; END'],
  ['view "v"', 'CREATE VIEW v AS SELECT 1'],
  ['table "more"', 'CREATE TABLE more(x)'],
  ['table "found"', 'CREATE VIRTUAL TABLE found USING fts5(text)'],
  ['index "i"', 'CREATE INDEX i ON task(lower(card))'],
  ['table "task"', 'ALTER TABLE task ADD COLUMN planted TEXT AS (upper(card)) VIRTUAL'],
  ['table "meta"', rewritten('meta', 'NOT NULL', 'NOT NULL DEFAULT (random())'.replaceAll("'", "''"))],
  ['table "entry_key"', rewritten('entry_key', 'key TEXT NOT NULL', 'key TEXT NOT NULL CHECK (key > 0)')],
  ['index "blob_by_digest"', rewritten('blob_by_digest', 'digest IS NOT NULL', 'digest > 1')],
  ['CREATE INDEX task_by_opened ON task is missing', 'DROP INDEX task_by_opened'],
  ['CREATE TABLE removed is missing', 'DROP TABLE removed'],
])('%s is named', (what, sql) => {
  expect(schemaFaults(schemaNumber, made(schemaNumber, sql)).join(', ')).toContain(what);
});

test('a newer store may have more tables and indexes', () => {
  const more =
    'CREATE TABLE added(x UNIQUE); CREATE INDEX added_x ON added(x); CREATE INDEX more ON task(holder)';
  expect(schemaFaults(schemaNumber + 98, made(schemaNumber, more))).toEqual([]);
});

test.each([
  ['trigger "silent"', 'CREATE TRIGGER silent AFTER INSERT ON entry BEGIN SELECT 1; END'],
  ['view "v"', 'CREATE VIEW v AS SELECT 1'],
  ['table "found"', 'CREATE VIRTUAL TABLE found USING fts5(text)'],
  ['index "one"', 'CREATE UNIQUE INDEX one ON hint(task)'],
  ['table "hint"', 'ALTER TABLE hint ADD COLUMN y TEXT'],
  [
    'table "entry"',
    rewritten('entry', 'seq INTEGER NOT NULL', 'seq INTEGER NOT NULL UNIQUE ON CONFLICT REPLACE'),
  ],
  ['CREATE UNIQUE INDEX entry_by_seq ON entry is missing', 'DROP INDEX entry_by_seq'],
])(
  'of a newer store, %s is named: what is known must be as it was made, and the rest is plain',
  (what, sql) => {
    expect(schemaFaults(schemaNumber + 98, made(schemaNumber, sql)).join(', ')).toContain(what);
  },
);
