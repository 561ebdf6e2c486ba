/**
 * What is this machine's own of a store: keys, tokens, records of sessions, locks, the index of words, logs. A store that is a file has it
 * beside itself, since a sandbox may write nowhere else; any other has a folder of its own in the user's data folder:
 * `staffetta/homes/postgres-db.example-work-0123456789abcdef`. Its name says where the store is, and ends in a digest of that; who signs in there, and
 * with which password, has no part in it. A store that ends with the process has none.
 *
 * The code that writes into a home makes the folder that is missing, for this user alone.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../core/journal/sha256.ts';
import type { StoreAddress } from '../ports/store-address.ts';
import { sqliteFile } from '../stores/sqlite/address.ts';
import { dataFolder } from './data-folder.ts';

export interface Home {
  readonly store: StoreAddress;
  readonly folder: string;
  /** The file that the store is, if it is one. */
  readonly file: string | undefined;
  /** A folder with the keys of actors. */
  readonly keys: string;
  /** A folder with grants, and with links to servers that run. */
  readonly tokens: string;
  /** A folder with what is running now. */
  readonly runs: string;
  /** A folder with which tasks were taken in which folder. */
  readonly taken: string;
  /** A folder with which accounts are exhausted. */
  readonly exhausted: string;
  /** A folder with which failed tasks somebody lets be. */
  readonly letBe: string;
  /** The heads that were verified. */
  readonly seen: string;
  /** The index of words. */
  readonly words: string;
  /** A folder with what hooks know of sessions, and their locks. */
  readonly hooks: string;
  readonly log: string;
  /** A folder with prompts of programs that were started. */
  readonly prompts: string;
  /** A folder with the command itself, for programs that were started. */
  readonly commands: string;
  /** A folder with what `init` found before it wrote. */
  readonly installed: string;
  /** A file into which agents may write notes. */
  readonly notes: string;
  /** A file: nobody watches while it is there. */
  readonly watchOff: string;
}

export function homeOf(store: StoreAddress, env: NodeJS.ProcessEnv = process.env): Home | undefined {
  if (store.scheme === 'memory') return undefined;
  const file = sqliteFile(store);
  const folder = file === undefined ? join(dataFolder(env), 'homes', homeName(store)) : dirname(file);
  const beside = join(folder, file === undefined ? 'store' : basename(file));
  return {
    store,
    folder,
    file,
    keys: `${beside}.keys`,
    tokens: `${beside}.tokens`,
    runs: `${beside}.runs`,
    taken: `${beside}.taken`,
    exhausted: `${beside}.exhausted`,
    letBe: `${beside}.let-be`,
    seen: `${beside}.seen.json`,
    words: `${beside}.search`,
    hooks: join(folder, 'hooks'),
    log: join(folder, 'hook.log'),
    prompts: join(folder, 'prompts'),
    commands: join(folder, 'bin'),
    installed: join(folder, 'installed'),
    notes: join(folder, 'notes.md'),
    watchOff: join(folder, 'watch-off'),
  };
}

function homeName({ shown }: StoreAddress): string {
  const readable = shown.replaceAll(/[^A-Za-z0-9.]+/g, '-').slice(0, 80);
  return `${readable}-${sha256Hex(shown).slice(0, 16)}`;
}

/** One name for a store, wherever it is asked for: a file is told with the machine that it is on. */
export function storeName(store: StoreAddress): string {
  const file = sqliteFile(store);
  return file === undefined ? store.shown : `${hostname()}:${existsSync(file) ? realpathSync(file) : file}`;
}

/** Whether there is a store already. Only a file can be looked for without asking anybody; one in a folder that is closed to us may be there, and the one that opens it is told. */
export function isThere(home: Home | undefined): boolean {
  if (home?.file === undefined || existsSync(home.file)) return true;
  try {
    return statSync(home.file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES';
  }
}

/** Which file lies there, as far as the system tells them apart; empty if there is none. */
export function fileMark(home: Home | undefined): string {
  if (home?.file === undefined) return 'no file';
  const found = statSync(home.file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
