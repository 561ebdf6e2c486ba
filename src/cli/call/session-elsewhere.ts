/** A session that worked in another folder: handed over from here, its packet would tell of the wrong files. */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import type { SessionCard } from '../../ports/runtime.ts';
import { joinCommand } from '../../core/base/command-line.ts';
import { line } from '../frame/output.ts';
import type { Session } from './session.ts';

/** A folder that is gone was moved, or is of another machine: then this one is taken for it, and that is said. */
export function refuseElsewhere(
  { output }: Session,
  { folder, id, runtime }: Pick<SessionCard, 'folder' | 'id' | 'runtime'>,
  root: string,
): void {
  if (folder === null) return;
  const [there, here] = [real(folder), real(root)];
  if (there === undefined || here === undefined) {
    if (folder !== root)
      output.say(`The session worked in ${line(folder)}, which is not there; ${line(root)} is taken for it.`);
    return;
  }
  if (isWithin(here, there) || isWithin(there, here)) return;
  throw new StaffettaError(
    'workspace-moved',
    `The session ${id} worked in ${line(folder)}, and this is ${line(root)}: its packet would tell of the wrong files.`,
    {
      details: { session: id, runtime, folder, root },
      hint: `Go there first: ${joinCommand(['cd', folder])} && staffetta handoff --from ${runtime}:${id} …`,
    },
  );
}

function real(folder: string): string | undefined {
  return existsSync(folder) ? realpathSync(folder) : undefined;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
