import { StaffettaError } from '../../core/base/error.ts';
import { urlAddress, type StoreAddress } from '../../ports/store-address.ts';

/** What an address of PostgreSQL says: whom to connect to, and in which schema the store lies. */
export interface PostgresPlace {
  /** With the credentials. For the driver, which does not know spaces. */
  readonly connection: string;
  readonly schema: string;
  /** How many calls of one process run at the same time; the others wait their turn. */
  readonly connections: number;
  /** Where content lies, if not in the database. */
  readonly blobs: string | undefined;
}

const connectionsDefault = 8;
const connectionsMax = 64;

const spacePattern = /^[a-z][a-z0-9_]{0,49}$/;

/** What else its driver understands. Anything else is a slip: a space that is misspelt would begin another store. */
const driverParameters: ReadonlySet<string> = new Set(
  `ssl sslmode sslcert sslkey sslpassword sslrootcert sslnegotiation uselibpqcompat host port user password dbname
   application_name fallback_application_name connect_timeout statement_timeout lock_timeout
   idle_in_transaction_session_timeout client_encoding encoding options keepalives channel_binding target_session_attrs`.split(
    /\s+/,
  ),
);

/** Each of them looks at the certificate. */
const checked: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);

/** One schema for each project: `staffetta`, or `staffetta_acme` with `?space=acme`. */
export function postgresPlace(address: StoreAddress): PostgresPlace {
  const url = new URL(address.reveal());
  const [space, ...others] = url.searchParams.getAll('space');
  const connections = Number(url.searchParams.get('connections') ?? connectionsDefault);
  const blobs = url.searchParams.get('blobs') ?? undefined;
  for (const ours of ['space', 'connections', 'blobs']) url.searchParams.delete(ours);
  // What the driver does with these, and its next version will not, without a word on stderr about it.
  if (checked.has(url.searchParams.get('sslmode') ?? '') && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('sslmode', 'verify-full');
  const unknown = [...url.searchParams.keys()].find((name) => !driverParameters.has(name));
  if (unknown !== undefined)
    throw new StaffettaError('invalid-input', `The address of a database has no parameter ${unknown}.`, {
      hint: 'Of a store it may have: space, connections, blobs; and what PostgreSQL knows, such as sslmode.',
    });
  if (!Number.isInteger(connections) || connections < 1 || connections > connectionsMax)
    throw new StaffettaError(
      'invalid-input',
      `The address ${address.shown} has no valid number of connections.`,
      {
        hint: `From 1 to ${connectionsMax}: ?connections=4`,
      },
    );
  if (url.pathname === '' || url.pathname === '/')
    throw new StaffettaError('invalid-input', `The address ${address.shown} names no database.`, {
      hint: 'Write it as postgres://user@host:port/database',
    });
  if (others.length > 0 || (space !== undefined && !spacePattern.test(space)))
    throw new StaffettaError('invalid-input', `The address ${address.shown} has no valid space.`, {
      hint: 'A space is one name of small letters, digits and underscores, at most 50: ?space=acme',
    });
  const schema = space === undefined ? 'staffetta' : `staffetta_${space}`;
  return { connection: url.href, schema, connections, blobs };
}

export function postgresAddress(text: string): StoreAddress {
  return urlAddress(text, { scheme: 'postgres', usualPort: '5432' });
}

/** The same database, another space of it. */
export function inSpace(address: StoreAddress, space: string): StoreAddress {
  const url = new URL(address.reveal());
  url.searchParams.set('space', space);
  return postgresAddress(url.href);
}
