import { StaffettaError } from '../../core/base/error.ts';
import { urlAddress, type StoreAddress } from '../../ports/store-address.ts';

/** What an address of PostgreSQL says: whom to connect to, and in which schema the store lies. */
export interface PostgresPlace {
  /** With the credentials. For the driver, which does not know spaces. */
  readonly connection: string;
  readonly schema: string;
}

const spacePattern = /^[a-z][a-z0-9_]{0,49}$/;

/** One schema for each project: `staffetta`, or `staffetta_acme` with `?space=acme`. */
export function postgresPlace(address: StoreAddress): PostgresPlace {
  const url = new URL(address.reveal());
  const [space, ...others] = url.searchParams.getAll('space');
  url.searchParams.delete('space');
  if (url.pathname === '' || url.pathname === '/')
    throw new StaffettaError('invalid-input', `The address ${address.shown} names no database.`, {
      hint: 'Write it as postgres://user@host:port/database',
    });
  if (others.length > 0 || (space !== undefined && !spacePattern.test(space)))
    throw new StaffettaError('invalid-input', `The address ${address.shown} has no valid space.`, {
      hint: 'A space is one name of small letters, digits and underscores, at most 50: ?space=acme',
    });
  return { connection: url.href, schema: space === undefined ? 'staffetta' : `staffetta_${space}` };
}

/** The same database, another space of it. */
export function inSpace(address: StoreAddress, space: string): StoreAddress {
  const url = new URL(address.reveal());
  url.searchParams.set('space', space);
  return urlAddress(url.href);
}
