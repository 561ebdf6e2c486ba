/** What keeps a program from running our hooks, in any of the files that it reads. */
import { hasName, valueIn, type ReadSettings } from './settings-files.ts';

export interface SwitchedOff {
  readonly path: string;
  readonly setting: string;
}

/** The last file that says anything about it decides. */
export function decided(
  files: readonly ReadSettings[],
  path: readonly string[],
  off: boolean,
): SwitchedOff | undefined {
  const last = files.findLast(({ settings }) => valueIn(settings, path) !== undefined);
  if (last === undefined || valueIn(last.settings, path) !== off) return undefined;
  return { path: last.path, setting: `${path.join('.')} = ${String(off)}` };
}

/** A list that names us. */
export function named(files: readonly ReadSettings[], path: readonly string[]): SwitchedOff | undefined {
  const found = files.find(({ settings }) => hasName(valueIn(settings, path), 'staffetta'));
  return found === undefined ? undefined : { path: found.path, setting: path.join('.') };
}
