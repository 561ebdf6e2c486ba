/**
 * Takes back what init wrote. A file that nobody touched since (its digest is the one we wrote) is put back as it was; from one that
 * somebody did touch only our part is taken out. Others may have a part in the same file: theirs stays.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../core/journal/digest.ts';
import { isStaffettaError } from '../core/base/error.ts';
import { attempt } from './change.ts';
import { fileAt, decodeText } from './edit/file-bytes.ts';
import { formOf, isNothing, withoutOurs } from './files.ts';
import type { FileForm, PlannedFile, Setups } from './forms/agent-setup.ts';
import { isSame } from './install.ts';
import {
  dropBytes,
  keptBytes,
  readInstalled,
  removeEmpty,
  writeInstalled,
  type KeptFile,
  type RecordPlace,
} from './record.ts';
import { writeSettings } from './edit/write-whole.ts';

/** A part of ours in a file, from a record or found by what it looks like. */
export interface Part {
  readonly file: Pick<PlannedFile, 'path' | 'kind' | 'root' | 'hooks'>;
  /** None for a kind that only another version knows. */
  readonly form: FileForm | undefined;
  readonly kept: { readonly folder: string; readonly entry: KeptFile } | null;
}

export interface Undoing {
  readonly path: string;
  readonly before: Buffer;
  /** Null where the file goes. */
  readonly after: Buffer | null;
  /**
   * `as-it-was`: byte for byte. `our-part`: it was changed since, and only our part goes. `found`: no record tells what was there, and what
   * looks like ours goes.
   */
  readonly how: 'as-it-was' | 'our-part' | 'found';
}

/** Those in the records that `isMeant` accepts, and those of the other files that no record has. */
export function partsToUndo(
  { places, setups }: { readonly places: readonly RecordPlace[]; readonly setups: Setups },
  others: readonly PlannedFile[],
  isMeant: (entry: KeptFile) => boolean,
): Part[] {
  const folders = new Map(places.map((place) => [place.folder, place]));
  const kept = [...folders.values()].flatMap((place) =>
    readInstalled(place).files.map((entry) => ({
      file: entry,
      form: formOf(entry.kind, setups),
      kept: { folder: place.folder, entry },
    })),
  );
  const found = others
    .filter((file) => !kept.some(({ kept: { entry } }) => isSame(entry, file)))
    .map((file) => ({ file, form: file.form, kept: null }));
  return [...kept.filter(({ kept: { entry } }) => isMeant(entry)), ...found];
}

/** A file that makes no sense any more, or is none: our part cannot be told from the rest of it, and it stays. */
export interface Left {
  readonly path: string;
  readonly why: string;
  /** Where the bytes are that were there before us. */
  readonly kept: string | null;
}

/** One for each file; files that need nothing are left out. */
export function undoings(parts: readonly Part[]): { readonly doings: Undoing[]; readonly left: Left[] } {
  const doings: Undoing[] = [];
  const left: Left[] = [];
  for (const path of new Set(parts.map(({ file }) => file.path))) {
    const mine = parts.filter(({ file }) => file.path === path);
    try {
      const doing = undoingOf(path, parts);
      if (doing !== undefined) doings.push(doing);
    } catch (error) {
      if (!isStaffettaError(error)) throw error;
      if (mayHoldOurs(path, mine)) left.push({ path, why: error.message, kept: copyOf(mine) });
    }
  }
  return { doings, left };
}

function copyOf(parts: readonly Part[]): string | null {
  const [first = null] = parts.flatMap(({ kept }) =>
    kept === null || kept.entry.before === null ? [] : [join(kept.folder, kept.entry.before)],
  );
  return first;
}

/** One that is not in a record and does not even name us is no concern of ours. */
function mayHoldOurs(path: string, parts: readonly Part[]): boolean {
  if (parts.some(({ kept }) => kept !== null)) return true;
  try {
    return readFileSync(path).includes('staffetta');
  } catch {
    return false;
  }
}

