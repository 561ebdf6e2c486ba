/**
 * What init wrote, so that uninstall can take it back. A record is a folder of ours:
 *
 *   installed.json   { v: 2, folders, repositories, files: [{ path, kind, root, hooks?, before, after, folders }] }
 *   before-N         the bytes of a file as they were
 *
 * The user's record has the files of the user, and names the repositories that were set up with them; the record beside a store has the
 * files of the repositories that use this store. One file may be in several records: whoever undoes it takes back only his own part.
 *
 * Version 1 had no `root`, `hooks` and `repositories`; the user's record had AGENTS.md of each repository in it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileKind } from './files.ts';
import type { Scope } from './plan.ts';
import { writeWhole } from './write-whole.ts';

export interface Kept {
  readonly path: string;
  readonly kind: FileKind;
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
  readonly files: readonly Kept[];
}

/** Where a record lies, and whose it is. */
export interface RecordPlace {
  readonly folder: string;
  readonly scope: Scope;
  /** The repository from which we look. */
  readonly root: string;
}

const recordName = 'installed.json';

export function readRecord({ folder, scope, root }: RecordPlace): Installed {
  try {
    const found = JSON.parse(readFileSync(join(folder, recordName), 'utf8')) as Installed | InstalledV1;
    if (found.v === 2) return found;
    if (found.v === 1) return upcast(found, scope, root);
  } catch {
    // None, or one that was damaged: then our parts are found by what they look like.
  }
  return { v: 2, folders: [], repositories: [], files: [] };
}

interface InstalledV1 {
  readonly v: 1;
  readonly folders: readonly string[];
  readonly files: readonly Omit<Kept, 'root' | 'hooks'>[];
}

function upcast({ folders, files }: InstalledV1, scope: Scope, root: string): Installed {
  const hooks = files.find(({ kind }) => kind === 'codex-hooks')?.path;
  const rootOf = (file: { readonly kind: FileKind; readonly path: string }): string | null =>
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

/** One that keeps nothing goes, with the folders that were made for it. */
export function writeRecord(folder: string, record: Installed): void {
  if (record.files.length > 0 || record.repositories.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(join(folder, recordName), `${JSON.stringify(record, null, 1)}\n`, 0o600);
    return;
  }
  rmSync(join(folder, recordName), { force: true });
  removeEmpty(folder);
  for (const made of record.folders.toReversed()) removeEmpty(made);
}

export function keepBytes(folder: string, files: readonly Kept[], bytes: Uint8Array): string {
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

export function dropBytes(folder: string, { before }: Kept): void {
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
