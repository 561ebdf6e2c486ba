/**
 * What init wrote, so that uninstall can take it back. A record is a folder of ours:
 *
 *   installed.json   { v: 2, folders, repositories, files: [{ path, kind, root, hooks?, before, after, folders }] }
 *   before-N         the bytes of a file as they were
 *
 * The user's record has the files of the user, and names the repositories that were set up with them; the record beside a store has the
 * files of the repositories that use this store. One file may be in several records: undoing one takes back only its own part.
 *
 * Version 1 had no `root`, `hooks` and `repositories`; the user's record had AGENTS.md of each repository in it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { storeFolder } from '../home/locate.ts';
import type { Scope } from './forms/agent-setup.ts';
import { writeWhole } from './edit/write-whole.ts';

export interface KeptFile {
  readonly path: string;
  readonly kind: string;
  /** The repository that it was written for; null for the user. */
  readonly root: string | null;
  readonly hooks?: string;
  /** Name of the file with the bytes that were there; null where there was none. */
  readonly before: string | null;
  /** Digest of what we wrote. */
  readonly after: string;
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[];
}

export interface Installed {
  readonly v: 2;
  /** Folders that were made for the record itself, outermost first. */
  readonly folders: readonly string[];
  /** Those that were set up with the settings of the user. */
  readonly repositories: readonly string[];
  readonly files: readonly KeptFile[];
}

/** Where a record lies, and whose it is. */
export interface RecordPlace {
  readonly folder: string;
  readonly scope: Scope;
  /** The repository from which we look. */
  readonly root: string;
}

const recordName = 'installed.json';

export function readInstalled({ folder, scope, root }: RecordPlace): Installed {
  const found = onDisk(folder);
  const record = found?.v === 1 ? upcast(found, scope, root) : found;
  if (record === undefined) return { v: 2, folders: [], repositories: [], files: [] };
  return scope === 'project' ? asItLies(record, folder) : record;
}

/** Undefined where there is none, or one that was damaged: then our parts are found by what they look like. */
function onDisk(folder: string): Installed | InstalledV1 | undefined {
  try {
    const found = JSON.parse(readFileSync(join(folder, recordName), 'utf8')) as { readonly v?: unknown };
    return found.v === 1 || found.v === 2 ? (found as Installed | InstalledV1) : undefined;
  } catch {
    return undefined;
  }
}

interface InstalledV1 {
  readonly v: 1;
  readonly folders: readonly string[];
  readonly files: readonly Omit<KeptFile, 'root' | 'hooks'>[];
}

function upcast({ folders, files }: InstalledV1, scope: Scope, root: string): Installed {
  const hooks = files.find(({ kind }) => kind === 'codex-hooks')?.path;
  const rootOf = (file: { readonly kind: string; readonly path: string }): string | null =>
    file.kind === 'agents' ? dirname(file.path) : scope === 'user' ? null : root;
  const repositories = files.filter(({ kind }) => kind === 'agents').map(({ path }) => dirname(path));
  return {
    v: 2,
    folders,
    repositories: scope === 'user' ? repositories : [],
    files: files.map((file) => ({
      ...file,
      root: rootOf(file),
      ...(file.kind === 'codex-config' && hooks !== undefined ? { hooks } : {}),
    })),
  };
}

/**
 * A record that lies in a repository moves with it: then its paths are those of the place where it was made, which the folder that was made
 * for it tells. Files of the user are where they were, and the trust in them still names the hooks.json at the old place. A copy of a
 * repository has a part in its own files only: the rest is the original's.
 */
function asItLies(record: Installed, folder: string): Installed {
  const then = record.folders.find((made) => basename(made) === basename(folder));
  const isInRepository = basename(dirname(folder)) === storeFolder;
  if (then === undefined || then === folder || !isAbsolute(then) || !isInRepository) return record;
  const [from, to] = [dirname(dirname(then)), dirname(dirname(folder))];
  const isInside = (path: string): boolean => path === from || path.startsWith(from + sep);
  const now = (path: string): string => (isInside(path) ? to + path.slice(from.length) : path);
  const isCopy = existsSync(join(then, recordName));
  return {
    ...record,
    folders: record.folders.map(now),
    files: record.files
      .filter(({ path }) => !isCopy || isInside(path))
      .map((file) => ({
        ...file,
        path: now(file.path),
        root: file.root === null ? null : now(file.root),
        folders: file.folders.map(now),
      })),
  };
}

/** One that keeps nothing goes, with the folders that were made for it. */
export function writeInstalled(folder: string, record: Installed): void {
  if (record.files.length > 0 || record.repositories.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(join(folder, recordName), `${JSON.stringify(record, null, 1)}\n`, 0o600);
    return;
  }
  // What came with a copied repository, and is the original's.
  for (const entry of onDisk(folder)?.files ?? []) dropBytes(folder, entry);
  rmSync(join(folder, recordName), { force: true });
  removeEmpty(folder);
  for (const made of record.folders.toReversed()) removeEmpty(made);
}

export function keepBytes(folder: string, files: readonly KeptFile[], bytes: Uint8Array): string {
  const taken = new Set(files.map(({ before }) => before));
  let index = 0;
  while (taken.has(`before-${index}`)) index += 1;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(join(folder, `before-${index}`), bytes, 0o600);
  return `before-${index}`;
}

/** Null where somebody has removed the copy. */
export function keptBytes(folder: string, name: string): Buffer | null {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path) : null;
}

export function dropBytes(folder: string, { before }: Pick<KeptFile, 'before'>): void {
  if (before !== null) rmSync(join(folder, before), { force: true });
}

export function missingFolders(folder: string): string[] {
  if (existsSync(folder)) return [];
  return [...missingFolders(dirname(folder)), folder];
}

export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody keeps something there, or it is gone.
  }
}
