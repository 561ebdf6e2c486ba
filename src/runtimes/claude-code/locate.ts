/**
 * Where Claude Code keeps its data: `$CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. Sessions are in
 * `projects/<name of the folder>/<session>.jsonl`, where the name is the path with everything but letters and digits as `-`.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { isFolder, programOnPath } from '../on-path.ts';
import { unreadableIn, withFoldersIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export function defaultHome(env: Env): string {
  return join(given(env, 'HOME') ?? homedir(), '.claude');
}

export function agentHome(env: Env): string {
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
export function locate(env: Env): Installation | null {
  const home = agentHome(env);
  const program = programOnPath('claude', env);
  return isFolder(home) || program !== null
    ? { home, program, ...unreadableIn([home, ...withFoldersIn(projectsOf(home), 1)]) }
    : null;
}
