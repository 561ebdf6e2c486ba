import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { joinCommand } from '../../../core/base/command-line.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { formatBytes } from '../../frame/bytes.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { next } from '../../pages/words.ts';

export async function run({ positionals }: Invocation, session: Session): Promise<number> {
  if (positionals[0] === '-')
    throw new UsageError(
      'backup writes a file that it checks before it takes its name, and cannot write to stdout.',
      'Name a file. One that is really called "-" is ./-',
    );
  const to = resolve(positionals[0] ?? '');
  await session.context();
  refuseTarget(to);
  const bytes = session.dryRun ? null : await copyTasks(session, to);
  session.output.data({ file: to, bytes, ...(session.dryRun ? { dryRun: true } : {}) }, () =>
    bytes === null
      ? `Would copy the store to ${line(to)}.`
      : `Copied the store to ${line(to)} (${formatBytes(bytes)}).`,
  );
  if (bytes !== null) next(session.output, joinCommand(['staffetta', 'verify', '--store', to]));
  return exits.ok;
}

async function copyTasks(session: Session, to: string): Promise<number> {
  return await longRun(session, 'backup', async ({ store }) => {
    if (store.upkeep.backup === undefined) {
      throw new StaffettaError('unavailable', 'This store has its own way of making backups.', {
        hint: 'Use the tools of the service that keeps it.',
      });
    }
    return (await store.upkeep.backup(to)).bytes;
  });
}

/** Told before anything is copied, and in a dry run too. */
function refuseTarget(to: string): void {
  const found = statSync(to, { throwIfNoEntry: false });
  if (found !== undefined) {
    throw new StaffettaError(
      'store-exists',
      found.isDirectory()
        ? `${to} is a folder; name the file to write in it.`
        : `${to} exists already; a backup never overwrites.`,
      { details: { path: to }, hint: 'Choose another file name.' },
    );
  }
  if (existsSync(dirname(to))) return;
  throw new StaffettaError('invalid-input', `There is no folder ${dirname(to)}.`, {
    details: { path: to },
    hint: 'Create it first, or choose another place.',
  });
}
