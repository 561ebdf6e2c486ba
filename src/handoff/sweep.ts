import type { Digest } from '../core/digest.ts';
import { eventBlobs } from '../core/event.ts';
import { StaffettaError } from '../core/error.ts';
import type { TaskId } from '../core/id.ts';
import { limits } from '../core/limits.ts';
import { finalStatuses, statuses, type TaskState } from '../core/state.ts';
import type { Context } from './context.ts';
import { readPacket } from './history.ts';
import { pageSize, soundPages, stateAt } from './load.ts';
import { cardsWith } from './needs.ts';
import { allPacketBlobs } from './packet-blobs.ts';

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
 * Retention. First finished tasks that are old enough and that no other task needs; then blobs that no entry names any
 * more. In this order a crash in between leaves blobs too many, never an entry without its blob.
 */
export async function sweep(context: Context, options: SweepOptions): Promise<Swept> {
  const graceMs = options.graceMs ?? limits.graceMsDefault;
  refuseTimes(options.olderThanMs, graceMs);
  const now = context.clock.now();
  const tasks: TaskId[] = [];
  const needed = await neededTasks(context);
  for await (const card of cardsWith(context, [...finalStatuses])) {
    if (card.updatedAt > now - options.olderThanMs || needed.has(card.task)) continue;
    if (options.dryRun !== true && !(await context.store.journal.remove(card.task, card.seq, now))) continue;
    context.reached('sweep:task-removed');
    tasks.push(card.task);
  }
  const named = await namedBlobs(context, options.dryRun === true ? new Set(tasks) : new Set());
  const before = now - graceMs;
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

/** Tasks that somebody still waits for, whatever state the one that waits is in. */
async function neededTasks(context: Context): Promise<Set<TaskId>> {
  const needed = new Set<TaskId>();
  const unfinished = statuses.filter((status) => !finalStatuses.includes(status));
  for await (const card of cardsWith(context, unfinished)) {
    const head = await context.store.journal.head(card.task);
    if (head === undefined) continue;
    for (const need of (await stateAt(context, head)).unmet) needed.add(need);
  }
  return needed;
}

async function namedBlobs(context: Context, except: ReadonlySet<TaskId>): Promise<Set<Digest>> {
  const named = new Set<Digest>();
  let cursor: string | undefined;
  do {
    const page = await context.store.catalog.list({
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
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
