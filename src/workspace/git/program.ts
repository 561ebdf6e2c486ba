import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';

const names = process.platform === 'win32' ? ['git.exe'] : ['git'];

/**
 * Only absolute entries, and none inside the workspace: a relative one is found there, and package runners put the workspace's own
 * programs first.
 */
export function safePath(path: string | undefined, workspace: string): string {
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(folder, workspace))
    .join(delimiter);
}

function isInside(folder: string, workspace: string): boolean {
  const inside = (path: string): boolean => {
    const way = relative(workspace, path);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  if (inside(resolve(folder)) || /[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder)) return true;
  return existsSync(folder) && inside(realpathSync(folder));
}

/** The git that the user would get, by its full name, or undefined. */
export function findGit(env: NodeJS.ProcessEnv, workspace: string): string | undefined {
  for (const folder of safePath(env['PATH'] ?? env['Path'], workspace).split(delimiter)) {
    for (const name of names) {
      const program = join(folder, name);
      if (folder !== '' && isExecutable(program)) return program;
    }
  }
  return undefined;
}

function isExecutable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return statSync(program).isFile();
  } catch {
    return false;
  }
}
