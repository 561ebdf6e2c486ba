import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import type { StoreAddress } from '../ports/store-address.ts';
import type { Store } from '../ports/store.ts';
import { homeOf } from '../home/home.ts';
import { lookAt } from '../home/look-at.ts';
import { storeFile, storeFolder } from '../home/locate.ts';
import { addressesWritten, storeKind, type OpenStoreOptions } from '../stores/stores.ts';

export async function openStore(address: StoreAddress, options: OpenStoreOptions = {}): Promise<Store> {
  const { open } = kindOf(address);
  const home = homeOf(address);
  if (home?.file !== undefined) {
    refuseFolder(home.file);
    refuseEmptied(home.file, home.seen);
    if (options.create === true && basename(home.folder) === storeFolder)
      await prepareFolder(home.folder, home.file);
  }
  return await open(address, options);
}

export function kindOf({ scheme }: StoreAddress): NonNullable<ReturnType<typeof storeKind>> {
  const kind = storeKind(scheme);
  if (kind !== undefined) return kind;
  throw new StaffettaError(
    'store-unsupported',
    `There is no store for ${scheme}:// addresses in this version.`,
    { details: { scheme }, hint: `Use ${addressesWritten}` },
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
  if (address.withoutPassword() === address.reveal()) return;
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
