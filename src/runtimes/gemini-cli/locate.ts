import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Installation } from '../../ports/runtime.ts';
import { unreadableIn } from '../unreadable.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * `GEMINI_CLI_HOME` stands for the user's home folder and not for the data folder in it: the program appends `.gemini` itself.
 */
export function dataFolder(env: Env): string | null {
  const home = present(env['GEMINI_CLI_HOME']) ?? present(env['HOME']) ?? present(env['USERPROFILE']);
  return home === null ? null : join(resolve(home), '.gemini');
}

/** Looks, and never starts the program. */
export function locateGemini(env: Env): Installation | null {
  const home = dataFolder(env);
  const program = onPath('gemini', env);
  if (home === null || (program === null && !isFolder(home))) return null;
  return { home, program, ...unreadableIn([home, join(home, 'tmp')]) };
}

function onPath(name: string, env: Env): string | null {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(runs) ?? null;
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function present(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}
