import { basename, dirname, join } from 'node:path';
import { StaffettaError } from '../../core/error.ts';
import { storeFolder } from '../../compose/locate.ts';
import { exits } from '../fail.ts';
import { line } from '../output.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../spec.ts';
import { next } from '../words.ts';

/** Creates the store and says what that put where: one file, or one folder that keeps itself out of git. */
export async function run(_: Invocation, session: Session): Promise<number> {
  const { storePath: path, dryRun } = session;
  if (path === 'memory:') {
    throw new StaffettaError(
      'unavailable',
      'The store memory: ends with the command; there is nothing to create.',
      {
        hint: 'Name a file with --store.',
      },
    );
  }
  const there = session.storeExists;
  if (!dryRun || there) await session.context({ create: true });
  const files = there ? [] : createdFiles(path);
  session.output.data(
    { store: path, created: !there && !dryRun, files, ...(dryRun ? { dryRun: true } : {}) },
    () =>
      there
        ? `There is a store at ${line(path)} already; nothing was changed, and nothing needs to be.`
        : [
            `${dryRun ? 'Would create' : 'Created'} a store (${session.located.because}):`,
            ...files.map((file) => `  + ${line(file)}`),
          ].join('\n'),
  );
  if (!there) {
    session.output.say('Nothing else is touched; without these files everything is as before.');
    next(session.output, 'staffetta open "what should be done"');
  }
  return exits.ok;
}

function createdFiles(path: string): string[] {
  const folder = dirname(path);
  return basename(folder) === storeFolder ? [join(folder, '.gitignore'), path] : [path];
}
