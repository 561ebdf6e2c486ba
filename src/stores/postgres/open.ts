import type { StoreAddress } from '../../ports/store-address.ts';
import type { Store } from '../../ports/store.ts';
import { postgresPlace } from './address.ts';
import { postgresBell } from './bell.ts';
import { postgresBlobs } from './blobs.ts';
import { postgresCatalog } from './catalog.ts';
import { Connection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { agreeOnBlobs, farPlace } from './far-blobs.ts';
import { postgresGrants } from './grants.ts';
import { postgresJournal } from './journal.ts';
import { postgresMailbox } from './mailbox.ts';
import { migrate } from './migrate.ts';
import { withKeptPassword } from './password-file.ts';
import { postgresUpkeep } from './upkeep.ts';

export interface PostgresOptions {
  /** Create the schema if it is not there. */
  readonly create?: boolean;
  /** How long a call waits for its turn, and for a server that cannot be reached. */
  readonly busyMs?: number;
}

/** With 27,800 holders at once, leases of a minute would be more writes than all entries together. */
const leaseMs = 5 * 60_000;

export async function openPostgresStore(
  address: StoreAddress,
  options: PostgresOptions = {},
): Promise<Store> {
  const { connection: told, schema, connections, blobs } = postgresPlace(address);
  const far = blobs === undefined ? undefined : farPlace(blobs, schema);
  const { create = false, busyMs = 10_000 } = options;
  const driver = await loadDriver();
  const connectionString = withKeptPassword(told);
  const connection = new Connection(driver, connectionString, {
    shown: address.shown,
    busyMs,
    connections,
  });
  let bucket: Store | undefined;
  const openBucket = async (): Promise<void> => {
    if (far !== undefined)
      bucket ??= await (await import('../s3/open.ts')).openS3Store(far, { create: true });
  };
  try {
    // A schema says for good where its content lies: a bucket that will not do is found before there is one.
    await migrate(connection, schema, create ? openBucket : undefined);
    await agreeOnBlobs(connection, schema, far);
    await openBucket();
  } catch (error) {
    await bucket?.close();
    await connection.close();
    throw error;
  }
  const bell = postgresBell(connection, { driver, connectionString, schema });
  return {
    address,
    bell,
    leaseMs,
    journal: postgresJournal(connection, schema, { bell, far: bucket?.blobs }),
    catalog: postgresCatalog(connection, schema),
    blobs: bucket?.blobs ?? postgresBlobs(connection, schema),
    mailbox: postgresMailbox(connection, schema, bell),
    upkeep: postgresUpkeep(connection, schema),
    grants: postgresGrants(connection, schema),
    async close() {
      await bell.close();
      await connection.close();
      await bucket?.close();
    },
  };
}