function undoingOf(path: string, all: readonly Part[]): Undoing | undefined {
  const parts = all.filter(({ file }) => file.path === path);
  const now = fileAt(path)?.bytes ?? null;
  if (now === null) return undefined;
  let left: Buffer | null = now;
  let how: Undoing['how'] = 'as-it-was';
  // The one who wrote last comes first: then each finds the file as he left it.
  for (const waiting = [...parts]; waiting.length > 0 && left !== null;) {
    const digest: string = digestOf(left);
    const at = Math.max(
      0,
      waiting.findIndex(({ kept }) => kept?.entry.after === digest),
    );
    const [part] = waiting.splice(at, 1);
    if (part === undefined) break;
    const { kept } = part;
    if (kept?.entry.after === digest) {
      const was = kept.entry.before === null ? null : keptBytes(kept.folder, kept.entry.before);
      if (was !== null || kept.entry.before === null) {
        left = was;
        continue;
      }
    }
    const without = withoutPart(part, left, leansOn(part, all));
    if (without !== null && without.equals(left)) continue;
    if (how !== 'our-part') how = kept === null || kept.entry.after === digest ? 'found' : 'our-part';
    left = without;
  }
  if (left !== null && left.equals(now)) return undefined;
  return { path, before: now, after: left, how };
}

/** A file that somebody had before us stays, even if nothing is left in it. */
function withoutPart({ file, form, kept }: Part, bytes: Buffer, now: string | undefined): Buffer | null {
  if (form === undefined) return bytes;
  const text = decodeText(file.path, bytes);
  const was = wasOf(file, kept);
  const left = attempt(file.path, () => form.without(text, { hooks: file.hooks ?? null, now, was }));
  if (left === null) return null;
  // Where the copy of what was there is gone, all that is known is that there was something.
  const isCopyGone = was === null && kept !== null && kept.entry.before !== null;
  const stays = !isNothing(left) || isNothing(text) || isCopyGone || wasThere({ file, form }, was);
  return stays ? Buffer.from(left) : null;
}

/** Where the file lies now that this one leans on: it may have moved with its repository. */
function leansOn({ file: { root }, form }: Part, parts: readonly Part[]): string | undefined {
  return parts.find(({ file }) => file.kind === form?.leansOn && file.root === root)?.file.path;
}

function wasOf(file: Part['file'], kept: Part['kept']): string | null {
  if (kept === null || kept.entry.before === null) return null;
  const bytes = keptBytes(kept.folder, kept.entry.before);
  return bytes === null ? null : decodeText(file.path, bytes);
}

/** What held nothing but parts of ours when we came was made by another part of ours. */
function wasThere(
  { file, form }: { readonly file: Part['file']; readonly form: FileForm },
  was: string | null,
): boolean {
  if (was === null || isNothing(was)) return was !== null;
  return (
    attempt(file.path, () => withoutOurs(form, was, { hooks: null, isLongAgo: true, was: null })) !== null
  );
}

export function undo(doings: readonly Undoing[]): void {
  for (const { path, after } of doings) {
    if (after === null) rmSync(path, { force: true });
    else writeSettings(path, after);
  }
}

/** Once it is undone: what was kept goes, and so do the folders that were made for it. Returns those that were made for the record. */
export function forget(
  place: RecordPlace,
  parts: readonly Part[],
  repositories: readonly string[],
): readonly string[] {
  const record = readInstalled(place);
  const gone = parts.flatMap(({ kept }) => (kept?.folder === place.folder ? [kept.entry] : []));
  const isGone = (entry: KeptFile): boolean => gone.some((one) => isSame(one, entry));
  for (const entry of record.files.filter(isGone)) {
    for (const made of entry.folders.toReversed()) removeEmpty(made);
    dropBytes(place.folder, entry);
  }
  writeInstalled(place.folder, {
    ...record,
    repositories: record.repositories.filter((root) => !repositories.includes(root)),
    files: record.files.filter((entry) => !isGone(entry)),
  });
  return record.folders;
}
