/**
 * The database, version by version: all of it in one schema, whose name stands before everything, so that it goes by no search path and works
 * through poolers. `meta.schema` is the number of the last migration applied; `meta.readable_by` says from which number on a program must know them.
 * What a breaking migration changes is called by functions of another name, and those of before are gone: a program that runs while a
 * newer one brings the store up to date can then write no more.
 *
 *   task       a row per task: the head, its snapshot, the lease in force, and the card's searchable part. No index has a lease in it: renewals
 *              would no longer be HOT updates, and write three times as much
 *   entry      the journals; positions grow, with gaps, and become visible in their order to readers of `feed_top`
 *   entry_key  idempotency keys
 *   blob       content by digest; codec as in src/stores/packing. What fits into a page stays in its row: a second table costs twice as much
 *   hint       the mailbox
 *   wait       what blocked tasks wait for, and whether they watch it
 *   removed    what a sweep took away, so that a hole is told from a loss
 *   turn       until when one of those that share the store does what one of them is enough for
 *   login      who may log in besides the owner, and as whom (see team.ts); token: grants of servers by the digest of their token
 *
 * Texts of journals are bytes, because `text` holds no U+0000; what is compared goes by "C", which is the order of code points.
 */
import { functions } from './functions.ts';
import { team } from './team.ts';

export interface Migration {
  readonly number: number;
  readonly breaking: boolean;
  readonly sql: (schema: string) => string;
}

export const migrations: readonly Migration[] = [
  {
    number: 1,
    breaking: true,
    sql: (s) => `
CREATE TABLE ${s}.task(
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  seq bigint NOT NULL,
  digest bytea NOT NULL,
  lease_generation bigint,
  lease_until bigint,
  status text COLLATE "C" NOT NULL,
  lane text COLLATE "C",
  holder text COLLATE "C",
  addressed text COLLATE "C",
  dead boolean NOT NULL,
  waits boolean NOT NULL,
  opened_at bigint NOT NULL,
  card bytea NOT NULL,
  snapshot bytea NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX task_by_status ON ${s}.task(status, opened_at, n);
CREATE INDEX task_by_opened ON ${s}.task(opened_at, n);
CREATE TABLE ${s}.entry(
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task bigint NOT NULL,
  seq bigint NOT NULL,
  digest bytea NOT NULL,
  body bytea NOT NULL,
  UNIQUE (task, seq)
);
CREATE TABLE ${s}.entry_key(
  task bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (task, key)
);
CREATE INDEX entry_key_by_key ON ${s}.entry_key(key);
CREATE TABLE ${s}.blob(
  digest bytea PRIMARY KEY,
  codec smallint NOT NULL,
  bytes bigint NOT NULL,
  put_at bigint NOT NULL,
  data bytea NOT NULL
) WITH (fillfactor = 90, toast_tuple_target = 8160);
ALTER TABLE ${s}.blob ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE ${s}.hint(
  task text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  offer bigint NOT NULL,
  sent bigint GENERATED ALWAYS AS IDENTITY,
  due bigint NOT NULL,
  deliveries bigint NOT NULL,
  receipt text,
  PRIMARY KEY (task, address, offer)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX hint_by_address ON ${s}.hint(address, sent);
CREATE TABLE ${s}.wait(
  need text COLLATE "C" NOT NULL,
  task text COLLATE "C" NOT NULL,
  watched boolean NOT NULL,
  PRIMARY KEY (need, task)
);
CREATE INDEX wait_by_task ON ${s}.wait(task);
CREATE TABLE ${s}.removed(
  task text COLLATE "C" NOT NULL,
  entries bigint NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX removed_by_task ON ${s}.removed(task);
CREATE TABLE ${s}.turn(name text COLLATE "C" PRIMARY KEY, until bigint NOT NULL);
${functions(s)}
${team(s)}`,
  },
];

export const schemaNumber = migrations.length;
