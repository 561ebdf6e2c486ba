/** What a command needs before it can start: a folder inside the workspace, an environment, a program. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { RunEnd } from '../../ports/workspace.ts';

/** Where the command runs: a folder that is there, and inside once all links are followed. */
export function folderInside(root: string, folder: string): string {
  const path = resolve(root, folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new StaffettaError('workspace-missing', `There is no folder ${path} to run the command in.`);
  const real = realpathSync(path);
  const way = relative(realpathSync(root), real);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new StaffettaError('unsafe-path', `${folder} is outside the workspace.`, {
      details: { path: folder },
      hint: 'Commands run inside the workspace only.',
    });
  }
  return real;
}

/** The caller's environment without what speaks for the caller. */
export function environment(
  base: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  if (
    Object.entries(added).some(([name, value]) => /[=\0]/.test(name) || name === '' || value.includes('\0'))
  )
    throw new StaffettaError('invalid-input', 'A variable has a name without = and a value without NUL.');
  const kept = Object.entries(base).filter(([name]) => !name.toUpperCase().startsWith('STAFFETTA_'));
  return { ...Object.fromEntries(kept), ...added };
}

type NotStarted = Extract<RunEnd, { how: 'not-started' }>['reason'];

/** Why a program did not start. The system says EACCES for a folder, a file without the executable bit, and a forbidden path. */
export function notStartedReason(
  error: NodeJS.ErrnoException,
  about: { readonly program: string; readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): NotStarted {
  if (error.code === 'EACCES' || error.code === 'ENOEXEC' || error.code === 'EPERM') return 'not-executable';
  if (error.code !== 'ENOENT') return 'failed';
  // The interpreter named in its first line is missing: the file itself is there.
  return candidates(about).some(isExecutableFile) ? 'not-executable' : 'not-found';
}

function candidates(about: {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}): string[] {
  if (about.program.includes('/') || about.program.includes(sep)) return [resolve(about.cwd, about.program)];
  return (about.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, about.program));
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
