/**
 * Files that were changed after the last place that a leg noted. An agent that was killed between an edit and its note leaves such; the next
 * one has to look at them before it goes on from that place, or does them twice.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { openEntry } from '../../core/journal/sealed.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';

const pageEntries = 64;
const namedMax = 50;

export interface AfterCursor {
  /** The place, in the words of the one who noted it. */
  readonly place: string;
  readonly files: readonly string[];
  /** How many more there are. */
  readonly left: number;
}

export async function changedAfterCursor(
  context: Context,
  state: TaskState,
  folder: string,
): Promise<AfterCursor | null> {
  const { progress } = state;
  if (progress === null) return null;
  const at = await lastProgress(context, state);
  const facts = await (await context.workspace?.())?.probe();
  if (at === null || facts === undefined) return null;
  const files = facts.changes.map(({ path }) => path).filter((path) => isLater(join(folder, path), at));
  if (files.length === 0) return null;
  const of = progress.of === null ? '' : ` of ${progress.of}`;
  const unit = progress.unit === null ? '' : ` ${progress.unit}`;
  const cursor = progress.cursor === null ? '' : `, ${progress.cursor}`;
  const place = `${progress.at}${of}${unit}${cursor}`;
  return { place, files: files.slice(0, namedMax), left: Math.max(0, files.length - namedMax) };
}

/** From the end: a long journal notes its places often. */
async function lastProgress(context: Context, { task, seq }: TaskState): Promise<number | null> {
  for (let to = seq + 1; to > 0; to -= pageEntries) {
    const from = Math.max(0, to - pageEntries);
    const page = await context.store.journal.read(task, from, to - from);
    const moved = page
      .map((stored) => openEntry(stored))
      .findLast(({ events }) => events.some(({ type }) => type === 'progress-moved'));
    if (moved !== undefined) return moved.at;
  }
  return null;
}

/** One that is gone was deleted, and nobody knows when: it is named. */
function isLater(path: string, at: number): boolean {
  try {
    return lstatSync(path).mtimeMs > at;
  } catch {
    return true;
  }
}
