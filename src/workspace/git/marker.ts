/** Where git would find a repository, told without starting it: that would take longer than everything else a command does. */
import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { gitFolderKind, type GitFolderDisk } from '../../core/git-folder.ts';

/** A folder and those above it, as far as git looks: GIT_CEILING_DIRECTORIES names folders that it does not climb into. */
export function* upwards(from: string, env: NodeJS.ProcessEnv): Generator<string> {
  const ceilings = new Set(
    (env['GIT_CEILING_DIRECTORIES'] ?? '')
      .split(delimiter)
      .filter(isAbsolute)
      .map((path) => resolve(path)),
  );
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder || ceilings.has(dirname(folder))) return;
  }
}

/**
 * The nearest `.git` upwards that git would use: a file, which points elsewhere, or a whole repository. Where git would find none, the
 * nearest that was one once: what is damaged is to be said, not passed by.
 */
export function gitMarker(from: string, env: NodeJS.ProcessEnv): string | undefined {
  let damaged: string | undefined;
  for (const folder of upwards(from, env)) {
    const marker = join(folder, '.git');
    const kind = markerKind(marker);
    if (kind === 'file' || kind === 'whole') return marker;
    if (kind === 'damaged') damaged ??= marker;
  }
  return damaged;
}

export function markerKind(path: string): 'file' | 'whole' | 'damaged' | 'none' {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true) return 'file';
    return found?.isDirectory() === true ? gitFolderKind(path, disk) : 'none';
  } catch {
    return 'none';
  }
}

/** A repository without a working tree has no `.git`; it is one. */
export function isBare(folder: string): boolean {
  return gitFolderKind(folder, disk) === 'whole';
}

const disk: GitFolderDisk = {
  isFolder: (path) => {
    try {
      return statSync(path).isDirectory();
    } catch {
      return false;
    }
  },
  text: (path) => {
    try {
      if (lstatSync(path).isSymbolicLink()) {
        const target = readlinkSync(path);
        if (target.startsWith('refs/')) return `ref: ${target}`;
      }
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
};
