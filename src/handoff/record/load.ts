import { StaffettaError } from '../../core/base/error.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { linkFaults, parseEntry, type Entry } from '../../core/journal/entry.ts';
import { fold } from '../../core/fold/fold.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { checkKind } from '../../core/base/shape.ts';
import { readSnapshot } from '../../core/journal/snapshot.ts';
import { legLease, standingHere } from '../../core/task/standing.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Head, Lease, StoredEntry } from '../../ports/journal.ts';
import type { Context } from './context.ts';
import { knownState } from './known-states.ts';

export interface Loaded {
  readonly state: TaskState;
  readonly lease: Lease | null;
}

export async function load(context: Context, task: TaskId): Promise<Loaded> {
  const head = await context.store.journal.head(task);
  if (head === undefined) throw unknownTask(task);
  return { state: await stateAt(context, head), lease: legLease(head.lease) };
}

export function unknownTask(task: string): StaffettaError {
  return new StaffettaError('unknown-task', `There is no task ${task} in this store.`, {
    details: { task },
    hint: 'List the tasks with: staffetta ls --all',
  });
}

/** Undefined where there is none. */
export async function findState(context: Context, task: TaskId): Promise<TaskState | undefined> {
  const head = await context.store.journal.head(task);
  return head === undefined ? undefined : await stateAt(context, head);
}

/** How a task stands here, at its head. */
export async function stateAt(context: Context, head: Head): Promise<TaskState> {
  return standingHere(await foldedAt(context, head), head.lease);
}

/** What a journal adds up to: known, or from its snapshot, or by folding it where the snapshot cannot be used. */
export async function foldedAt(context: Context, head: Head): Promise<TaskState> {
  const known = knownState(context.store, head);
  if (known !== undefined) return known;
  const state = readSnapshot(head.snapshot, head.digest) ?? (await refold(context, head));
  // A damaged index leads to another task's row, which is sound in itself.
  if (state.task !== head.task)
    throw damaged(head.task, head.seq, `the store gives task ${state.task} instead`);
  return state;
}

async function refold(context: Context, head: Head): Promise<TaskState> {
  let state: TaskState | undefined;
  for await (const stored of entriesOf(context, head.task, { to: head.seq })) {
    const before = state === undefined ? undefined : { seq: state.seq, digest: state.head };
    const [fault] = linkFaults(stored, before);
    if (fault !== undefined) throw damaged(head.task, stored.seq, fault);
    state = fold(state, parseEntry(stored.body), stored.digest);
  }
  if (state === undefined || state.head !== head.digest)
    throw damaged(head.task, head.seq, 'the journal does not reach its head');
  return state;
}

export function damaged(task: TaskId, seq: number, fault: string): StaffettaError {
  return new StaffettaError('corrupt', `Entry ${seq} of task ${task} is damaged: ${fault}.`, {
    details: { task, seq },
    hint: 'Run: staffetta verify. Then restore a backup.',
  });
}

export interface Range {
  readonly from?: number;
  readonly to?: number;
}

export async function* entriesOf(
  context: Context,
  task: TaskId,
  range: Range = {},
): AsyncGenerator<StoredEntry> {
  for await (const page of entryPages(context, task, range)) yield* page;
}

/** A journal from `from` to `to`, a page at a time. What is missing is left out: a caller that acts on it looks for gaps. */
export async function* entryPages(
  context: Context,
  task: TaskId,
  range: Range = {},
): AsyncGenerator<readonly StoredEntry[]> {
  const to = range.to ?? Number.MAX_SAFE_INTEGER;
  let from = range.from ?? 0;
  while (from <= to) {
    const page = await context.store.journal.read(task, from, Math.min(256, to - from + 1));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    // After a gap a page reaches further than it is long; in a damaged order it may end where it began.
    from = Math.max(from, last.seq) + 1;
  }
}

export interface SoundEntry {
  readonly entry: Entry;
  readonly digest: Digest;
  readonly body: string;
}

/** A journal up to a known head, for a caller that acts on it: as it was sealed, without a gap, and all of it, or `corrupt`. */
export async function* soundPages(
  context: Context,
  { task, seq, head }: Pick<TaskState, 'task' | 'seq' | 'head'>,
): AsyncGenerator<readonly SoundEntry[]> {
  let next = 0;
  let last: Digest | null = null;
  for await (const page of entryPages(context, task, { to: seq })) {
    const sound: SoundEntry[] = [];
    for (const stored of page) {
      if (stored.seq !== next) throw damaged(task, next, 'it is missing');
      const entry = openEntry(stored);
      if (entry.task !== task || entry.seq !== next || entry.prev !== last)
        throw damaged(task, next, 'another entry is in its place');
      sound.push({ entry, digest: stored.digest, body: stored.body });
      last = stored.digest;
      next += 1;
    }
    yield sound;
  }
  if (last !== head) throw damaged(task, seq, 'the journal does not reach its head');
}

/** The same, an entry at a time, up to one of them. */
export async function* soundEntries(
  context: Context,
  head: Pick<TaskState, 'task' | 'seq' | 'head'>,
  to: number,
): AsyncGenerator<Entry> {
  for await (const page of soundPages(context, head)) {
    for (const { entry } of page) {
      if (entry.seq > to) return;
      yield entry;
    }
  }
}

/** A task by its id or any unambiguous beginning of it. */
export async function resolveTask(context: Context, given: string): Promise<TaskId> {
  checkKind('task', given, 'text');
  if (isTaskId(given)) return given;
  const text = given.toLowerCase();
  if (!/^t[0-9a-z]{3,}$/.test(text)) {
    throw new StaffettaError(
      'unknown-task',
      `${JSON.stringify(given)} is not the beginning of a task's id.`,
      {
        details: { task: given },
        hint: 'An id begins with t; give four characters of it or more. List the tasks with: staffetta ls --all',
      },
    );
  }
  const found = await context.store.catalog.resolve(text, 6);
  const [first, second] = found;
  if (first === undefined) throw unknownTask(given);
  if (second === undefined) return first;
  throw new StaffettaError(
    'ambiguous-task',
    `${given} could be any of ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}.`,
    {
      details: { candidates: found },
      hint: 'Give more of the id.',
    },
  );
}

export const pageSize = limits.pageMax;
