import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';

/** Where this user's programs keep what is theirs. */
export function dataFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home(env), 'Library', 'Application Support', 'staffetta');
  if (process.platform === 'win32')
    return join(absolute(env['LOCALAPPDATA']) ?? join(home(env), 'AppData', 'Local'), 'staffetta');
  return join(absolute(env['XDG_DATA_HOME']) ?? join(home(env), '.local', 'share'), 'staffetta');
}

function home(env: NodeJS.ProcessEnv): string {
  const given = absolute(env['HOME']) ?? absolute(env['USERPROFILE']);
  if (given !== undefined) return given;
  try {
    const found = absolute(userInfo().homedir);
    if (found !== undefined) return found;
  } catch {
    // The user database does not know this user: containers often have none.
  }
  throw new StaffettaError('store-missing', 'Nothing says where your home folder is.', {
    hint: 'Set HOME, or name the store with --store or STAFFETTA_STORE.',
  });
}

/** A relative path would mean another folder for each place it is read from. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
