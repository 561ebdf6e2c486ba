import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import type { Reached } from '../ports/step.ts';
import type { StoreAddress } from '../ports/store-address.ts';
import type { Store } from '../ports/store.ts';
import { homeOf } from '../home/home.ts';
import { lookAt } from '../home/look-at.ts';
import { storeFile, storeFolder } from '../home/locate.ts';

export interface OpenStoreOptions {
  readonly create?: boolean;
  readonly busyMs?: number;
  readonly reached?: Reached;
}

type Opener = (address: StoreAddress, options: OpenStoreOptions) => Promise<Store>;

/** By the scheme of their addresses: a store is a folder in `src/stores` and a line here. Drivers are loaded when they are needed. */
const openers: Readonly<Record<string, Opener>> = {
  aws: async (address, options) => await (await import('../stores/s3/open.ts')).openS3Store(address, options),
  postgres: async (address, options) =>
    await (await import('../stores/postgres/open.ts')).openPostgresStore(address, options),
  memory: async () => (await import('../stores/memory/open.ts')).openMemoryStore(),
  sqlite: async (address, options) =>
    await (await import('../stores/sqlite/open.ts')).openSqliteStore(address.reveal(), options),
};

export async function openStore(address: StoreAddress, options: OpenStoreOptions = {}): Promise<Store> {
  const { scheme } = address;
  const open = Object.hasOwn(openers, scheme) ? openers[scheme] : undefined;
  if (open === undefined) return refuseScheme(address);
  const home = homeOf(address);
  if (home?.file !== undefined) {
    refuseFolder(home.file);
    refuseEmptied(home.file, home.seen);
    if (options.create === true && basename(home.folder) === storeFolder)
      await prepareFolder(home.folder, home.file);
  }
  return await open(address, options);
}

export function refuseScheme({ scheme }: StoreAddress): never {
  throw new StaffettaError(
    'store-unsupported',
    `There is no store for ${scheme}:// addresses in this version.`,
    {
      details: { scheme },
      hint: 'Use a file path, sqlite:PATH, postgres://…, aws://BUCKET/PREFIX or memory:',
    },
  );
}

function refuseFolder(path: string): void {
  if (lookAt(path)?.isDirectory() !== true) return;
  const inside = [join(path, storeFolder, storeFile), join(path, storeFile)].find((file) => existsSync(file));
  throw new StaffettaError('store-io', `${path} is a folder; a store is a file.`, {
    details: { path },
    hint: `Name the file: --store ${inside ?? join(path, storeFile)}`,
  });
}

/** Somebody has seen tasks in it, and now it has not a single byte: no place for a new store. */
function refuseEmptied(path: string, seen: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0 || !existsSync(seen)) return;
  throw new StaffettaError('corrupt', `${path} is empty, and was not when it was last verified.`, {
    details: { path },
    hint: `Put a backup back. To begin anew, remove ${path} and ${seen}.`,
  });
}

const ignoreAll = '*\n';

/** The store's folder keeps itself out of git, before there is anything in it. */
async function prepareFolder(folder: string, path: string): Promise<void> {
  const ignore = join(folder, '.gitignore');
  try {
    const text = existsSync(ignore) ? readFileSync(ignore, 'utf8') : undefined;
    // Missing beside a store, or with other words in it: somebody wants it so. Cut short: a crash left it so.
    if (text === undefined ? existsSync(path) : text === ignoreAll || !ignoreAll.startsWith(text)) return;
    const { makeFolder, syncFolder } = await import('../stores/sqlite/durable.ts');
    makeFolder(folder);
    writeSynced(ignore, ignoreAll);
    syncFolder(folder);
  } catch {
    // The store's own opening reports the same trouble, in its own words.
  }
}

/** What names a store lies in the open. */
export function refuseKeptPassword(address: StoreAddress): void {
  if (new URL(address.reveal()).password === '') return;
  throw new StaffettaError(
    'invalid-input',
    'The address would be written into a file, and that has a password in it.',
    {
      details: { store: address.shown },
      hint: 'Put the password into ~/.pgpass or PGPASSWORD, and give the address without it.',
    },
  );
}

/** Names a store for the folder that the link lies in. */
export async function writeStoreLink(address: StoreAddress, link: string): Promise<void> {
  await prepareFolder(dirname(link), link);
  writeSynced(link, `${address.reveal()}\n`);
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
