/**
 * What a project asks of all work in it: `staffetta.json` at the root of its working tree. It can tighten what the gate asks for and
 * nothing else, so that no repository can make it milder.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import { checkShape } from '../core/base/shape.ts';
import { worktreeRoot } from '../home/locate.ts';

interface Settings {
  readonly $schema?: string;
  readonly strict?: boolean;
}

const projectFile = 'staffetta.json';

/** A file that cannot be understood is refused: it may ask for more than is done. */
export function isStrictProject(folder: string): boolean {
  const path = join(worktreeRoot(folder), projectFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw unfit(path, error);
  }
  try {
    return strictIn(JSON.parse(text));
  } catch (error) {
    throw unfit(path, error);
  }
}

function strictIn(settings: unknown): boolean {
  checkShape('settings', settings as Settings, { $schema: 'text', strict: 'flag' });
  return (settings as Settings).strict === true;
}

function unfit(path: string, cause: unknown): StaffettaError {
  return new StaffettaError('invalid-input', `${path} cannot be read as settings of a project.`, {
    details: { path },
    hint: 'It is JSON such as { "strict": true }.',
    cause,
  });
}
