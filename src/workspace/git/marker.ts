/** Where git would find a repository, told without starting it: that would take longer than everything else a command does. */
import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { gitFolderKind, type GitFolderDisk, type GitFolderKind } from '../../core/tree/git-folder.ts';

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

/** The nearest `.git` upwards that git would use: a file, which points elsewhere, or a whole repository. */
export function gitMarker(from: string, env: NodeJS.ProcessEnv): string | undefined {
  return nearest(from, env, ['file', 'whole']);
}

/** The nearest that was one once. A caller about to take a tree for a plain folder says so, and does not pass it by. */
export function damagedMarker(from: string, env: NodeJS.ProcessEnv): string | undefined {
  return nearest(from, env, ['damaged']);
}

type MarkerKind = 'file' | GitFolderKind;

function nearest(from: string, env: NodeJS.ProcessEnv, kinds: readonly MarkerKind[]): string | undefined {
  return [...upwards(from, env)]
    .map((folder) => join(folder, '.git'))
    .find((marker) => kinds.includes(markerKind(marker)));
}

export function markerKind(path: string): MarkerKind {
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
        // Of a link that leads to a file git looks at its words, too: only to a branch can HEAD be one.
        if (basename(path) === 'HEAD') return `ref: ${readlinkSync(path)}`;
      }
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
};
