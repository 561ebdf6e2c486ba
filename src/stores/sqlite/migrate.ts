import { StaffettaError } from '../../core/base/error.ts';
import type { Connection } from './connection.ts';
import { refuseOtherSchema, schemaRows } from './own-schema.ts';
import { applicationId, migrations, readableBy, schemaNumber } from './schema.ts';
import { rollbackRow, type JournalMode } from './secure.ts';

/** Sets the connection up, and brings the schema to today's. Refuses a file that is not ours or is from the future. */
export async function migrate(connection: Connection, journal: JournalMode): Promise<void> {
  const found = await refuseForeign(connection);
  await connection.secure();
  if (found > schemaNumber) await connection.read(() => refuseNewer(connection, found));
  // An older SQLite must not bring up to date what it must not write.
  if (found > 0) await connection.settleJournal();
  if (found < schemaNumber) await bringUp(connection, journal);
  if (found === 0) await connection.settleJournal();
  holdTo(connection, Math.max(found, schemaNumber));
}

async function bringUp(connection: Connection, journal: JournalMode): Promise<void> {
  await connection.write(() => {
    const from = pragma(connection, 'user_version');
    // Somebody else was here first, perhaps with more to apply than this version knows.
    if (from > schemaNumber) refuseNewer(connection, from);
    if (from >= schemaNumber) return;
    for (const { number, breaking, sql, fill } of migrations) {
      if (number <= from) continue;
      connection.exec(sql);
      if (fill !== undefined) connection.exec(fill);
      if (breaking) {
        connection
          .sql(
            "INSERT INTO meta(key, value) VALUES ('readable_by', ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
          )
          .run(String(number));
      }
    }
    if (from === 0 && journal === 'rollback') connection.exec(rollbackRow);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaNumber}`);
  });
}

/** For a store that is only read: nothing is set up, and what would have to be brought up to date is refused. */
export async function inspect(connection: Connection): Promise<void> {
  const found = await refuseForeign(connection);
  if (found > schemaNumber) await connection.read(() => refuseNewer(connection, found));
  if (found >= schemaNumber) {
    holdTo(connection, found);
    return;
  }
  throw new StaffettaError(
    'store-unsupported',
    `The store has schema ${found}, this version needs ${schemaNumber}, and it cannot be written to bring it up to date.`,
    {
      details: { store: connection.url, schema: found, known: schemaNumber },
      hint: 'Open it once where it can be written, or copy it there.',
    },
  );
}

/** The number of its schema, once it is known that the file is ours and describes what our migrations make. */
async function refuseForeign(connection: Connection): Promise<number> {
  const { version, owner, rows } = await connection.readTogether(() => ({
    version: pragma(connection, 'user_version'),
    owner: pragma(connection, 'application_id'),
    rows: schemaRows(connection),
  }));
  if (owner === applicationId) {
    refuseOtherSchema(connection.url, version, rows);
    return version;
  }
  if (owner === 0 && version === 0 && rows.length === 0) return version;
  throw new StaffettaError(
    'store-unsupported',
    `${connection.url} is a database, but not a Staffetta store.`,
    {
      details: { store: connection.url },
      hint: 'Check the path given with --store.',
    },
  );
}

/** A process may run for days, and a newer program may bring the store up to date meanwhile. */
function holdTo(connection: Connection, found: number): void {
  let known = found;
  connection.beforeWriting(() => {
    const now = pragma(connection, 'user_version');
    if (now > known) refuseNewer(connection, now);
    known = now;
  });
}

function refuseNewer(connection: Connection, found: number): void {
  const row = connection.sql(readableBy).get() as { value: string } | undefined;
  if (Number(row?.value ?? found) <= schemaNumber) return;
  throw new StaffettaError(
    'store-newer',
    `The store was written by a newer Staffetta (schema ${found}; this one knows ${schemaNumber}).`,
    {
      details: { store: connection.url, schema: found, known: schemaNumber },
      hint: 'Update staffetta. Nothing was changed.',
    },
  );
}

function pragma(connection: Connection, name: string): number {
  const row = connection.list(`PRAGMA ${name}`).get() as unknown as readonly unknown[] | undefined;
  return Number(row?.[0] ?? 0);
}
