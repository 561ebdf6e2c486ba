import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StaffettaError } from '../core/base/error.ts';
import type { Reached } from '../ports/step.ts';
import type { Store } from '../ports/store.ts';
import { storeFile, storeFolder } from '../home/locate.ts';
import { seenFile } from '../home/seen-heads.ts';

export interface OpenStoreOptions {
  readonly create?: boolean;
  readonly busyMs?: number;
  readonly reached?: Reached;
}

/** A store by its URL: `memory:`, `sqlite:path`, `file:` or a plain path. Drivers are loaded when they are needed. */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  if (url === 'memory:') return (await import('../stores/memory/open.ts')).openMemoryStore();
  const path = sqlitePath(url);
  refuseFolder(path);
  refuseEmptied(path);
  const { openSqliteStore } = await import('../stores/sqlite/open.ts');
  if (options.create === true && basename(dirname(path)) === storeFolder) await prepareFolder(path);
  return await openSqliteStore(path, options);
}

export function sqlitePath(url: string): string {
  if (url.startsWith('file:')) return filePath(url);
  if (url.startsWith('sqlite:')) return resolve(url.slice('sqlite:'.length).replace(/^\/\//, ''));
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(url)?.[1];
  if (scheme === undefined) return resolve(url);
  throw new StaffettaError(
    'store-unsupported',
    `There is no store for ${scheme}:// addresses in this version.`,
    {
      details: { scheme },
      hint: 'Use a file path, sqlite:PATH or memory:',
    },
  );
}

function filePath(url: string): string {
  // A URL has no relative paths; people write them all the same, and mean what a shell would.
  if (!url.startsWith('file:/')) return resolve(url.slice('file:'.length));
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new StaffettaError('store-unsupported', `${url} does not name a file on this machine.`, {
      cause,
      details: { url },
      hint: 'Use a file path, sqlite:PATH or memory:',
    });
  }
}

function refuseFolder(path: string): void {
  if (!isFolder(path)) return;
  const inside = [join(path, storeFolder, storeFile), join(path, storeFile)].find((file) => existsSync(file));
  throw new StaffettaError('store-io', `${path} is a folder; a store is a file.`, {
    details: { path },
    hint: `Name the file: --store ${inside ?? join(path, storeFile)}`,
  });
}

/** Somebody has seen tasks in it, and now it has not a single byte: no place for a new store. */
function refuseEmptied(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0 || !existsSync(seenFile(path))) return;
  throw new StaffettaError('corrupt', `${path} is empty, and was not when it was last verified.`, {
    details: { path },
    hint: `Put a backup back. To begin anew, remove ${path} and ${seenFile(path)}.`,
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (cause) {
    throw new StaffettaError('store-io', `${path} cannot be reached: ${(cause as Error).message}`, {
      cause,
      details: { path },
      hint: 'Ask for permission on its folder, or choose another store with --store.',
    });
  }
}

const ignoreAll = '*\n';

/** The store's folder keeps itself out of git, before there is anything in it. */
async function prepareFolder(path: string): Promise<void> {
  const folder = dirname(path);
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

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
