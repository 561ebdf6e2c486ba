import { StaffettaError } from '../core/base/error.ts';

/** Parameters of a database in which it is given a password. */
const secret = ['password', 'sslpassword'] as const;

/**
 * Where a store is. It is no string, so that nothing takes it for a path by mistake: only the store of that scheme knows what it means. The credentials
 * that an address may hold are in no field, so that nothing prints or keeps them by mistake either.
 */
export class StoreAddress {
  /** Names the kind of store. */
  readonly scheme: string;
  /** For people, and for telling stores apart: without credentials. */
  readonly shown: string;
  readonly #whole: string;

  constructor(scheme: string, shown: string, whole = shown) {
    this.scheme = scheme;
    this.shown = shown;
    this.#whole = whole;
  }

  /** With the credentials, for the store that it leads to. */
  reveal(): string {
    return this.#whole;
  }

  /** All that leads to the store but a password: what may be written into a file or a command. */
  withoutPassword(): string {
    if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(this.#whole)) return this.#whole;
    const url = new URL(this.#whole);
    if (url.password === '' && !secret.some((name) => url.searchParams.has(name))) return this.#whole;
    url.password = '';
    for (const name of secret) url.searchParams.delete(name);
    return url.href;
  }
}

export const memoryAddress = new StoreAddress('memory', 'memory:');

/** What is particular to the addresses of a kind of store: one name where its scheme has several, and the port that need not be said. */
export interface AddressForm {
  readonly scheme: string;
  readonly usualPort: string;
}

/** Parameters that say which store is meant. Of all others nothing is shown: a password may be among them. */
const telling = ['dbname', 'endpoint', 'host', 'port', 'region', 'schema', 'space'] as const;

/** The address `scheme://user:password@host:port/path?space=name` of a store that is no file. */
export function urlAddress(text: string, form?: AddressForm): StoreAddress {
  const url = parsed(text);
  const scheme = form?.scheme ?? url.protocol.slice(0, -1).toLowerCase();
  const port = url.port === '' || url.port === form?.usualPort ? '' : `:${url.port}`;
  const path = url.pathname.replace(/\/+$/, '');
  const query = new URLSearchParams(
    telling.flatMap((name) => url.searchParams.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const shown = `${scheme}://${url.hostname.toLowerCase()}${port}${path}${query === '' ? '' : `?${query}`}`;
  return new StoreAddress(scheme, shown, text);
}

/**
 * A password with a character that ends the credentials would be read as host, port, path or parameter, and shown as such. What
 * such an address says is in no message, and neither is the error of the parser, which quotes it.
 */
function parsed(text: string): URL {
  const url = URL.parse(text);
  const rest = url === null ? '@' : `${url.pathname}${url.search}${url.hash}`;
  if (url !== null && url.hash === '' && !rest.includes('@')) return url;
  throw unreadableAddress();
}

export function unreadableAddress(): StaffettaError {
  return new StaffettaError('invalid-input', 'The address of the store cannot be read.', {
    hint: 'Write it as scheme://user:password@host:port/name. In a user or password the characters @ : / ? # % are written as %40 %3A %2F %3F %23 %25.',
  });
}
