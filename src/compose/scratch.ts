import { defined } from '../core/base/defined.ts';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Damage, OpenScratch, Scratch } from '../conformance/bench.ts';
import type { World } from '../stores/memory/open.ts';
import { homeOf } from '../home/home.ts';
import { refuseScheme } from './open-store.ts';
import type { StoreAddress } from '../ports/store-address.ts';

/**
 * Scratch stores of the same kind as the store at the address, in the same place as far as that has a say in what is
 * proven: a database in the folder, by default beside the given one, on the same file system; for PostgreSQL a space of the same database. The given store is not opened.
 */
export function scratchFor(address: StoreAddress, folder = homeOf(address)?.folder ?? ''): OpenScratch {
  if (address.scheme === 'memory') return async () => await memoryScratch();
  if (address.scheme === 'postgres') return postgresScratch(address);
  if (address.scheme === 'aws') return s3Scratch(address);
  return address.scheme === 'sqlite'
    ? sqliteScratch(folder, homeOf(address)?.file ?? '')
    : refuseScheme(address);
}

/** Below a prefix of its own in the same bucket. */
function s3Scratch(address: StoreAddress): OpenScratch {
  return async () => {
    const { openS3Store, openScratchBucket } = await import('../stores/s3/open.ts');
    const { place, bucket } = await openScratchBucket(address);
    return {
      connect: async () => await openS3Store(place, { create: true }),
      dispose: async () => {
        for await (const { key } of bucket.all('')) await bucket.remove(key);
        bucket.close();
      },
      damage: async (digest, how) => {
        const { blobKey } = await import('../stores/s3/keys.ts');
        const found = await bucket.get(blobKey(digest));
        if (found === undefined) throw new Error(`There is no blob ${digest} to damage.`);
        await bucket.put(blobKey(digest), spoiled(found.bytes, how));
      },
    };
  };
}

export async function memoryScratch(given?: World): Promise<Scratch> {
  const { createWorld, openMemoryStore } = await import('../stores/memory/open.ts');
  const world = given ?? createWorld();
  return {
    connect: async () => openMemoryStore(world),
    dispose: async () => {},
    damage: async (digest, how) => {
      const blob = world.blobs.get(digest);
      if (blob === undefined) throw new Error(`There is no blob ${digest} to damage.`);
      world.blobs.set(digest, { ...blob, bytes: spoiled(blob.bytes, how) });
    },
  };
}

/** Journaled as the given store is, where there is one. */
function sqliteScratch(beside: string, like: string): OpenScratch {
  return async () => {
    const { openSqliteStore } = await import('../stores/sqlite/open.ts');
    const { journalModeOf } = await import('../stores/sqlite/secure.ts');
    const journal = defined({ journal: journalModeOf(like) });
    const folder = mkdtempSync(join(nearestFolder(beside), '.conformance-'));
    const path = join(folder, 'store.db');
    return {
      connect: async () => await openSqliteStore(path, { create: true, ...journal }),
      dispose: async () => rmSync(folder, { recursive: true, force: true }),
      damage: async (digest, how) => {
        const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
        const { digestBytes } = await import('../core/journal/digest.ts');
        const db = new DatabaseSync(path);
        try {
          const row = db.prepare('SELECT data FROM blob WHERE digest = ?').get(digestBytes(digest));
          if (!(row?.['data'] instanceof Uint8Array))
            throw new Error(`There is no blob ${digest} to damage.`);
          const update = db.prepare('UPDATE blob SET data = ? WHERE digest = ?');
          update.run(spoiled(row['data'], how), digestBytes(digest));
        } finally {
          db.close();
        }
      },
    };
  };
}

/** A space of its own for each case, in the same database. */
function postgresScratch(beside: StoreAddress): OpenScratch {
  return async () => {
    const { inSpace } = await import('../stores/postgres/address.ts');
    const { openPostgresStore } = await import('../stores/postgres/open.ts');
    const { alterBlob, dropScratchSpace } = await import('../stores/postgres/scratch.ts');
    const address = inSpace(beside, `conformance_${globalThis.crypto.randomUUID().slice(0, 8)}`);
    return {
      connect: async () => await openPostgresStore(address, { create: true }),
      dispose: async () => await dropScratchSpace(address),
      damage: async (digest, how) => await alterBlob(address, digest, (bytes) => spoiled(bytes, how)),
    };
  };
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function spoiled(bytes: Uint8Array, how: Damage): Uint8Array {
  if (how === 'cut') return bytes.slice(0, -1);
  const copy = Uint8Array.from(bytes);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
}
