/** Which sessions are of a folder: those that were started in it; of a repository also those below it, outside of any other repository. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { gitFolderKind } from '../core/tree/git-folder.ts';

/** A folder as it was named and as it really is. One that is gone may still have sessions. */
export function folderNames(folder: string): string[] {
  const named = resolve(folder);
  try {
    return [...new Set([named, realpathSync(named)])];
  } catch {
    return [named];
  }
}

export function isInFolders(folders: readonly string[], started: string): boolean {
  const at = resolve(started);
  return folders.some(
    (folder) => at === folder || (isBelow(folder, at) && isRepository(folder) && !hasRepository(folder, at)),
  );
}

/** What the path of everything below a folder begins with. */
export function below(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`;
}

function isBelow(folder: string, at: string): boolean {
  return at.startsWith(below(folder));
}

function hasRepository(folder: string, at: string): boolean {
  for (let up = at; isBelow(folder, up); up = dirname(up)) if (isRepository(up)) return true;
  return false;
}

function isRepository(folder: string): boolean {
  const marker = join(folder, '.git');
  return !isFolder(marker) ? existsSync(marker) : gitFolderKind(marker, { isFolder, text }) === 'whole';
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
