import { StaffettaError } from '../../core/base/error.ts';
import type { StoreAddress } from '../../ports/store-address.ts';

/** `aws://bucket/prefix?region=eu-central-1`. */
export interface BucketPlace {
  readonly bucket: string;
  /** Before every key; empty, or ending in a slash. */
  readonly prefix: string;
  /** Undefined: what the environment or the profile says. */
  readonly region: string | undefined;
  /** Another server than Amazon's, asked with the bucket in the path. */
  readonly endpoint: string | undefined;
  /** The bell: a queue of SQS. */
  readonly queue: string | undefined;
}

const known: ReadonlySet<string> = new Set(['region', 'endpoint', 'queue']);

export function bucketPlace(address: StoreAddress): BucketPlace {
  const url = new URL(address.reveal());
  if (url.username !== '' || url.password !== '')
    refuse(
      'Credentials do not belong into the address of a bucket.',
      'Leave them out: they are looked for where the AWS tools look, in the environment, the profile or the role of the machine.',
    );
  if (url.host === '')
    refuse('The address names no bucket.', 'Write aws://bucket/prefix?region=eu-central-1');
  if (url.port !== '' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    refuse(`${url.host} is no name of a bucket.`, 'Write aws://bucket/prefix?region=eu-central-1');
  const stranger = [...url.searchParams.keys()].find((name) => !known.has(name));
  if (stranger !== undefined)
    refuse(`The address of a bucket has no parameter ${stranger}.`, `It may have: ${[...known].join(', ')}.`);
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (!/^[\w./-]{0,200}$/.test(prefix))
    refuse('The prefix in a bucket is made of letters, digits and . _ - /', 'Choose another prefix.');
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? undefined,
    endpoint: httpUrl(url.searchParams.get('endpoint'), 'endpoint'),
    queue: httpUrl(url.searchParams.get('queue'), 'queue'),
  };
}

function httpUrl(text: string | null, name: string): string | undefined {
  if (text === null) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    refuse(`The ${name} of a bucket's address is no address of a server.`, `Write ${name}=https://host:port`);
  return text;
}

function refuse(message: string, hint: string): never {
  throw new StaffettaError('invalid-input', message, { hint });
}
