/**
 * The kinds of stores that are known: a row for each, by the scheme of its addresses. What is slow to load is loaded when it is needed.
 */
import type { OpenScratch } from '../ports/scratch.ts';
import type { Reached } from '../ports/step.ts';
import { memoryAddress, urlAddress, type StoreAddress } from '../ports/store-address.ts';
import type { Store } from '../ports/store.ts';
import { postgresAddress } from './postgres/address.ts';
import { sqliteAddress } from './sqlite/address.ts';

export interface OpenStoreOptions {
  readonly create?: boolean;
  readonly busyMs?: number;
  readonly reached?: Reached;
}

interface StoreKind {
  /** How its addresses are written, for people. */
  readonly written: string;
  /** Other schemes of its addresses. */
  readonly also: readonly string[];
  readonly address: (text: string) => StoreAddress;
  readonly open: (address: StoreAddress, options: OpenStoreOptions) => Promise<Store>;
  /** Scratch stores of the same kind, in the same place as far as that has a say in what is proven; files lie in the folder. The given store is not opened. */
  readonly scratch: (address: StoreAddress, folder: string) => OpenScratch;
}

const kinds: Readonly<Record<string, StoreKind>> = {
  sqlite: {
    written: 'a file path, sqlite:PATH',
    also: ['file'],
    address: sqliteAddress,
    open: async (address, options) =>
      await (await import('./sqlite/open.ts')).openSqliteStore(address.reveal(), options),
    scratch: (address, folder) => async () =>
      (await import('./sqlite/scratch.ts')).sqliteScratch(address.reveal(), folder),
  },
  postgres: {
    written: 'postgres://…',
    also: ['postgresql'],
    address: postgresAddress,
    open: async (address, options) =>
      await (await import('./postgres/open.ts')).openPostgresStore(address, options),
    scratch: (address) => async () => (await import('./postgres/scratch.ts')).postgresScratch(address),
  },
  aws: {
    written: 'aws://BUCKET/PREFIX',
    also: [],
    address: urlAddress,
    open: async (address, options) => await (await import('./s3/open.ts')).openS3Store(address, options),
    scratch: (address) => async () => await (await import('./s3/scratch.ts')).s3Scratch(address),
  },
  memory: {
    written: 'memory:',
    also: [],
    address: () => memoryAddress,
    open: async () => (await import('./memory/open.ts')).openMemoryStore(),
    scratch: () => async () => (await import('./memory/scratch.ts')).memoryScratch(),
  },
};

const written = Object.values(kinds).map((kind) => kind.written);

/** For hints: each way in which an address of a store can be written. */
export const addressesWritten = `${written.slice(0, -1).join(', ')} or ${written.at(-1)}`;

/** Of the store with addresses of that scheme. */
export function storeKind(scheme: string): StoreKind | undefined {
  if (Object.hasOwn(kinds, scheme)) return kinds[scheme];
  return Object.values(kinds).find(({ also }) => also.includes(scheme));
}
