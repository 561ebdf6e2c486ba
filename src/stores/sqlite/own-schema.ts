/**
 * The schema is code: a trigger in the file runs with every change, and a table that was altered takes what ours would refuse. So it is
 * compared with what our migrations make, at every open and before anything is written. SQLite keeps each statement as it was
 * given, so the texts themselves are compared: a digest would need a module that takes longer to load than all of this.
 */
import { StaffettaError } from '../../core/base/error.ts';
import type { Connection } from './connection.ts';
import { madeBy, schemaNumber } from './schema.ts';

export interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** To be read in one transaction with the number of the schema. */
export function schemaRows(connection: Connection): readonly SchemaRow[] {
  return connection
    .sql(
      "SELECT coalesce(CAST(type AS TEXT), '') AS type, coalesce(CAST(name AS TEXT), '') AS name, CAST(sql AS TEXT) AS sql FROM sqlite_schema",
    )
    .all() as unknown as SchemaRow[];
}

/** Throws where the file describes anything else than its number says. */
export function refuseOtherSchema(url: string, number: number, rows: readonly SchemaRow[]): void {
  const differs = schemaFaults(number, rows);
  if (differs.length === 0) return;
  if (number > schemaNumber)
    throw new StaffettaError(
      'store-newer',
      `The store says that a newer Staffetta wrote it (schema ${number}; this one knows ${schemaNumber}), and it is not one that this version may use: ${differs.slice(0, 5).join(', ')}.`,
      {
        details: { store: url, schema: number, known: schemaNumber, differs },
        hint: 'Nothing was changed. Update staffetta: the version that knows this schema compares all of it.',
      },
    );
  throw new StaffettaError(
    'corrupt',
    `The schema of ${url} is not the one that Staffetta makes: ${differs.slice(0, 5).join(', ')}.`,
    {
      details: { store: url, schema: number, differs },
      hint: `Nothing of it was run. Put a backup back. To see what was changed: sqlite3 -readonly ${url} .schema`,
    },
  );
}

export function schemaFaults(number: number, rows: readonly SchemaRow[]): readonly string[] {
  const found = rows.filter((row) => !isBySqlite(row));
  const missing = new Set(madeBy(number));
  const names = new Set([...missing].map(nameIn));
  const strange = found
    .filter(({ sql }) => sql === null || !missing.delete(sql))
    // What a newer version added is not known here; what is known must be as it was made.
    .filter((row) => number <= schemaNumber || names.has(row.name.toLowerCase()) || !isPlain(row));
  return [
    ...strange.map((row) => `${wordsFor(row)} should not be there, or not like this`),
    ...[...missing].map((sql) => `${sql.split('(', 1)[0]?.trim() ?? ''} is missing`),
  ];
}

function wordsFor({ type, name }: SchemaRow): string {
  return `${type} ${JSON.stringify(name.slice(0, 80))}`;
}

/** What SQLite adds for itself: the index behind a key, and what it counted of tables to search them faster. */
function isBySqlite({ type, name, sql }: SchemaRow): boolean {
  if (sql === null) return type === 'index' && name.startsWith('sqlite_autoindex_');
  return type === 'table' && statistics.has(sql);
}

const statistics: ReadonlySet<string> = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
]);

/** A table, or an index that refuses nothing, as SQLite writes them: neither has a say in what we store. */
function isPlain({ type, sql }: SchemaRow): boolean {
  return (type === 'table' || type === 'index') && sql?.startsWith(`CREATE ${type.toUpperCase()} `) === true;
}

function nameIn(statement: string): string {
  return (/^CREATE (?:TABLE|(?:UNIQUE )?INDEX) (\w+)/.exec(statement)?.[1] ?? '').toLowerCase();
}
