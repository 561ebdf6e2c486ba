/** How the file system of a folder reads names. It is asked without writing anything: is a name that is there also there in another case? */
import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { exactNames, looseNames, type NameRules } from '../../core/tree/paths.ts';

/** The folder need not be there yet: then the nearest one above it is asked. */
export function nameRulesAt(folder: string): NameRules {
  if (process.platform === 'win32') return looseNames;
  const mac = process.platform === 'darwin';
  const caseless = isCaseless(resolve(folder)) ?? mac;
  // Elsewhere than on a Mac, what ignores case is a disk of Windows, mounted.
  return caseless ? { ...looseNames, windows: !mac } : { ...exactNames, normalizing: mac };
}

function isCaseless(folder: string): boolean | undefined {
  const names = namesIn(folder);
  for (const name of names) {
    const other = swapped(name);
    if (other !== name && !names.includes(other)) return isSame(join(folder, name), join(folder, other));
  }
  const above = dirname(folder);
  if (above === folder) return undefined;
  const [name, other] = [basename(folder), swapped(basename(folder))];
  const there = lstat(folder);
  if (there === undefined || name === other || there.dev !== lstat(above)?.dev) return isCaseless(above);
  return isSame(folder, join(above, other));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function swapped(name: string): string {
  return name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [lstat(a), lstat(b)];
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

function lstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
