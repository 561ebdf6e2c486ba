import { join, resolve } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { isFolder, programOnPath } from '../on-path.ts';
import { unreadableIn, withFoldersIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * `GEMINI_CLI_HOME` stands for the user's home folder and not for the data folder in it: the program appends `.gemini` itself.
 */
export function programData(env: Env): string | null {
  const home = present(env['GEMINI_CLI_HOME']) ?? present(env['HOME']) ?? present(env['USERPROFILE']);
  return home === null ? null : join(resolve(home), '.gemini');
}

/** Looks, and never starts the program. */
export function locateGemini(env: Env): Installation | null {
  const home = programData(env);
  const program = programOnPath('gemini', env);
  if (home === null || (program === null && !isFolder(home))) return null;
  return { home, program, ...unreadableIn([home, ...withFoldersIn(join(home, 'tmp'), 2, 'chats')]) };
}

function present(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}
