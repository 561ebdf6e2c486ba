/**
 * The password that PostgreSQL's own programs would use where an address has none: of the first line of ~/.pgpass that fits, each
 * `host:port:database:user:password`, where `*` fits all and `\` stands before `:` and `\`. The driver reads it too, but warns on stderr that it will no more.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';

/** The address with the password that is kept for it, if there is one and none was given. */
export function withKeptPassword(connection: string, env: NodeJS.ProcessEnv = process.env): string {
  const url = new URL(connection);
  const given = (name: string): string => url.searchParams.get(name) ?? '';
  if (url.password !== '' || given('password') !== '' || (env['PGPASSWORD'] ?? '') !== '') return connection;
  const host = given('host') || decodeURIComponent(url.hostname) || env['PGHOST'] || 'localhost';
  const asked = [
    host.startsWith('/') ? 'localhost' : host,
    given('port') || url.port || env['PGPORT'] || '5432',
    given('dbname') || decodeURIComponent(url.pathname.slice(1)),
    given('user') ||
      decodeURIComponent(url.username) ||
      env['PGUSER'] ||
      env['USER'] ||
      env['USERNAME'] ||
      '',
  ];
  const file = env['PGPASSFILE'] || usualFile(env);
  const kept = textOf(file)
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(fieldsOf)
    .find((fields) => asked.every((value, n) => fields[n] === '*' || fields[n] === value))?.[4];
  if (kept === undefined) return connection;
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new StaffettaError('denied', `${file} can be read by others, so no password is taken from it.`, {
      details: { path: file },
      hint: `Keep it for yourself: chmod 600 ${file}`,
    });
  url.searchParams.set('password', kept);
  return url.href;
}

function usualFile(env: NodeJS.ProcessEnv): string {
  return process.platform === 'win32'
    ? join(env['APPDATA'] ?? '.', 'postgresql', 'pgpass.conf')
    : join(homedir(), '.pgpass');
}

/** What cannot be read is as good as not there, as for PostgreSQL's own programs. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function fieldsOf(line: string): readonly string[] {
  return [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) =>
    field.replaceAll(/\\(.)/g, '$1'),
  );
}
