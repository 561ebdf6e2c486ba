/**
 * One file, one name. SQLite finds the log of a database, and the index of it by which processes take turns, by the name under which it
 * opened the file. A process that opens the same file by another name has another log: both are told that their changes are stored, and the
 * later one to tidy up its log overwrites what the other wrote. Nothing in the file shows it afterwards.
 *
 *   hard link          the file, its log or its index has more than one name, or the log is a link
 *   mount of a file    its own name is a mount point: what lies beside it there is not what lies beside it elsewhere
 *   moved or replaced  the name leads to another file than the one that is open
 *
 * A symbolic link is no second name: SQLite follows it first. Nor are a mounted folder and another spelling of its path, since the
 * log lies in that folder.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';

/** Refuses a file that can be opened by two names. One that is not there yet has none. */
export function refuseSecondName(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const real = realpathSync(path);
  const mounts = mountPoints();
  for (const file of [real, `${real}-wal`, `${real}-shm`, `${real}-journal`]) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (found.nlink > 1 || found.isSymbolicLink()) throw secondName(file, found);
    if (mounts.has(file)) throw mounted(file);
  }
}

/** To be asked before each change: whether the file that was opened still lies there, by one name. */
export function nameGuard(path: string): () => void {
  const opened = statSync(path, { throwIfNoEntry: false });
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now !== undefined && now.nlink > 1) refuseSecondName(path);
    if (now !== undefined && now.ino === opened?.ino && now.dev === opened.dev) return;
    throw new StaffettaError('store-io', `${path} was moved, removed or replaced while it was open.`, {
      details: { path },
      hint: 'Nothing was stored. Open the store again: the file that lies there now is the one that counts.',
    });
  };
}

const howToGoOn =
  'While nothing uses the store, copy its folder so that the files are copied and not linked (cp -R), and use the copy: --store COPY/store.db. A backup made of links is read the same way. For backups use: staffetta backup';

function secondName(
  file: string,
  { dev, ino, nlink }: { readonly dev: number; readonly ino: number; readonly nlink: number },
): StaffettaError {
  const beside = namesBeside(file, { dev, ino });
  const where = beside.length === 0 ? '' : ` (${beside.join(', ')})`;
  const what = nlink > 1 ? `has ${nlink} names${where}: hard links to one file` : 'is a link';
  return new StaffettaError(
    'store-unsupported',
    `${file} ${what}. A store that is opened by two names loses changes.`,
    { details: { path: file, names: nlink, beside }, hint: howToGoOn },
  );
}

/** The other names that can be found quickly. */
function namesBeside(file: string, { dev, ino }: { readonly dev: number; readonly ino: number }): string[] {
  const folder = dirname(file);
  try {
    return readdirSync(folder).filter((name) => {
      const found = name === basename(file) ? undefined : lstatSync(join(folder, name));
      return found?.ino === ino && found.dev === dev;
    });
  } catch {
    return [];
  }
}

function mounted(file: string): StaffettaError {
  return new StaffettaError(
    'store-unsupported',
    `${file} is mounted by itself, as a single file. Its log would lie in another folder than that of the same store elsewhere, and changes would be lost.`,
    { details: { path: file }, hint: 'Mount the folder that holds the store, with all that is in it.' },
  );
}

/** Where this process sees something mounted. Only Linux can mount a file. */
function mountPoints(): ReadonlySet<string> {
  if (process.platform !== 'linux') return new Set();
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return new Set(lines.map((line) => unescaped(line.split(' ', 5)[4] ?? '')));
  } catch {
    return new Set();
  }
}

/** Blanks, line breaks and backslashes are written as three octal digits. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(parseInt(digits, 8)));
}
