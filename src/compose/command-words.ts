/** How the command can be called from a shell here: by its name where that is found, else by its files. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { shellWords } from './shell-words.ts';

export function commandWords({
  env,
  launcher,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `bin/staffetta.cjs` of this installation. */
  readonly launcher: string;
}): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const names = process.platform === 'win32' ? ['staffetta.cmd'] : ['staffetta'];
  if (folders.some((folder) => names.some((name) => existsSync(join(folder, name))))) return 'staffetta';
  return shellWords([process.execPath, launcher]);
}
