/** Folders in which a program keeps its sessions, and which are there and cannot be read: without a word they would look empty. */
import { opendirSync } from 'node:fs';

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Nothing where all of them can be read, or are not there. */
export function unreadableIn(folders: readonly string[]): { readonly unreadable?: string } {
  for (const folder of folders) {
    const code = refusalOf(folder);
    if (code !== null) return { unreadable: `The folder ${folder} cannot be read (${code}).` };
  }
  return {};
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
