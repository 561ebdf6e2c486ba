import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import { unreadableAddress, urlAddress, type StoreAddress } from '../ports/store-address.ts';
import { sqliteAddress } from '../stores/sqlite/address.ts';
import { storeKind } from '../stores/stores.ts';
import { gitMarker, isBare, markerKind, upwards } from '../workspace/git/marker.ts';

export interface Located {
  readonly store: StoreAddress;
  /** How it was found, for people. */
  readonly because: string;
  /** Somebody said so. */
  readonly named?: true;
  /** The file that names it. */
  readonly at?: string;
}

export const storeFolder = '.staffetta';
export const storeFile = 'store.db';
/** Its one line is the address of the store of this folder, where that is no file in it. Written by `init`. */
export const storeLink = 'store.url';

/**
 * Where a workspace keeps its store: at the root of the main worktree, found from any linked worktree; outside git, in the
 * nearest `.staffetta` folder upwards; else in the folder itself: a store that folders share would tell each of the work in all others.
 * Git's files are read, not asked: starting git would take longer than everything else a command does.
 */
export function locateStore(from: string, env: NodeJS.ProcessEnv): Located {
  const root = mainWorktree(from, env);
  if (root !== undefined)
    return linkedFrom(root) ?? { store: storeBelow(root), because: 'the root of this git repository' };
  for (const folder of upwards(from, env)) {
    if (existsSync(join(folder, storeFolder)))
      return (
        linkedFrom(folder) ?? { store: storeBelow(folder), because: `the nearest ${storeFolder} folder` }
      );
  }
  return { store: storeBelow(from), because: 'this folder, which is in no git repository' };
}

/** One that is there and says nothing is refused: no other store is used in place of the one that was meant. */
function linkedFrom(folder: string): Located | undefined {
  const at = join(folder, storeFolder, storeLink);
  if (!existsSync(at)) return undefined;
  const address = textOf(at).trim();
  if (/^[a-z][a-z0-9+.-]+:\/\/\S+$/i.test(address))
    return { store: storeAddress(address), because: `named in ${at}`, at };
  throw new StaffettaError('invalid-input', `${at} does not hold the address of a store.`, {
    details: { path: at },
    hint: 'Write one line into it, such as postgres://user@host:port/database, or remove it.',
  });
}

function storeBelow(folder: string): StoreAddress {
  return sqliteAddress(join(folder, storeFolder, storeFile));
}

/** Where a folder names its store: at the root of the repository that it is in, else in the folder itself. */
export function linkBeside(from: string, env: NodeJS.ProcessEnv): string {
  return join(mainWorktree(from, env) ?? from, storeFolder, storeLink);
}

/** The store that is meant where nobody names one, for the command and the library alike. */
export function defaultStore(from: string, env: NodeJS.ProcessEnv): Located {
  const given = env['STAFFETTA_STORE'] ?? '';
  return given === '' ? locateStore(from, env) : told(given);
}

export function told(text: string): Located {
  return { store: storeAddress(text), because: 'as told', named: true };
}

/** `memory:`, `scheme://…`, or a file: a path, `sqlite:path` or a `file:` URL. Whether there is such a store is told when it is opened. */
export function storeAddress(text: string): StoreAddress {
  const scheme =
    /^(memory):$|^([a-z][a-z0-9+.-]+):\/\//i.exec(text)?.slice(1).find(Boolean)?.toLowerCase() ?? '';
  // Without its slashes the address of a server would be taken for a path, with the password in it.
  const slip = scheme === '' ? /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase() : undefined;
  if (slip !== undefined && ![undefined, storeKind('file')].includes(storeKind(slip)))
    throw unreadableAddress();
  const kind = storeKind(scheme === '' ? 'file' : scheme);
  return (kind?.address ?? urlAddress)(`${scheme}${text.slice(scheme.length)}`);
}

/** A bare repository has no worktree of its own: its folder stands for it, and its linked worktrees share what is there. */
export function mainWorktree(from: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const folder of upwards(from, env)) {
    const git = join(folder, '.git');
    const kind = markerKind(git);
    if (kind === 'whole') return folder;
    if (kind === 'file') return worktreeBehind(folder, git);
    if (isBare(folder)) return basename(folder) === '.git' ? dirname(folder) : folder;
  }
  return undefined;
}

/**
 * A `.git` file points to the git folder of a linked worktree, or of a submodule. A linked worktree shares its store with the
 * main one; a submodule is a repository of its own.
 */
function worktreeBehind(folder: string, gitFile: string): string {
  const pointer = /^gitdir: (.+)$/m.exec(textOf(gitFile))?.[1];
  if (pointer === undefined) return folder;
  const gitFolder = resolve(folder, pointer.trim());
  const common = textOf(join(gitFolder, 'commondir')).trim();
  if (common === '') return folder;
  const shared = resolve(gitFolder, common);
  if (basename(shared) === '.git') return dirname(shared);
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(textOf(join(shared, 'config')))?.[1];
  return worktree === undefined ? shared : resolve(shared, worktree.trim());
}

/** What cannot be read is as good as not there: the workspace is then taken for what it looks like. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The working tree around a folder, linked or not; the folder itself where there is none. */
export function worktreeRoot(from: string): string {
  const marker = gitMarker(from, process.env);
  return marker === undefined ? from : dirname(marker);
}
