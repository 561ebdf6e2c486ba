/** Files that are written for others to read, and written again as the work goes on: never over somebody's own words. */
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';

export interface OwnFile {
  readonly path: string;
  readonly text: string;
  /** Whether a text is one that we wrote and nobody edited. */
  readonly isOwn: (text: string) => boolean;
}

export interface WrittenFile {
  readonly path: string;
  readonly was: 'absent' | 'same' | 'ours' | 'replaced';
}

/** All of them, or none: every one is looked at before the first is written. */
export function writeOwnFiles(
  files: readonly OwnFile[],
  { replace, dryRun }: { readonly replace: boolean; readonly dryRun: boolean },
): WrittenFile[] {
  const found = files.map((file) => ({ file, was: stateOf(file, replace) }));
  if (!dryRun)
    for (const { file, was } of found) if (was !== 'same') attempt(file.path, () => writeFile(file));
  return found.map(({ file: { path }, was }) => ({ path, was }));
}

function stateOf({ path, text, isOwn }: OwnFile, replace: boolean): WrittenFile['was'] {
  const stats = attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return 'absent';
  if (stats.isDirectory())
    throw new StaffettaError('file-exists', `${path} is a folder.`, { details: { path } });
  // A link is replaced, not followed: what it leads to is not ours to write.
  const there =
    stats.isFile() && stats.size <= limits.packetBytesMax * 4
      ? attempt(path, () => readFileSync(path, 'utf8'))
      : undefined;
  if (there === text) return 'same';
  if (there !== undefined && isOwn(there)) return 'ours';
  if (replace) return 'replaced';
  throw new StaffettaError('file-exists', `${path} was not written by staffetta, or was edited since.`, {
    details: { path },
    hint: 'Nothing was written. Read its claims back with --claims, write into another folder, or say --replace.',
  });
}

/** Written aside and moved: a reader sees the old file or the new one. */
function writeFile({ path, text }: OwnFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(aside, text, { flag: 'wx' });
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (isStaffettaError(cause)) throw cause;
    throw new StaffettaError('invalid-input', `${path} cannot be written: ${(cause as Error).message}`, {
      cause,
      details: { path },
      hint: 'Name a folder that you may write into.',
    });
  }
}
