import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { inside } from './inside.ts';

/** Whether something lies at a path of the workspace, without following a link out of it. */
export function existsIn(root: string, path: string): boolean {
  const full = resolve(root, path);
  if (!isInside(root, full)) return false;
  try {
    lstatSync(full);
    return isInside(root, realpathSync(dirname(full))) || full === root;
  } catch {
    return false;
  }
}

function isInside(root: string, path: string): boolean {
  return inside(root, path) !== undefined;
}

export function runnableFrom(root: string, program: string, env: NodeJS.ProcessEnv): boolean {
  if (program.includes('/') || program.includes(sep)) return isProgram(resolve(root, program));
  const endings =
    process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => endings.some((ending) => isProgram(join(resolve(root, folder), program + ending))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
