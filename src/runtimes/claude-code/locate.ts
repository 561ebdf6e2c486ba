/**
 * Where Claude Code keeps its data: `$CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. Sessions are in
 * `projects/<name of the folder>/<session>.jsonl`, where the name is the path with everything but letters and digits as `-`.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { unreadableIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export function defaultHome(env: Env): string {
  return join(given(env, 'HOME') ?? homedir(), '.claude');
}

export function homeOf(env: Env): string {
  return given(env, 'CLAUDE_CONFIG_DIR') ?? defaultHome(env);
}

function given(env: Env, name: string): string | null {
  const value = env[name];
  return value === undefined || value === '' ? null : value;
}

export function projectsOf(home: string): string {
  return join(home, 'projects');
}

/** From here on the program cuts a name and adds a hash of its own. */
export const nameLengthMax = 200;

export function projectName(folder: string): string {
  return folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** Null where there is neither the program nor data of it. The program is never started. */
export async function locate(env: Env): Promise<Installation | null> {
  const home = homeOf(env);
  const program = await programOf(env);
  const found = await stat(home).then(
    (it) => it.isDirectory(),
    () => false,
  );
  return found || program !== null ? { home, program, ...unreadableIn([home, projectsOf(home)]) } : null;
}

async function programOf(env: Env): Promise<string | null> {
  const names = process.platform === 'win32' ? ['claude.exe', 'claude.cmd'] : ['claude'];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const path of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    if (await isProgram(path)) return path;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
