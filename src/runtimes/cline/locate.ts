/**
 * Where Cline keeps its data: `$CLINE_DIR`, else `.cline` in the home folder; in it `data`, unless `$CLINE_DATA_DIR` says another place. A
 * session is `sessions/<session>/<session>.messages.json`, its conversation, and `<session>.json` beside it, what it is.
 */
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { isFolder, programOnPath } from '../on-path.ts';
import { unreadableIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export function agentHome(env: Env): string {
  return given(env, 'CLINE_DIR') ?? join(given(env, 'HOME') ?? homedir(), '.cline');
}

function given(env: Env, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

export function dataIn(env: Env): string {
  return given(env, 'CLINE_DATA_DIR') ?? join(agentHome(env), 'data');
}

export function sessionsIn(env: Env): string {
  return given(env, 'CLINE_SESSION_DATA_DIR') ?? join(dataIn(env), 'sessions');
}

export function serversFile(env: Env): string {
  return given(env, 'CLINE_MCP_SETTINGS_PATH') ?? join(dataIn(env), 'settings', 'cline_mcp_settings.json');
}

export const messagesEnd = '.messages.json';

export function messagesOf(sessions: string, id: string): string {
  return join(sessions, id, `${id}${messagesEnd}`);
}

/** What the session is, beside its conversation. An agent that it started has none of its own: it is told by that of the session. */
export function manifestOf(messages: string): string {
  const folder = dirname(messages);
  return join(folder, `${basename(folder)}.json`);
}

/** Null where there is neither the program nor data of it. The program is never started. */
export function locate(env: Env): Installation | null {
  const home = agentHome(env);
  const program = programOnPath('cline', env);
  return isFolder(home) || isFolder(dataIn(env)) || program !== null
    ? { home, program, ...unreadableIn([home, dataIn(env), sessionsIn(env)]) }
    : null;
}
