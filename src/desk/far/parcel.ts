/**
 * A task that travels in a file, for two machines that do not reach each other. The file is an export whose last entry says that the task left:
 * for a store that was named, or for this file, by a name of chance. Where it is read, the task arrives. What left for a file arrives with
 * its reader, so that the reader leaves its name beside it before it goes on: a second store that finds that is refused.
 *
 * The file is written aside and gets its name when the task has left.
 */
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { unsound } from '../../core/archive/archive.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Actor } from '../../core/task/actor.ts';
import type { Status } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { judgeExport, type ImportSource } from '../../handoff/trust/import.ts';
import { openEnd, type Moved, type MoveEnd, type MoveStanding } from '../../handoff/trust/move.ts';

const parcelScheme = 'file:';

/** By which a task leaves for a file: the one that it left for before, else a new one. */
export function parcelName({ away }: MoveStanding): string {
  return away?.startsWith(parcelScheme) === true ? away : `${parcelScheme}${randomBytes(12).toString('hex')}`;
}

/** The end of a move that is a file. */
export function parcelEnd(path: string, name: string): Pick<MoveEnd, 'name' | 'adopt' | 'arrive'> {
  const aside = `${path}.part`;
  let status: Status = 'elsewhere';
  return {
    name,
    async adopt(source, dryRun) {
      const { journals } = await judgeExport(source);
      const own = journals.at(-1);
      if (own === undefined) throw unsound('it holds no task');
      ({ status } = own.state);
      if (!dryRun) await fill(aside, source);
      return { task: own.task, status, entries: own.digests.length, unchanged: false };
    },
    async arrive() {
      try {
        linkSync(aside, path);
        rmSync(aside);
      } catch (cause) {
        throw unwritten(path, cause);
      }
      return { status, isNew: false };
    },
  };
}

async function fill(path: string, source: ImportSource): Promise<void> {
  try {
    const file = await open(path, 'w', 0o600);
    try {
      for await (const piece of source()) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw unwritten(path, cause);
  }
}

function unwritten(path: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === undefined || isStaffettaError(cause)) return cause;
  if (code === 'EEXIST')
    return new StaffettaError('file-exists', `${path} exists already; nothing is written over it.`, {
      cause,
      details: { path },
      hint: 'Choose another file name, and send it again.',
    });
  return new StaffettaError(
    code === 'ENOSPC' ? 'store-full' : 'store-io',
    `${path} cannot be written: ${code}.`,
    {
      cause,
      details: { path },
      hint: 'Choose a place with room that you may write to, and send it again.',
    },
  );
}

/** Takes a task in that came in a file. Reading it again changes nothing. */
export async function takeParcel(
  { context, name, by }: { readonly context: Context; readonly name: string; readonly by: Actor },
  {
    path,
    source,
    dryRun,
  }: { readonly path: string; readonly source: ImportSource; readonly dryRun: boolean },
): Promise<Moved> {
  const { journals } = await judgeExport(source, async (task) => await headHere(context, task));
  const own = journals.at(-1);
  if (own === undefined) throw unsound('it holds no task');
  const { task, state } = own;
  const { away } = state;
  if (away === undefined) throw notSent(task, path);
  if (away !== name && !away.startsWith(parcelScheme)) throw refuseOthers(task, away);
  if (!dryRun && away !== name) claim(path, name, task);
  const end = openEnd(context, away, by);
  const copied = await end.adopt(source, dryRun);
  if (dryRun) return { ...copied, status: state.status };
  const { status, isNew } = await end.arrive(task, away);
  return {
    task,
    status,
    entries: copied.entries + (isNew ? 1 : 0),
    unchanged: copied.unchanged && !isNew,
  };
}

async function headHere({ store }: Context, task: TaskId): Promise<number> {
  return (await store.journal.head(task))?.seq ?? -1;
}

/** The first store that reads it is the one. */
function claim(path: string, name: string, task: TaskId): void {
  const receipt = `${path}.taken`;
  if (!existsSync(receipt)) {
    try {
      writeFileSync(receipt, `${name}\n`, { flag: 'wx', mode: 0o644 });
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritten(receipt, cause);
    }
  }
  const by = readFileSync(receipt, 'utf8').trim();
  if (by === name) return;
  throw new StaffettaError('wrong-state', `${path} was taken in already, by ${by}.`, {
    details: { task, path, by },
    hint: 'Nothing was taken in. The task goes on there; from there it can be sent on.',
  });
}

function notSent(task: TaskId, path: string): StaffettaError {
  return new StaffettaError('wrong-state', `${path} holds a copy of ${task}, which was not sent away.`, {
    details: { task, path },
    hint: `To have the copy here: staffetta import ${path}. To go on with the task itself, send it where it is: staffetta send ${task} --file FILE`,
  });
}

function refuseOthers(task: TaskId, away: string): StaffettaError {
  return new StaffettaError('wrong-state', `Task ${task} was sent to ${away}, which is not this store.`, {
    details: { task, to: away },
    hint: 'Take the file in there.',
  });
}
