/** Spaces that are made to be tried, and taken away again. */
import { digestBytes, type Digest } from '../../core/journal/digest.ts';
import type { StoreAddress } from '../../ports/store-address.ts';
import { postgresPlace } from './address.ts';
import { Connection } from './connection.ts';
import { loadDriver } from './driver.ts';

async function within<T>(
  address: StoreAddress,
  work: (connection: Connection, schema: string) => Promise<T>,
): Promise<T> {
  const { connection: place, schema } = postgresPlace(address);
  const connection = new Connection(await loadDriver(), place, { shown: address.shown, busyMs: 10_000 });
  try {
    return await work(connection, schema);
  } finally {
    await connection.close();
  }
}

export async function dropScratchSpace(address: StoreAddress): Promise<void> {
  await within(address, async (connection, s) => await connection.ask(`DROP SCHEMA IF EXISTS ${s} CASCADE`));
}

/** Changes the bytes of a blob behind the store's back. */
export async function alterBlob(
  address: StoreAddress,
  digest: Digest,
  alter: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  await within(address, async (connection, s) => {
    const [row] = await connection.ask(`SELECT data FROM ${s}.blob WHERE digest = $1`, [digestBytes(digest)]);
    if (row === undefined) throw new Error(`There is no blob ${digest} to damage.`);
    const bytes = Buffer.from(alter(row[0] as Uint8Array));
    await connection.ask(`UPDATE ${s}.blob SET data = $2 WHERE digest = $1`, [digestBytes(digest), bytes]);
  });
}
