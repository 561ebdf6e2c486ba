/** Programs and folders on this machine, looked at and never started. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The first program of that name that could be started. A relative entry of the PATH would mean another one in every folder. */
export function programOnPath(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(canStart) ?? null;
}

export function canStart(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
