/**
 * A task goes on in another store, with the id, the holder and the generation that it has. Three changes, each a compare-and-swap that can be
 * repeated:
 *
 *   1. The target adopts a copy. The source goes on meanwhile.
 *   2. The source records that the task left, and for where. From here on nobody can write to it.
 *   3. The target adopts the rest of it, and records that it arrived.
 *
 * The second decides, since it names the one store that may do the third. What stopped behind it is finished by moving it again.
 *
 * Either end may be on another machine, or be a file.
 */
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { defined } from '../../core/base/defined.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Actor } from '../../core/task/actor.ts';
import { isFinal, type Status } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { findState, foldedAt, stateAt, unknownTask } from '../record/load.ts';
import { record } from '../record/record.ts';
import { exportTask } from './export.ts';
import { importTask, type ImportSource } from './import.ts';

/** How a task stands for a move. */
export interface MoveStanding {
  readonly task: TaskId;
  readonly status: Status;
  readonly head: Digest;
  /** The name of the store that it left for. */
  readonly away?: string | undefined;
  /** It is over here, and did not leave. */
  readonly isOver: boolean;
  /** Others that wait for it, or that it waits for, and that are not over. */
  readonly together: readonly TaskId[];
}

/** A store that a task leaves or comes to. */
export interface MoveEnd {
  /** By which its tasks are sent to it. */
  readonly name: string;
  standing(task: TaskId): Promise<MoveStanding | undefined>;
  /** The task with its history, as an export. */
  copy(task: TaskId): ImportSource;
  /** Records that it left. That it left for there before is no failure. */
  leave(task: TaskId, to: string, why?: string): Promise<void>;
  /** Takes a copy in. */
  adopt(source: ImportSource, dryRun: boolean): Promise<Moved>;
  /** Records that it arrived, once: what was sent on since, or arrived before, stays as it is. */
  arrive(task: TaskId, from: string): Promise<Arrived>;
}

export interface Arrived {
  readonly status: Status;
  readonly isNew: boolean;
}

export interface MoveOptions {
  readonly from: Pick<MoveEnd, 'name' | 'standing' | 'copy' | 'leave'>;
  readonly to: Pick<MoveEnd, 'name' | 'adopt' | 'arrive'>;
  readonly dryRun?: boolean | undefined;
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
  const together = new Set(tasks);
  for (const task of tasks) refuseParted(await standingIn(options, task), together);
  const moved: Moved[] = [];
  for (const task of tasks) moved.push(await moveTask(task, options));
  return moved;
}

async function standingIn({ from }: Pick<MoveOptions, 'from'>, task: TaskId): Promise<MoveStanding> {
  const standing = await from.standing(task);
  if (standing === undefined) throw unknownTask(task);
  return standing;
}

function refuseParted({ task, together: needed }: MoveStanding, together: ReadonlySet<TaskId>): void {
  const apart = needed.filter((other) => !together.has(other));
  if (apart.length === 0) return;
  throw new StaffettaError('wrong-state', `Task ${task} and ${apart.join(', ')} wait for one another.`, {
    details: { task, with: apart },
    hint: `They go together or not at all. Name them all: ${[...together, ...apart].join(' ')}`,
  });
}

async function moveTask(task: TaskId, options: MoveOptions): Promise<Moved> {
  const { from, to, dryRun = false, why } = options;
  const standing = await standingIn(options, task);
  if (standing.away === undefined && standing.status === 'elsewhere') throw refuseForeign(task);
  if (standing.away !== undefined && standing.away !== to.name) throw refuseOther(task, standing.away);
  const first = await copyTask(task, options);
  if (standing.isOver) return first;
  if (dryRun)
    return first.unchanged ? first : { ...first, status: standing.status, entries: first.entries + 2 };
  if (standing.away === undefined) await from.leave(task, to.name, why);
  const rest = await copyTask(task, options);
  const entries = first.entries + rest.entries;
  const arrived = await to.arrive(task, from.name);
  return {
    task,
    status: arrived.status,
    entries: entries + (arrived.isNew ? 1 : 0),
    unchanged: entries === 0 && !arrived.isNew,
  };
}

