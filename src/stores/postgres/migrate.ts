import { StaffettaError } from '../../core/base/error.ts';
import type { Connection, Row } from './connection.ts';
import { isUnknownObject } from './errors.ts';
import { migrationKey } from './functions.ts';
import { migrations, schemaNumber } from './schema.ts';

/** The oldest that the store is proven with. */
const serverMin = 15;

export function refuseOldServer(versionNumber: number, shown: string): void {
  const version = Math.trunc(versionNumber / 10_000);
  if (version >= serverMin) return;
  throw new StaffettaError(
    'store-unsupported',
    `PostgreSQL at ${shown} is version ${version}; a store needs ${serverMin} or newer.`,
    {
      details: { store: shown, version, needed: serverMin },
      hint: `Use a server of version ${serverMin} or newer.`,
    },
  );
}

/**
 * Brings the schema to today's. Refuses a server that will not do, a schema that is not ours, and one from the future. Where there is none it is made, if that is
 * wanted, once `ready` is over.
 */
export async function migrate(
  connection: Connection,
  schema: string,
  ready: (() => Promise<void>) | undefined,
): Promise<void> {
  const number = await numberOf(connection, schema);
  if (number !== undefined) {
    await refuseNewer(connection, schema);
    if (number < schemaNumber) await bringUp(connection, schema);
  } else if (ready !== undefined) {
    await ready();
    await bringUp(connection, schema);
  } else
    throw new StaffettaError('store-missing', `There is no store at ${connection.shown}.`, {
      details: { store: connection.shown },
      hint: 'Open a first task to create it: staffetta open "what should be done". To go on from a session of a coding agent: staffetta resume --in PROGRAM',
    });
  connection.explain(async (error) => {
    if (isUnknownObject(error)) await refuseNewer(connection, schema);
    return undefined;
  });
}

/** Of its schema, once it is known that the server will do; undefined where there is no store yet. */
async function numberOf(connection: Connection, schema: string): Promise<number | undefined> {
  const [server] = await connection.ask(
    `SELECT current_setting('server_version_num')::int, pg_is_in_recovery(), current_setting('server_encoding'), to_regclass($1) IS NOT NULL,
       (SELECT count(*) FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = $2)`,
    [`${schema}.meta`, schema],
  );
  const [version, isStandby, encoding, isThere, held] = server ?? [];
  refuseOldServer(Number(version), connection.shown);
  if (isStandby === true)
    throw new StaffettaError(
      'store-readonly',
      `PostgreSQL at ${connection.shown} is a standby, which takes no changes.`,
      {
        details: { store: connection.shown },
        hint: 'Name the primary server in the address.',
      },
    );
  if (encoding !== 'UTF8')
    throw new StaffettaError(
      'store-unsupported',
      `The database at ${connection.shown} has the encoding ${String(encoding)}; a store needs UTF8.`,
      {
        details: { store: connection.shown, encoding },
        hint: 'Create a database with ENCODING UTF8.',
      },
    );
  if (isThere !== true && Number(held) > 0) throw notOurs(connection, schema);
  if (isThere !== true) return undefined;
  const rows = await connection.ask(`SELECT value FROM ${schema}.meta WHERE key = 'schema'`);
  const number = Number(rows[0]?.[0]);
  if (Number.isSafeInteger(number)) return number;
  throw notOurs(connection, schema);
}

function notOurs({ shown }: Connection, schema: string): StaffettaError {
  return new StaffettaError(
    'store-unsupported',
    `The schema ${schema} at ${shown} is not a Staffetta store.`,
    {
      details: { store: shown, schema },
      hint: 'Choose another one: add ?space=NAME to the address.',
    },
  );
}

async function refuseNewer(connection: Connection, schema: string): Promise<void> {
  const rows = await connection.ask(
    `SELECT key, value FROM ${schema}.meta WHERE key IN ('schema', 'readable_by')`,
  );
  const { schema: found, readable } = numbersIn(rows);
  if (readable <= schemaNumber) return;
  throw new StaffettaError(
    'store-newer',
    `The store was written by a newer Staffetta (schema ${found}; this one knows ${schemaNumber}).`,
    {
      details: { store: connection.shown, schema: found, known: schemaNumber },
      hint: 'Update staffetta. Nothing was changed.',
    },
  );
}

function numbersIn(rows: readonly Row[]): { readonly schema: number; readonly readable: number } {
  const values = new Map(rows.map(([key, value]) => [String(key), Number(value)]));
  const schema = values.get('schema') ?? 0;
  return { schema, readable: values.get('readable_by') ?? schema };
}

/** The process that comes second waits for the first, and finds its work done. */
async function bringUp(connection: Connection, schema: string): Promise<void> {
  await connection.transaction(async (ask) => {
    await ask(`SELECT pg_advisory_xact_lock(${migrationKey(schema)})`);
    await ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await ask(
      `CREATE TABLE IF NOT EXISTS ${schema}.meta(key text COLLATE "C" PRIMARY KEY, value text NOT NULL)`,
    );
    const put = `INSERT INTO ${schema}.meta(key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
    const [row] = await ask(`SELECT value FROM ${schema}.meta WHERE key = 'schema'`);
    const from = Number(row?.[0] ?? 0);
    for (const { number, breaking, sql } of migrations.filter((one) => one.number > from)) {
      await ask(sql(schema));
      await ask(put, ['schema', `${number}`]);
      if (breaking) await ask(put, ['readable_by', `${number}`]);
    }
  });
  await refuseNewer(connection, schema);
}
