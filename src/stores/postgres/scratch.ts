/** Spaces that are made to be tried, and taken away again. */
import { digestBytes, type Digest } from '../../core/journal/digest.ts';
import type { StoreAddress } from '../../ports/store-address.ts';
import { inSpace, postgresPlace } from './address.ts';
import { Connection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { withKeptPassword } from './password-file.ts';
import { farPlace } from './far-blobs.ts';
import type { Bucket } from '../s3/bucket.ts';
import { spoilBytes, type Scratch } from '../../ports/scratch.ts';
import { openPostgresStore } from './open.ts';

/** A space of its own for each case, in the same database. */
export function postgresScratch(beside: StoreAddress): Scratch {
  const address = inSpace(beside, `conformance_${globalThis.crypto.randomUUID().slice(0, 8)}`);
  return {
    connect: async () => await openPostgresStore(address, { create: true }),
    dispose: async () => await dropScratchSpace(address),
    damage: async (digest, how) => await alterBlob(address, digest, (bytes) => spoilBytes(bytes, how)),
  };
}

async function within<T>(
  address: StoreAddress,
  work: (connection: Connection, schema: string) => Promise<T>,
): Promise<T> {
  const { connection: told, schema } = postgresPlace(address);
  const connection = new Connection(await loadDriver(), withKeptPassword(told), {
    shown: address.shown,
    busyMs: 10_000,
    connections: 1,
  });
  try {
    return await work(connection, schema);
  } finally {
    await connection.close();
  }
}

export async function dropScratchSpace(address: StoreAddress): Promise<void> {
  await within(address, async (connection, s) => await connection.ask(`DROP SCHEMA IF EXISTS ${s} CASCADE`));
  await inBucket(address, async (bucket) => {
    for await (const { key } of bucket.all('')) await bucket.remove(key);
  });
}

/** Undefined where content lies in the database. */
async function inBucket<T>(
  address: StoreAddress,
  work: (bucket: Bucket) => Promise<T>,
): Promise<T | undefined> {
  const { blobs, schema } = postgresPlace(address);
  if (blobs === undefined) return undefined;
  const [{ bucketPlace }, { openBucket }] = await Promise.all([
    import('../s3/address.ts'),
    import('../s3/bucket.ts'),
  ]);
  const place = farPlace(blobs, schema);
  const bucket = await openBucket(bucketPlace(place), { store: place.shown });
  try {
    return await work(bucket);
  } finally {
    bucket.close();
  }
}

/** Changes the bytes of a blob behind the store's back. */
async function alterBlob(
  address: StoreAddress,
  digest: Digest,
  alter: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  const isDone = await inBucket(address, async (bucket) => {
    const { blobKey } = await import('../s3/keys.ts');
    const found = await bucket.get(blobKey(digest));
    if (found === undefined) throw new Error(`There is no blob ${digest} to damage.`);
    await bucket.put(blobKey(digest), alter(found.bytes));
    return true;
  });
  if (isDone === true) return;
  await within(address, async (connection, s) => {
    const [row] = await connection.ask(`SELECT data FROM ${s}.blob WHERE digest = $1`, [digestBytes(digest)]);
    if (row === undefined) throw new Error(`There is no blob ${digest} to damage.`);
    const bytes = Buffer.from(alter(row[0] as Uint8Array));
    await connection.ask(`UPDATE ${s}.blob SET data = $2 WHERE digest = $1`, [digestBytes(digest), bytes]);
  });
}
