/**
 * A task goes on in another store, with the id, the holder and the generation that it has. Three changes, each a compare-and-swap that can be
 * repeated:
 *
 *   1. The target adopts a copy. The source goes on meanwhile.
 *   2. The source records that the task left, and for where. From here on nobody can write to it.
 *   3. The target adopts the rest of it, and records that it arrived.
 *
 * The second decides, since it names the one store that may do the third. What stopped behind it is finished by moving it again.
 */
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { defined } from '../../core/base/defined.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { isFinal, type Status, type TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { findState, foldedAt, stateAt, unknownTask } from '../record/load.ts';
import { record, type Call } from '../record/record.ts';
import { exportTask } from './export.ts';
import { importTask, type ImportSource } from './import.ts';

/** A store, and the name by which its tasks are sent to it. */
export interface MoveEnd {
  readonly context: Context;
  readonly name: string;
}

export interface MoveOptions {
  readonly from: MoveEnd;
  readonly to: MoveEnd;
  readonly call: Call;
  readonly why?: string | undefined;
}

export interface Moved {
  readonly task: TaskId;
  /** How it stands where it was moved to. */
  readonly status: Status;
  /** Entries that are new there. */
  readonly entries: number;
  /** It was there already. */
  readonly unchanged: boolean;
}

/** Tasks that wait for one another go together: no store looks into another one. */
export async function moveTasks(tasks: readonly TaskId[], options: MoveOptions): Promise<Moved[]> {
  const { context } = options.from;
  const together = new Set(tasks);
  for (const task of tasks) await refuseParted(context, task, together);
  const moved: Moved[] = [];
  for (const task of tasks) moved.push(await moveTask(task, options));
  return moved;
}

async function refuseParted(context: Context, task: TaskId, together: ReadonlySet<TaskId>): Promise<void> {
  const state = await findState(context, task);
  if (state === undefined) throw unknownTask(task);
  if (isFinal(state)) return;
  const waiting = await context.store.catalog.waits({ need: task, limit: 100 });
  const apart = [...new Set([...waiting.map((wait) => wait.task), ...state.unmet])].filter(
    (other) => !together.has(other),
  );
  const alive: TaskId[] = [];
  for (const other of apart) {
    const standing = await findState(context, other);
    if (standing !== undefined && !isFinal(standing)) alive.push(other);
  }
  if (alive.length === 0) return;
  throw new StaffettaError('wrong-state', `Task ${task} and ${alive.join(', ')} wait for one another.`, {
    details: { task, with: alive },
    hint: `Move them together: staffetta move ${[...together, ...alive].join(' ')} --to STORE`,
  });
}

async function moveTask(task: TaskId, options: MoveOptions): Promise<Moved> {
  const { from, to, call } = options;
  const standing = await findState(from.context, task);
  if (standing === undefined) throw unknownTask(task);
  if (standing.away === undefined && standing.status === 'elsewhere') throw refuseForeign(task);
  if (standing.away !== undefined && standing.away !== to.name) throw refuseOther(standing);
  const first = await copied(task, options);
  const isOver = standing.away === undefined && isFinal(standing);
  if (isOver) return first;
  if (call.dryRun === true)
    return first.unchanged ? first : { ...first, status: standing.status, entries: first.entries + 2 };
  if (standing.away === undefined) await leave(task, options);
  const rest = await copied(task, options);
  const entries = first.entries + rest.entries;
  const arrived = await arrive(task, options);
  return {
    task,
    status: arrived.status,
    entries: entries + (arrived.isNew ? 1 : 0),
    unchanged: entries === 0 && !arrived.isNew,
  };
}

/** Somebody else may have moved it there meanwhile. */
async function leave(task: TaskId, { from, to, call, why }: MoveOptions): Promise<void> {
  try {
    await record(from.context, {
      task,
      call: { by: call.by },
      request: { move: to.name },
      prepare: () => ({ command: { type: 'leave', to: to.name, ...defined({ why }) } }),
    });
  } catch (error) {
    const isThere = isStaffettaError(error, 'wrong-state') && error.details['to'] === to.name;
    if (!isThere) throw error;
  }
}

/** Where it left for it arrives once: what was sent on since, or arrived before, stays as it is. */
async function arrive(
  task: TaskId,
  { from, to, call }: MoveOptions,
): Promise<{ readonly status: Status; readonly isNew: boolean }> {
  const head = await to.context.store.journal.head(task);
  if (head === undefined) throw unknownTask(task);
  const there = await foldedAt(to.context, head);
  if (there.away !== to.name) return { status: (await stateAt(to.context, head)).status, isNew: false };
  const { state, entry } = await record(to.context, {
    task,
    call: { by: call.by },
    request: { arrive: from.name },
    arrives: true,
    prepare: () => ({ command: { type: 'arrive', here: to.name, from: from.name } }),
  });
  return { status: state.status, isNew: entry !== null };
}

const triesMax = 5;

/** The source may go on while it is read: then it is read again. */
async function copied(task: TaskId, { from, to, call }: MoveOptions): Promise<Moved> {
  const source: ImportSource = async function* () {
    yield* (await exportTask(from.context, task)).pieces;
  };
  for (let tries = 1; ; tries += 1) {
    const before = await headOf(from, task);
    try {
      const imported = await importTask(to.context, source, { dryRun: call.dryRun === true });
      const own = imported.tasks.at(-1);
      const status = own?.status ?? 'elsewhere';
      return { task, status, entries: own?.entries ?? 0, unchanged: imported.unchanged };
    } catch (error) {
      const isChanged = isStaffettaError(error, 'corrupt') && (await headOf(from, task)) !== before;
      if (!isChanged || tries === triesMax) throw error;
    }
  }
}

async function headOf({ context }: MoveEnd, task: TaskId): Promise<string | undefined> {
  return (await context.store.journal.head(task))?.digest;
}

function refuseForeign(task: TaskId): StaffettaError {
  return new StaffettaError('wrong-state', `Task ${task} is a copy here, and lives in another store.`, {
    details: { task },
    hint: 'Move it from where it lives.',
  });
}

function refuseOther({ task, away = '' }: TaskState): StaffettaError {
  return new StaffettaError('wrong-state', `Task ${task} has moved to ${away}.`, {
    details: { task, to: away },
    hint: 'If it did not arrive there, repeat that move; else move it on from there.',
  });
}
