import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SealedBy } from '../../../core/archive/archive-seal.ts';
import { canonical } from '../../../core/journal/canonical.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { envelopes } from '../../../handoff/trust/envelopes.ts';
import { exportTask, type Exported } from '../../../handoff/trust/export.ts';
import { formatBytes } from '../../frame/bytes.ts';
import { exits } from '../../frame/fail.ts';
import { longRun } from '../../frame/long-run.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { UsageError } from '../../frame/usage.ts';
import { text } from '../../frame/values.ts';
import { counted, next } from '../../pages/words.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  if (values['envelopes'] === true) return await signaturesOnly(positionals[0], values, session);
  const out = text(values, 'out');
  const to = out === undefined ? undefined : resolve(out);
  if (to === undefined && !session.dryRun) refuseStdout(session);
  if (to !== undefined) refuseTarget(to);
  const task = await session.task(positionals[0]);
  return await longRun(session, 'export', async (context) => {
    const { pieces, sealed, ...header } = await exportTask(context, task, session.actor);
    const { entries, blobs } = header;
    const carried = `${counted(entries, 'entry', 'entries')} and ${counted(blobs, 'blob')}`;
    if (session.dryRun) {
      session.output.data({ ...header, file: to ?? null, dryRun: true }, () => `Would export ${carried}.`);
      return exits.ok;
    }
    if (to === undefined) {
      for await (const piece of pieces) await session.output.piece(piece);
      session.output.say(`Exported ${task}: ${carried}, ${sealWords(sealed())}.`);
      return exits.ok;
    }
    const bytes = await writeTo(to, pieces);
    session.output.data(
      { ...header, file: to, bytes, sealed: sealed() },
      () => `Exported ${task} to ${line(to)}: ${carried}, ${formatBytes(bytes)}, ${sealWords(sealed())}.`,
    );
    next(session.output, `staffetta import ${to} --store ANOTHER`);
    return exits.ok;
  });
}

function sealWords(sealed: SealedBy | null): string {
  return sealed === null ? 'not signed' : `signed by ${line(sealed.by.name)}`;
}

/** Text, so that any terminal or file will do. */
async function signaturesOnly(named: string | undefined, values: Values, session: Session): Promise<number> {
  if (text(values, 'out') !== undefined)
    throw new UsageError('--envelopes writes to stdout.', 'Send them to a file with >.');
  const context = await session.context();
  let count = 0;
  for await (const envelope of envelopes(context, await session.task(named))) {
    await session.output.piece(`${canonical(envelope)}\n`);
    count += 1;
  }
  session.output.say(count === 0 ? 'Nothing of it is signed.' : `${counted(count, 'signature')}.`);
  return exits.ok;
}

function refuseStdout({ output }: Session): void {
  if (output.json) {
    throw new UsageError(
      'export writes the task itself to stdout, which leaves no room for JSON.',
      'Name a file with --out, or leave --json out.',
    );
  }
  if (!process.stdout.isTTY) return;
  throw new UsageError(
    'export writes bytes that are not for a terminal.',
    'Send them to a file with > or --out, or to another command.',
  );
}

/** Told before anything is read, and in a dry run too. */
function refuseTarget(to: string): void {
  if (existsSync(to)) {
    throw new StaffettaError('store-exists', `${to} exists already; an export never overwrites.`, {
      details: { path: to },
      hint: 'Choose another file name.',
    });
  }
  if (existsSync(dirname(to))) return;
  throw new StaffettaError('invalid-input', `There is no folder ${dirname(to)}.`, {
    details: { path: to },
    hint: 'Create it first, or choose another place.',
  });
}

/** On disk when it returns. A file that breaks off has no end, and import refuses it. */
async function writeTo(to: string, pieces: Exported['pieces']): Promise<number> {
  const file = openSync(to, 'wx', 0o600);
  let bytes = 0;
  let whole = false;
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
      bytes += piece.length;
    }
    fsyncSync(file);
    whole = true;
    return bytes;
  } catch (cause) {
    throw unwritten(to, cause);
  } finally {
    closeSync(file);
    if (!whole) rmSync(to, { force: true });
  }
}

function unwritten(to: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === undefined || cause instanceof StaffettaError) return cause;
  return new StaffettaError(
    code === 'ENOSPC' ? 'store-full' : 'store-io',
    `${to} cannot be written: ${code}.`,
    {
      cause,
      details: { path: to },
      hint: 'Nothing was exported. Choose a place with room that you may write to.',
    },
  );
}
