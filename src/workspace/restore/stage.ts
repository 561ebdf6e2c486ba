import { lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentOf } from '../look.ts';
import { filledContent, type Filling } from './fill.ts';
import type { Plan, Putting } from './plan.ts';
import type { Staging } from './staging.ts';
import { stampOf, type Move } from './swap.ts';

export interface Staged {
  readonly moves: readonly Move[];
  /** Folders that are not there yet. */
  readonly folders: readonly string[];
  readonly redacted: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Writes everything new aside. It is not forced to disk: until the next restore or capture the store still has every byte of it.
 */
export async function stage(
  staging: Staging,
  plan: Plan,
  about: { readonly filling: Filling; readonly stamps: ReadonlyMap<string, string> },
): Promise<Staged> {
  const old = (path: string): Pick<Move, 'oldStamp'> => ({ oldStamp: about.stamps.get(path) });
  const moves: Move[] = plan.deletes
    .toSorted()
    .toReversed()
    .map((path) => ({ path, does: 'delete', ...old(path) }));
  const redacted: string[] = [];
  const kept: string[] = [];
  for (const { path, entry, replaces } of plan.writes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const file = join(staging.folder, 'new', String(moves.length));
    if (entry.type === 'link') symlinkSync(entry.target, file);
    else {
      const filled = await filledContent(path, entry.content, about.filling);
      put(file, entry, filled.bytes);
      if (filled.redacted) redacted.push(path);
      if (filled.kept) kept.push(path);
    }
    const stamp = stampOf(file);
    moves.push(replaces ? { path, does: 'replace', stamp, ...old(path) } : { path, does: 'create', stamp });
  }
  return { moves, folders: missingFolders(staging.root, plan.writes), redacted, kept };
}

/** Taken before the target is found clean, so that whatever is written to afterwards has another. */
export function stampsOf(root: string, paths: readonly string[]): Map<string, string> {
  const stamps = new Map<string, string>();
  for (const path of paths) {
    try {
      stamps.set(path, stampOf(join(root, path)));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') throw error;
    }
  }
  return stamps;
}

function put(file: string, entry: Extract<Putting, { type: 'file' }>, bytes: Uint8Array): void {
  // As git does: the user's mask decides what group and others may do, unless it was nobody's business before.
  const open = entry.private === true ? 0o600 : 0o666;
  const execute = entry.private === true ? 0o100 : 0o111;
  const mode = entry.executable === true ? open | execute : open;
  writeFileSync(file, bytes, { mode, flag: 'wx' });
}

function missingFolders(root: string, writes: Plan['writes']): string[] {
  const missing = new Set<string>();
  for (const { path } of writes) {
    for (let folder = parentOf(path); folder !== '' && !missing.has(folder); folder = parentOf(folder))
      if (!isFolder(join(root, folder))) missing.add(folder);
  }
  return [...missing].sort();
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
