/**
 * Writes what init changes, and keeps what was there before, byte for byte. The records are written before the first file: a crash in
 * between leaves a file that is not changed yet, and undoing that is doing nothing.
 */
import { defined } from '../core/base/defined.ts';
import { dirname } from 'node:path';
import { digestOf } from '../core/journal/digest.ts';
import { attempt, type SettingsChange } from './change.ts';
import { decodeText } from './edit/file-bytes.ts';
import { withoutOurs } from './files.ts';
import {
  dropBytes,
  keepBytes,
  keptBytes,
  missingFolders,
  readInstalled,
  writeInstalled,
  type KeptFile,
  type RecordPlace,
} from './record.ts';
import { refuseUnwritable, writeSettings } from './edit/write-whole.ts';

export interface Installing {
  readonly place: RecordPlace;
  /** Folders that have to be made for the record, outermost first. */
  readonly folders: readonly string[];
  /** Only changes that change something. */
  readonly changes: readonly SettingsChange[];
  /** The repository that is set up with the settings of the user, if one is. */
  readonly repository: string | null;
}

export function install(parts: readonly Installing[]): void {
  // All before the first: a file that cannot be written shall not leave the others half done.
  for (const { changes } of parts) for (const { path } of changes) refuseUnwritable(path);
  for (const part of parts) record(part);
  for (const { changes } of parts) for (const { path, after } of changes) writeSettings(path, after);
}

function record({ place, folders, changes, repository }: Installing): void {
  const known = readInstalled(place);
  const isKnown = repository === null || known.repositories.includes(repository);
  if (changes.length === 0 && isKnown) return;
  const files: KeptFile[] = [...known.files];
  for (const change of changes) {
    const at = files.findIndex((one) => isSame(one, change));
    const entry = keep(place.folder, change, { known: files[at], files });
    if (at === -1) files.push(entry);
    else files[at] = entry;
  }
  const repositories = isKnown ? known.repositories : [...known.repositories, repository];
  writeInstalled(place.folder, { v: 2, folders: [...known.folders, ...folders], repositories, files });
}

/** A file that several have a part in is kept once for each. */
export function isSame(
  one: Pick<KeptFile, 'path' | 'root' | 'hooks'>,
  other: Pick<KeptFile, 'path' | 'root' | 'hooks'>,
): boolean {
  return one.path === other.path && one.root === other.root && one.hooks === other.hooks;
}

interface Keeping {
  readonly known: KeptFile | undefined;
  readonly files: readonly KeptFile[];
}

/** What the user had before us, empty parts and all: it is theirs, also where ours looks the same. */
function wasOf(folder: string, { path, before }: KeptFile): string | null {
  const bytes = before === null ? null : keptBytes(folder, before);
  return bytes === null ? null : decodeText(path, bytes);
}

function keep(folder: string, change: SettingsChange, { known, files }: Keeping): KeptFile {
  const { path, kind, form, root, hooks, before, bytes, after } = change;
  const digest = digestOf(after);
  if (known !== undefined && bytes !== null && digestOf(bytes) === known.after)
    return { ...known, after: digest };
  // Edited since, or never ours: what it is without us is what it must become again.
  const original =
    before === null || known === undefined
      ? bytes
      : attempt(path, () => withoutOurs(form, before, { hooks: hooks ?? null, was: wasOf(folder, known) }));
  if (known !== undefined) dropBytes(folder, known);
  return {
    path,
    kind,
    root,
    ...defined({ hooks }),
    before: original === null ? null : keepBytes(folder, files, Buffer.from(original)),
    after: digest,
    folders: known?.folders ?? missingFolders(dirname(path)),
  };
}
