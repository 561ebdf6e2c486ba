import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** A folder of the user for skills that several programs load. */
export function sharedSkills(env: Readonly<Record<string, string | undefined>>): string[] {
  const home = env['HOME'] ?? homedir();
  return isAbsolute(home) ? [join(home, '.agents', 'skills')] : [];
}
