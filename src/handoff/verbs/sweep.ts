import { defined } from '../../core/base/defined.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { eventBlobs } from '../../core/journal/event-blobs.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { limits } from '../../core/base/limits.ts';
import { touchedAt } from '../../core/task/standing.ts';
import { finalStatuses, statuses, type TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readPacket } from '../history/history.ts';
import { pageSize, soundPages, stateAt } from '../record/load.ts';
import { cardsWith } from './needs.ts';
import { allPacketBlobs } from '../history/packet-blobs.ts';

export interface SweepOptions {
  /** Finished tasks untouched for longer than this go. */
  readonly olderThanMs: number;
  /**
   * Blobs nobody names are kept this long: a writer may be about to name them. An hour unless told, and never less than a
   * minute. A transcript that is sent for longer than this while its task waits may lose its first pieces.
   */
  readonly graceMs?: number;
  readonly dryRun?: boolean;
}

export interface Swept {
  readonly tasks: readonly TaskId[];
  readonly blobs: number;
  readonly bytes: number;
}

/**
 * Retention. First finished tasks that are old enough, that no other task needs and that none was forked from; then blobs that
 * no entry names any more. In this order a crash in between leaves blobs too many, never an entry without its blob. A fork needs
 * the whole journal it goes on from, so that one stays, with its blobs, until the fork is gone.
 */
export async function sweep(context: Context, options: SweepOptions): Promise<Swept> {
  const graceMs = options.graceMs ?? limits.graceMsDefault;
  refuseTimes(options.olderThanMs, graceMs);
  const now = context.clock.now();
  const tasks: TaskId[] = [];
  const needed = await neededTasks(context);
  const before = now - graceMs;
  const old = now - options.olderThanMs;
  for await (const task of unneeded(context, needed, old)) {
    const head = await context.store.journal.head(task);
    if (head === undefined) continue;
    // A process that is about to fork it has said so, and its fork may not be on the list yet.
    const touched = touchedAt(head.lease) ?? 0;
    if (touched > old || touched >= before) continue;
    const removes = async (): Promise<boolean> =>
      await context.store.journal.remove(task, head.seq, now, head.lease);
    if (options.dryRun !== true && !(await removes())) continue;
    context.reached('sweep:task-removed');
    tasks.push(task);
    needed.gone(task);
  }
  const named = await namedBlobs(context, options.dryRun === true ? new Set(tasks) : new Set());
  let blobs = 0;
  let bytes = 0;
  let after: Digest | undefined;
  for (;;) {
    const page = await context.store.blobs.list(after, pageSize);
    if (page.length === 0) break;
    for (const blob of page) {
      if (named.has(blob.digest) || blob.putAt >= before) continue;
      if (options.dryRun !== true && !(await context.store.blobs.remove(blob.digest, before))) continue;
      context.reached('sweep:blob-removed');
      blobs += 1;
      bytes += blob.bytes;
    }
    after = page.at(-1)?.digest;
  }
  if (options.dryRun !== true && blobs + tasks.length > 0) await context.store.upkeep.compact?.();
  return { tasks, blobs, bytes };
}

function refuseTimes(olderThanMs: number, graceMs: number): void {
  if (!(olderThanMs >= 0)) {
    throw new StaffettaError('invalid-input', `An age of ${olderThanMs} ms is no age.`, {
      hint: 'Say how long finished tasks are kept, as a number of milliseconds.',
    });
  }
  if (graceMs >= limits.graceMsMin) return;
  throw new StaffettaError(
    'invalid-input',
    `A grace of ${graceMs} ms is too short: a sweep could take what is being written.`,
    {
      details: { graceMs, least: limits.graceMsMin },
      hint: `Choose at least ${limits.graceMsMin} ms (1m).`,
    },
  );
}

/** Which tasks others still need: those they wait for, whatever state they are in, and those they were forked from. */
class Needed {
  readonly #by = new Map<TaskId, Set<TaskId>>();
  readonly #origins = new Map<TaskId, TaskId>();

  add({ task, unmet, fork, status }: TaskState): void {
    if (!finalStatuses.includes(status)) for (const need of unmet) this.#note(need, task);
    if (fork === undefined) return;
    this.#note(fork.task, task);
    this.#origins.set(task, fork.task);
  }

  has(task: TaskId): boolean {
    return (this.#by.get(task)?.size ?? 0) > 0;
  }

  /** What is gone needs nothing any more. */
  gone(task: TaskId): void {
    const origin = this.#origins.get(task);
    if (origin !== undefined) this.#by.get(origin)?.delete(task);
  }

  #note(needed: TaskId, by: TaskId): void {
    this.#by.set(needed, (this.#by.get(needed) ?? new Set()).add(by));
  }
}

async function neededTasks(context: Context): Promise<Needed> {
  const needed = new Needed();
  for await (const card of cardsWith(context, [...statuses])) {
    const head = await context.store.journal.head(card.task);
    if (head !== undefined) needed.add(await stateAt(context, head));
  }
  return needed;
}

/** Finished tasks untouched since then that nobody needs: again and again, because a fork that goes frees what it came from. */
async function* unneeded(context: Context, needed: Needed, old: number): AsyncGenerator<TaskId> {
  let waiting: TaskId[] = [];
  for await (const { task, updatedAt } of cardsWith(context, [...finalStatuses])) {
    if (updatedAt > old) continue;
    if (needed.has(task)) waiting.push(task);
    else yield task;
  }
  for (let freed = 1; freed > 0;) {
    const free = waiting.filter((task) => !needed.has(task));
    waiting = waiting.filter((task) => needed.has(task));
    freed = free.length;
    yield* free;
  }
}

async function namedBlobs(context: Context, except: ReadonlySet<TaskId>): Promise<Set<Digest>> {
  const named = new Set<Digest>();
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      limit: pageSize,
      ...defined({ cursor }),
    });
    for (const card of page.cards) {
      const head = except.has(card.task) ? undefined : await context.store.journal.head(card.task);
      if (head !== undefined) await addNamed(context, await stateAt(context, head), named);
    }
    cursor = page.next;
  } while (cursor !== undefined);
  return named;
}

/** A journal with a hole would make its blobs look forgotten: it stops the sweep instead. */
async function addNamed(context: Context, state: TaskState, named: Set<Digest>): Promise<void> {
  for await (const page of soundPages(context, state)) {
    for (const event of page.flatMap(({ entry }) => entry.events)) {
      for (const digest of eventBlobs(event)) named.add(digest);
      if (event.type === 'checkpoint-sealed')
        for (const digest of await allPacketBlobs(context, await readPacket(context, event.packet)))
          named.add(digest);
    }
  }
}
