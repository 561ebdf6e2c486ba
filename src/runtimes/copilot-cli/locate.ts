/** Where Copilot CLI keeps its data: `$COPILOT_HOME`, else `.copilot` in the home folder. A session is `session-state/<session>/events.jsonl`. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { isFolder, programOnPath } from '../on-path.ts';
import { unreadableIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export function agentHome(env: Env): string {
  return given(env, 'COPILOT_HOME') ?? join(given(env, 'HOME') ?? homedir(), '.copilot');
}

function given(env: Env, name: string): string | null {
  const value = env[name];
  return value === undefined || value === '' ? null : value;
}

export function sessionsOf(home: string): string {
  return join(home, 'session-state');
}

export function eventsOf(home: string, session: string): string {
  return join(sessionsOf(home), session, 'events.jsonl');
}

/** Null where there is neither the program nor data of it. The program is never started. */
export function locate(env: Env): Installation | null {
  const home = agentHome(env);
  const program = programOnPath('copilot', env);
  return isFolder(home) || program !== null
    ? { home, program, ...unreadableIn([home, sessionsOf(home)]) }
    : null;
}
