/**
 * Writes what init changes, and takes it back. What was there before is kept in a folder of ours, byte for byte:
 *
 *   installed.json   { v: 1, folders, files: [{ path, kind, before, after, folders, mode }] }
 *   before-N         the bytes of the N-th file as they were
 *
 * A file that nobody touched since (its digest is `after`) is put back as it was. From one that somebody did touch only our part is
 * taken out. The record is written before the first file: a crash in between leaves a file that is not changed yet, and undoing
 * that is doing nothing.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf } from '../core/digest.ts';
import { StaffettaError } from '../core/error.ts';
import { attempt, targetOf, textAt, type Change } from './change.ts';
import { withoutOurs, type FileKind } from './files.ts';

interface Kept {
  readonly path: string;
  readonly kind: FileKind;
  /** Name of the file with the bytes that were there; null where there was none. */
  readonly before: string | null;
  /** Digest of what we wrote. */
  readonly after: string;
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[];
  readonly mode: number | null;
}

interface Installed {
  readonly v: 1;
  /** Folders that were made for the record itself, outermost first. */
  readonly folders: readonly string[];
  readonly files: readonly Kept[];
}

const recordName = 'installed.json';

export function isInstalled(folder: string): boolean {
  return existsSync(join(folder, recordName));
}

export function installedFiles(
  folder: string,
): readonly { readonly path: string; readonly kind: FileKind }[] {
  return readInstalled(folder).files;
}

function readInstalled(folder: string): Installed {
  try {
    const found = JSON.parse(readFileSync(join(folder, recordName), 'utf8')) as Installed;
    if ((found.v as number) === 1) return found;
  } catch {
    // None, or one that was damaged: then our parts are found by what they look like.
  }
  return { v: 1, folders: [], files: [] };
}

/** Only changes that change something. */
export function install(folder: string, changes: readonly Change[]): void {
  const known = readInstalled(folder);
  const folders = isInstalled(folder) ? known.folders : missingFolders(folder);
  const kept: Kept[] = [...known.files];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const change of changes) {
    const at = kept.findIndex(({ path }) => path === change.path);
    const entry = keep(folder, change, kept[at], at === -1 ? kept.length : at);
    if (at === -1) kept.push(entry);
    else kept[at] = entry;
  }
  writeWhole(join(folder, recordName), `${JSON.stringify({ v: 1, folders, files: kept }, null, 1)}\n`, 0o600);
  for (const { path, after } of changes) if (after !== null) writeSettings(path, after);
}

function keep(folder: string, change: Change, known: Kept | undefined, index: number): Kept {
  const { path, kind, before, after } = change;
  const digest = digestOf(after ?? '');
  if (known !== undefined && before !== null && digestOf(before) === known.after)
    return { ...known, after: digest };
  // Edited since, or never ours: what it is without us is what it must become again.
  const original =
    before === null || known === undefined ? before : attempt(path, () => withoutOurs(kind, before));
  const name = `before-${index}`;
  if (original !== null) writeWhole(join(folder, name), original, 0o600);
  return {
    path,
    kind,
    before: original === null ? null : name,
    after: digest,
    folders: known?.folders ?? missingFolders(dirname(path)),
    mode: statSync(path, { throwIfNoEntry: false })?.mode ?? null,
  };
}

function missingFolders(folder: string): string[] {
  if (existsSync(folder)) return [];
  return [...missingFolders(dirname(folder)), folder];
}

function writeSettings(path: string, text: string): void {
  try {
    const target = targetOf(path);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    mkdirSync(dirname(target), { recursive: true });
    writeWhole(target, text, mode === undefined ? undefined : mode & 0o7777);
  } catch (cause) {
    throw new StaffettaError('invalid-input', `${path} cannot be written: ${(cause as Error).message}`, {
      cause,
      details: { path },
      hint: 'Files before it were written. Give yourself permission there and run init again, or undo all: staffetta uninstall',
    });
  }
}

/** Written aside and moved: a program that starts meanwhile reads the old one or the new one. */
function writeWhole(path: string, text: string | Uint8Array, mode: number | undefined): void {
  const aside = `${path}.${process.pid}.staffetta-tmp`;
  try {
    writeFileSync(aside, text, mode === undefined ? {} : { mode });
    if (mode !== undefined) chmodSync(aside, mode);
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

export interface Undoing {
  readonly path: string;
  readonly kind: FileKind;
  readonly before: string | null;
  readonly after: string | null;
  /** `as-it-was`: byte for byte. `our-part`: it was edited since, and only our part goes. */
  readonly how: 'as-it-was' | 'our-part';
}

/** What uninstall would do to the files it kept, and to others that may hold a part of ours. Those that need nothing are left out. */
export function undoings(
  folder: string,
  others: readonly { readonly path: string; readonly kind: FileKind }[],
): Undoing[] {
  const kept = readInstalled(folder).files;
  const undone = kept.flatMap((one) => undoingOf(folder, one) ?? []);
  const more = others
    .filter(({ path }) => !kept.some((one) => one.path === path))
    .flatMap(({ path, kind }) => partOf(path, kind) ?? []);
  return [...undone, ...more];
}

function undoingOf(folder: string, { path, kind, before, after }: Kept): Undoing | undefined {
  const now = textAt(path);
  if (now === null) return undefined;
  if (digestOf(now) !== after) return partOf(path, kind);
  const was = before === null ? null : readFileSync(join(folder, before), 'utf8');
  return was === now ? undefined : { path, kind, before: now, after: was, how: 'as-it-was' };
}

function partOf(path: string, kind: FileKind): Undoing | undefined {
  const now = textAt(path);
  if (now === null) return undefined;
  const after = attempt(path, () => withoutOurs(kind, now));
  // A file that somebody has settings in is theirs, even if nothing is left in it.
  if (after === now || (after === null && now.trim() === '')) return undefined;
  return { path, kind, before: now, after, how: 'our-part' };
}

/** Takes it all back, and then forgets it. */
export function undo(folder: string, doings: readonly Undoing[]): void {
  const { files: kept, folders } = readInstalled(folder);
  for (const { path, after } of doings) {
    if (after === null) rmSync(path, { force: true });
    else writeSettings(path, after);
  }
  for (const { mode, path } of kept)
    if (mode !== null && existsSync(path)) chmodSync(targetOf(path), mode & 0o7777);
  for (const made of kept.flatMap(({ folders }) => folders).toReversed()) removeEmpty(made);
  rmSync(join(folder, recordName), { force: true });
  for (const { before } of kept) if (before !== null) rmSync(join(folder, before), { force: true });
  removeEmpty(folder);
  for (const made of folders.toReversed()) removeEmpty(made);
}

export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody keeps something there, or it is gone.
  }
}
