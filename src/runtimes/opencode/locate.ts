import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { programOnPath } from '../on-path.ts';
import { unreadableIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** opencode keeps its data by the XDG rules on every system; an empty variable counts as none. */
export function programData(env: Env): string {
  const base = absolute(env['XDG_DATA_HOME']) ?? join(homeFolder(env), '.local', 'share');
  return join(base, 'opencode');
}

/**
 * The one database of all sessions. OPENCODE_DB names another, relative to the data folder; builds that
 * are no release keep `opencode-<channel>.db`, which only that variable can tell us.
 */
export function databasePath(env: Env): string {
  const named = env['OPENCODE_DB'];
  if (named === undefined || named === '' || named === ':memory:') {
    return join(programData(env), 'opencode.db');
  }
  return isAbsolute(named) ? named : join(programData(env), named);
}

/** Never starts the program: its version is asked only when it is needed. */
export function locateOpencode(env: Env): Installation | null {
  const program = programOnPath('opencode', env);
  const home = programData(env);
  const closed = unreadableIn([dirname(databasePath(env))]);
  if (program === null && closed.unreadable === undefined && !existsSync(databasePath(env))) return null;
  return { home, program, ...closed };
}

function homeFolder(env: Env): string {
  return absolute(env['HOME']) ?? homedir();
}

/** A relative path would depend on where we happen to run. */
function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