const triesMax = 5;

/** The source may go on while it is read: then it is read again. */
async function copyTask(task: TaskId, { from, to, dryRun = false }: MoveOptions): Promise<Moved> {
  for (let tries = 1; ; tries += 1) {
    const before = (await from.standing(task))?.head;
    try {
      return await to.adopt(from.copy(task), dryRun);
    } catch (error) {
      const isChanged = isStaffettaError(error, 'corrupt') && (await from.standing(task))?.head !== before;
      if (!isChanged || tries === triesMax) throw error;
    }
  }
}

/** A store that this process has open. */
export function openEnd(context: Context, name: string, by: Actor): MoveEnd {
  return {
    name,
    standing: async (task) => await standingOf(context, task),
    copy: (task) =>
      async function* () {
        yield* (await exportTask(context, task)).pieces;
      },
    leave: async (task, to, why) => await leave({ context, name, by }, { task, to, why }),
    async adopt(source, dryRun) {
      const { task, tasks, unchanged } = await importTask(context, source, { dryRun });
      const own = tasks.at(-1);
      return { task, status: own?.status ?? 'elsewhere', entries: own?.entries ?? 0, unchanged };
    },
    arrive: async (task, from) => await arrive({ context, name, by }, task, from),
  };
}

async function standingOf(context: Context, task: TaskId): Promise<MoveStanding | undefined> {
  const state = await findState(context, task);
  if (state === undefined) return undefined;
  const { status, head, away } = state;
  const isOver = away === undefined && isFinal(state);
  const together: TaskId[] = [];
  if (!isFinal(state)) {
    const waiting = await context.store.catalog.waits({ need: task, limit: 100 });
    for (const other of new Set([...waiting.map((wait) => wait.task), ...state.unmet])) {
      const standing = await findState(context, other);
      if (standing !== undefined && !isFinal(standing)) together.push(other);
    }
  }
  return { task, status, head, isOver, together, ...defined({ away }) };
}

interface Own {
  readonly context: Context;
  readonly name: string;
  readonly by: Actor;
}

/** Somebody else may have moved it there meanwhile. */
async function leave(
  { context, by }: Own,
  { task, to, why }: { readonly task: TaskId; readonly to: string; readonly why: string | undefined },
): Promise<void> {
  try {
    await record(context, {
      task,
      call: { by },
      request: { move: to },
      prepare: () => ({ command: { type: 'leave', to, ...defined({ why }) } }),
    });
  } catch (error) {
    const isThere = isStaffettaError(error, 'wrong-state') && error.details['to'] === to;
    if (!isThere) throw error;
  }
}

async function arrive({ context, name, by }: Own, task: TaskId, from: string): Promise<Arrived> {
  const head = await context.store.journal.head(task);
  if (head === undefined) throw unknownTask(task);
  const there = await foldedAt(context, head);
  if (there.away !== name) return { status: (await stateAt(context, head)).status, isNew: false };
  const { state, entry } = await record(context, {
    task,
    call: { by },
    request: { arrive: from },
    arrives: true,
    prepare: () => ({ command: { type: 'arrive', here: name, from } }),
  });
  return { status: state.status, isNew: entry !== null };
}

function refuseForeign(task: TaskId): StaffettaError {
  return new StaffettaError('wrong-state', `Task ${task} is a copy here, and lives in another store.`, {
    details: { task },
    hint: 'Move it from where it lives.',
  });
}

function refuseOther(task: TaskId, away: string): StaffettaError {
  return new StaffettaError('wrong-state', `Task ${task} has moved to ${away}.`, {
    details: { task, to: away },
    hint: 'If it did not arrive there, repeat that move; else move it on from there.',
  });
}
