/**
 * Taking a task together with its workspace. The restore is tried out first, without writing: nobody should hold a task whose
 * workspace could not be brought back. Only then the leg is started, and the workspace restored, while its lease is kept. If that fails
 * after all, because the tree changed in between, the leg is held and the error says so; if the leg was lost meanwhile, that.
 */
import { defined } from '../../core/base/defined.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { RestoreReport } from '../../ports/workspace.ts';
import type { Context } from '../record/context.ts';
import { passingOver, type PassedOver } from '../record/damage.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { keepLease } from '../record/keep-lease.ts';
import { lapseExpired } from './recover.ts';
import { eventIn, type Call, type Recorded } from '../record/record.ts';
import { isRestorable, restore, type RestoreRequest } from './restore.ts';
import {
  accept,
  notForMe,
  takenBefore,
  takeNext,
  type Accepted,
  type AcceptOptions,
  type NextOptions,
} from './take.ts';

export interface TakeRestored {
  readonly recorded: Accepted;
  /** Null where no packet of the task has a workspace, or the request was made before. */
  readonly restored: RestoreReport | null;
}

export interface TakeRestoredOptions extends AcceptOptions, Pick<NextOptions, 'onDamaged'> {
  /** Absent: the next one on offer. */
  readonly task?: TaskId;
  readonly restore: Restoring;
}

/** Where it goes may depend on the task, which is not known before one is found. */
type Restoring = Omit<RestoreRequest, 'packet' | 'dryRun' | 'worktree'> & {
  readonly worktree?: string | ((task: TaskId) => string);
};
type How = Omit<RestoreRequest, 'packet' | 'dryRun'>;

export function howFor({ worktree, ...how }: Restoring, task: TaskId): How {
  return { ...how, ...defined({ worktree: typeof worktree === 'function' ? worktree(task) : worktree }) };
}

/** Undefined: nothing to take. */
export async function takeRestored(
  context: Context,
  { task: named, restore: how, ...options }: TakeRestoredOptions,
  call: Call,
): Promise<TakeRestored | undefined> {
  const madeBefore = async (): Promise<TakeRestored | undefined> => {
    const before = await repeatTake(context, named, options, call);
    return before === undefined ? undefined : { recorded: before, restored: null };
  };
  const before = await madeBefore();
  if (before !== undefined) return before;
  const found =
    named === undefined
      ? await nextTried(context, { ...options, restore: how }, call)
      : { task: named, tried: await tryRestore(context, named, howFor(how, named)) };
  if (found === undefined) return await madeBefore();
  const { task } = found;
  // The same request may have been made meanwhile, and have taken another task.
  const made = named === undefined ? await madeBefore() : undefined;
  if (made !== undefined) return made;
  let recorded: Accepted;
  try {
    recorded = await accept(context, task, options, call);
  } catch (error) {
    if (named === undefined && isStaffettaError(error) && notForMe.has(error.code)) return await madeBefore();
    throw error;
  }
  if (recorded.repeated) return { recorded, restored: null };
  if (found.tried === null || call.dryRun === true) return { recorded, restored: found.tried };
  // What was seen of the workspace before is not how it is then.
  const { left: _left, ...alone } = recorded;
  return await bringBack(context, alone, howFor(how, task));
}

async function repeatTake(
  context: Context,
  task: TaskId | undefined,
  options: AcceptOptions,
  call: Call,
): Promise<Recorded | undefined> {
  if (call.key === undefined) return undefined;
  if (task === undefined) return await takenBefore(context, options, call);
  const known = await keyedEntry(context, task, call.key);
  return known === undefined ? undefined : await accept(context, task, options, call);
}

interface Tried {
  readonly task: TaskId;
  /** Null where there is no workspace to bring back. */
  readonly tried: RestoreReport | null;
}

/** The next task on offer whose workspace can be read. One whose workspace is damaged is passed over like any damaged task. */
async function nextTried(
  context: Context,
  { restore: how, onDamaged, ...options }: TakeRestoredOptions,
  call: Call,
): Promise<Tried | undefined> {
  if (call.dryRun !== true) await lapseExpired(context, { passed: new Map() });
  const passed: PassedOver = new Map();
  for (;;) {
    const wanted = { ...options, ...defined({ onDamaged }) };
    const except = new Set(passed.keys());
    const taken = await takeNext(context, { ...wanted, except }, { by: call.by, dryRun: true });
    for (const damaged of passed.values()) onDamaged?.(damaged);
    if (taken === undefined) return undefined;
    const { task } = taken.state;
    const found = await passingOver(passed, task, async () => ({
      task,
      tried: await tryRestore(context, task, howFor(how, task)),
    }));
    if (found !== undefined) return found;
  }
}

async function tryRestore(context: Context, task: TaskId, how: How): Promise<RestoreReport | null> {
  return (await isRestorable(context, task, how)) ? await tryOut(context, task, how) : null;
}

async function tryOut(context: Context, task: TaskId, how: How): Promise<RestoreReport> {
  try {
    return await restore(context, task, { ...how, dryRun: true });
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    throw again(error, `${error.message} Task ${task} was not taken.`, error.hint);
  }
}

async function bringBack(context: Context, recorded: Recorded, how: How): Promise<TakeRestored> {
  const { task, leg } = recorded.state;
  const generation = eventIn(recorded.entry, 'leg-started')?.generation ?? recorded.state.generation;
  const kept = leg === null ? undefined : keepLease(context, { task, generation, leaseMs: leg.leaseMs });
  let outcome: RestoreReport | StaffettaError;
  try {
    outcome = await restore(context, task, how);
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    outcome = error;
  } finally {
    await kept?.release();
  }
  const head = await context.store.journal.head(task);
  if (head?.lease?.generation !== generation) throw lostMeanwhile({ task, generation }, outcome);
  if (!(outcome instanceof StaffettaError))
    return { recorded: { ...recorded, leaseUntil: head.lease.until }, restored: outcome };
  throw again(
    outcome,
    `${outcome.message} You hold task ${task} as generation ${generation}, without its workspace.`,
    `Bring it back with: staffetta restore ${task}. Or give the task back: staffetta decline ${task} --reason TEXT`,
  );
}

/** The agent that took it from here may be at work by now. */
function lostMeanwhile(
  { task, generation }: { readonly task: TaskId; readonly generation: number },
  outcome: RestoreReport | StaffettaError,
): StaffettaError {
  const failed = outcome instanceof StaffettaError;
  const became = failed ? `was not restored: ${outcome.message}` : `was restored at ${outcome.root}.`;
  return new StaffettaError(
    'stale-generation',
    `Generation ${generation} of task ${task} no longer holds it: the leg ended while its workspace was being restored. The workspace ${became}`,
    {
      details: { task, yours: generation, ...(failed ? {} : { restored: outcome.root }) },
      hint: `Do not work on this task. See who holds it: staffetta show ${task}`,
      ...(failed ? { cause: outcome } : {}),
    },
  );
}

function again(error: StaffettaError, message: string, hint: string | undefined): StaffettaError {
  return new StaffettaError(error.code, message, {
    details: error.details,
    cause: error,
    ...defined({ hint }),
  });
}
