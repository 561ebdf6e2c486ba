/** Folders in which a program keeps its sessions, and which are there and cannot be read: without a word they would look empty. */
import { opendirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Nothing where all of them can be read, or are not there. */
export function unreadableIn(folders: Iterable<string>): { readonly unreadable?: string } {
  const refused: string[] = [];
  for (const folder of folders) {
    const code = refusalOf(folder);
    if (code !== null) refused.push(`The folder ${folder} cannot be read (${code}).`);
  }
  const [first, ...more] = refused;
  if (first === undefined) return {};
  return { unreadable: more.length === 0 ? first : `${first} Nor can ${more.length} more.` };
}

/** A folder and those in it, so many levels down. Of the last level only those of that name, where one is given. */
export function* withFoldersIn(folder: string, levels: number, last?: string): Generator<string> {
  yield folder;
  if (levels === 0) return;
  for (const name of foldersIn(folder))
    if (levels > 1 || last === undefined || name === last)
      yield* withFoldersIn(join(folder, name), levels - 1, last);
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch {
    // It is among those that are asked, and says why itself.
    return [];
  }
}

function refusalOf(folder: string): string | null {
  try {
    opendirSync(folder).closeSync();
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return absent.has(code) ? null : code;
  }
}
