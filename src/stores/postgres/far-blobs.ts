/**
 * Content in a bucket of S3, for stores whose journals lie in PostgreSQL: `postgres://…?blobs=s3://bucket/prefix?region=…`. Each space has a prefix of its
 * own there. What an entry names is put before the entry is; an append that somebody else overtook leaves blobs that nobody names, which a sweep takes.
 */
import { StaffettaError } from '../../core/base/error.ts';
import type { StoreAddress } from '../../ports/store-address.ts';
import { urlAddress } from '../../ports/store-address.ts';
import type { Connection } from './connection.ts';

/** The place in the bucket, as the store of S3 is addressed. */
export function farPlace(blobs: string, schema: string): StoreAddress {
  const url = URL.parse(blobs);
  if (url === null || (url.protocol !== 's3:' && url.protocol !== 'aws:'))
    throw new StaffettaError('invalid-input', 'The place for content is no address of a bucket.', {
      hint: 'Write it at the end: postgres://user@host/database?blobs=s3://bucket/prefix?region=eu-central-1',
    });
  const path = url.pathname.replace(/\/+$/, '');
  return urlAddress(`aws://${url.host}${path}/${schema}${url.search}`);
}

/** Where its content lies is said once, by the process that creates a store: two that put it in different places would not find each other's. */
export async function agreeOnBlobs(
  connection: Connection,
  schema: string,
  place: StoreAddress | undefined,
): Promise<void> {
  const here = place?.shown ?? 'here';
  const look = async (): Promise<unknown> =>
    (await connection.ask(`SELECT value FROM ${schema}.meta WHERE key = 'blobs'`))[0]?.[0];
  let said = await look();
  if (said === undefined) {
    await connection.ask(
      `INSERT INTO ${schema}.meta(key, value) VALUES ('blobs', $1) ON CONFLICT DO NOTHING`,
      [here],
    );
    said = await look();
  }
  if (said === here) return;
  throw new StaffettaError(
    'invalid-input',
    `The content of the store at ${connection.shown} lies ${words(said)}, and this address says: ${words(here)}.`,
    {
      details: { store: connection.shown, blobs: said },
      hint: 'Give the address with the ?blobs= that the store was created with, or without if there was none.',
    },
  );
}

function words(where: unknown): string {
  return where === 'here' ? 'in the database' : `in ${String(where)}`;
}
