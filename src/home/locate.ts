import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import { gitMarker, isBare, markerKind, upwards } from '../workspace/git/marker.ts';

export interface Located {
  readonly path: string;
  /** How it was found, for people. */
  readonly because: string;
  /** It is no folder's own: work from all over the machine may lie in it. */
  readonly shared?: true;
  /** Somebody said so. */
  readonly named?: true;
}

export const storeFolder = '.staffetta';
export const storeFile = 'store.db';

/**
 * Where a workspace keeps its store: at the root of the main worktree, found from any linked worktree; outside git, in the
 * nearest `.staffetta` folder upwards; else in the user's data folder. Git's files are read, not asked: starting
 * git would take longer than everything else a command does.
 */
export function locateStore(from: string, env: NodeJS.ProcessEnv): Located {
  const root = mainWorktree(from, env);
  if (root !== undefined)
    return { path: join(root, storeFolder, storeFile), because: 'the root of this git repository' };
  for (const folder of upwards(from, env)) {
    const path = join(folder, storeFolder, storeFile);
    if (existsSync(join(folder, storeFolder))) return { path, because: `the nearest ${storeFolder} folder` };
  }
  return { path: join(dataFolder(env), storeFile), because: "the user's data folder", shared: true };
}

/** A store for a folder that is in no git repository. */
export function storeIn(folder: string): Located {
  return {
    path: join(folder, storeFolder, storeFile),
    because: 'this folder, which is in no git repository',
  };
}

/** The store that is meant where nobody names one, for the command and the library alike. */
export function defaultStore(from: string, env: NodeJS.ProcessEnv): Located {
  const given = env['STAFFETTA_STORE'] ?? '';
  return given === '' ? locateStore(from, env) : told(given);
}

export function told(path: string): Located {
  return { path, because: 'as told', named: true };
}

/** A bare repository has no worktree of its own: its folder stands for it, and its linked worktrees share what is there. */
export function mainWorktree(from: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const folder of upwards(from, env)) {
    const git = join(folder, '.git');
    const kind = markerKind(git);
    if (kind === 'whole') return folder;
    if (kind === 'file') return worktreeBehind(folder, git);
    if (isBare(folder)) return basename(folder) === '.git' ? dirname(folder) : folder;
  }
  return undefined;
}

/**
 * A `.git` file points to the git folder of a linked worktree, or of a submodule. A linked worktree shares its store with the
 * main one; a submodule is a repository of its own.
 */
function worktreeBehind(folder: string, gitFile: string): string {
  const pointer = /^gitdir: (.+)$/m.exec(textOf(gitFile))?.[1];
  if (pointer === undefined) return folder;
  const gitFolder = resolve(folder, pointer.trim());
  const common = textOf(join(gitFolder, 'commondir')).trim();
  if (common === '') return folder;
  const shared = resolve(gitFolder, common);
  if (basename(shared) === '.git') return dirname(shared);
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(textOf(join(shared, 'config')))?.[1];
  return worktree === undefined ? shared : resolve(shared, worktree.trim());
}

/** What cannot be read is as good as not there: the workspace is then taken for what it looks like. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function dataFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home(env), 'Library', 'Application Support', 'staffetta');
  if (process.platform === 'win32')
    return join(absolute(env['LOCALAPPDATA']) ?? join(home(env), 'AppData', 'Local'), 'staffetta');
  return join(absolute(env['XDG_DATA_HOME']) ?? join(home(env), '.local', 'share'), 'staffetta');
}

function home(env: NodeJS.ProcessEnv): string {
  const given = absolute(env['HOME']) ?? absolute(env['USERPROFILE']);
  if (given !== undefined) return given;
  try {
    const found = absolute(userInfo().homedir);
    if (found !== undefined) return found;
  } catch {
    // The user database does not know this user: containers often have none.
  }
  throw new StaffettaError('store-missing', 'Nothing says where your home folder is.', {
    hint: 'Set HOME, or name the store with --store or STAFFETTA_STORE.',
  });
}

/** A relative path would mean another folder for each place it is read from. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** The working tree around a folder, linked or not; the folder itself where there is none. */
export function worktreeRoot(from: string, env: NodeJS.ProcessEnv = process.env): string {
  const marker = gitMarker(from, env);
  return marker === undefined ? from : dirname(marker);
}
