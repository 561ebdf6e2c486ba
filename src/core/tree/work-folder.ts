/**
 * The folder of the workspace that a session worked in, where that is not its root: relative paths and commands in the session are from
 * there. Commands of a contract are from the root, wherever somebody was who gave them.
 */
import type { Validation } from '../contract/contract.ts';
import { joinCommand } from '../base/command-line.ts';

/** As seen from the root, with slashes; undefined for the root itself, and for what is not inside. */
export function folderWithin(root: string, folder: string): string | undefined {
  const [top, at] = [partsOf(root), partsOf(folder)];
  if (at.length <= top.length || top.some((part, i) => part !== at[i])) return undefined;
  const within = at.slice(top.length);
  return within.includes('..') ? undefined : within.join('/');
}

function partsOf(path: string): string[] {
  const separator = /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? /[\\/]/ : '/';
  return path.split(separator).filter((part) => part !== '' && part !== '.');
}

/** For the next agent. */
export function workedInWords(folder: string): string {
  return `Worked in ${folder}: relative paths and commands are from there; commands of the contract are from the root of the workspace.`;
}

/** A command that was meant in a folder of the workspace, as it does the same from the root. */
export function runFrom(folder: string | undefined, validation: Validation): Validation {
  if (folder === undefined) return validation;
  const { run, shell, ...rest } = validation;
  const line = shell === true ? `(${run[0] ?? ''})` : joinCommand(run);
  return { run: [`cd ${joinCommand([folder])} && ${line}`], shell: true, ...rest };
}
