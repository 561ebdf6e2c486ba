import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface Located {
  readonly path: string;
  /** How it was found, for people. */
  readonly because: string;
}

export const storeFolder = '.staffetta';
export const storeFile = 'store.db';

/**
 * Where a workspace keeps its store: at the root of the main worktree, found from any linked worktree; outside git, in the
 * nearest `.staffetta` folder upwards; else in the user's data folder. Git's files are read, not asked: starting
 * git would take longer than everything else a command does.
 */
export function locateStore(from: string, env: NodeJS.ProcessEnv): Located {
  const root = mainWorktree(from);
  if (root !== undefined)
    return { path: join(root, storeFolder, storeFile), because: 'the root of this git repository' };
  for (const folder of upwards(from)) {
    const path = join(folder, storeFolder, storeFile);
    if (existsSync(join(folder, storeFolder))) return { path, because: `the nearest ${storeFolder} folder` };
  }
  return { path: join(dataFolder(env), storeFile), because: "the user's data folder" };
}

function* upwards(from: string): Generator<string> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder) return;
  }
}

export function mainWorktree(from: string): string | undefined {
  for (const folder of upwards(from)) {
    const git = join(folder, '.git');
    if (!existsSync(git)) continue;
    if (statSync(git).isDirectory()) return folder;
    return worktreeBehind(folder, git);
  }
  return undefined;
}

/** A `.git` file points to a linked worktree's or a submodule's git folder; only the former shares its store with a main worktree. */
function worktreeBehind(folder: string, gitFile: string): string {
  const pointer = /^gitdir: (.+)$/m.exec(readFileSync(gitFile, 'utf8'))?.[1];
  if (pointer === undefined) return folder;
  const gitFolder = resolve(folder, pointer.trim());
  const common = join(gitFolder, 'commondir');
  if (!existsSync(common)) return folder;
  const shared = resolve(gitFolder, readFileSync(common, 'utf8').trim());
  return shared.endsWith('.git') ? dirname(shared) : shared;
}

function dataFolder(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'staffetta');
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'staffetta');
  const xdg = env['XDG_DATA_HOME'];
  return join(xdg === undefined || xdg === '' ? join(home, '.local', 'share') : xdg, 'staffetta');
}
