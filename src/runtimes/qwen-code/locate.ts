/**
 * Where Qwen Code keeps its data: `$QWEN_HOME`, else `.qwen` in the home folder. Sessions are in `projects/<name of the
 * folder>/chats/<session>.jsonl`, where the name is the path with everything but letters and digits as `-`; agents that a session started in
 * `projects/<name>/subagents/<session>/agent-<id>.jsonl`.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { folderNames } from '../of-folder.ts';
import { isFolder, programOnPath } from '../on-path.ts';
import { unreadableIn, withFoldersIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export function agentHome(env: Env): string {
  return given(env, 'QWEN_HOME') ?? join(given(env, 'HOME') ?? homedir(), '.qwen');
}

function given(env: Env, name: string): string | null {
  const value = env[name];
  return value === undefined || value === '' ? null : value;
}

export function projectsOf(home: string): string {
  return join(home, 'projects');
}

export function projectName(folder: string): string {
  return folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** The program goes by the folder as it really is. */
export function projectOf(folder: string): string {
  return projectName(folderNames(folder).at(-1) ?? folder);
}

/** Null where there is neither the program nor data of it. The program is never started. */
export function locate(env: Env): Installation | null {
  const home = agentHome(env);
  const program = programOnPath('qwen', env);
  return isFolder(home) || program !== null
    ? { home, program, ...unreadableIn([home, ...withFoldersIn(projectsOf(home), 2, 'chats')]) }
    : null;
}
