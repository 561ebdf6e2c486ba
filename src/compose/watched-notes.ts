/**
 * The files in which an agent may leave notes: `NOTES.md`, `NOTES.txt`, `NOTES` and `progress.json` at the root of the workspace, and
 * `notes.md` in the home of the store. What was taken of each is remembered in `hooks/notes.json`; a request under the same key changes nothing, so a crash
 * between taking and remembering takes nothing twice. One process at a time takes notes; the others leave it to the next event.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Actor } from '../core/task/actor.ts';
import { digestOf } from '../core/journal/digest.ts';
import { isTaskId } from '../core/journal/id.ts';
import {
  newLines,
  noteEvents,
  progressClaims,
  progressEvent,
  type ProgressTold,
} from '../core/files/notes.ts';
import { carry, type Held } from '../handoff/verbs/carry.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Home } from '../home/home.ts';
import { worktreeRoot } from '../home/locate.ts';
import {
  hasNewNotes,
  isChanged,
  notesBytesMax,
  remember,
  remembered,
  watchedFiles,
  type SeenNotes,
} from '../home/notes-memory.ts';
import { dropLock, takeLock } from '../process/owned-lock.ts';

const absent: SeenNotes = { size: -1, mtimeMs: 0, lines: [], progress: '' };

/** What stands there before the work begins is no news of it; but whatever stands in our own file is meant for us. */
export function baselineNotes(home: Home, folder: string): void {
  const memory = remembered(home);
  const next: Record<string, SeenNotes> = { ...memory };
  for (const { path, own } of watchedFiles(home, folder)) {
    if (Object.hasOwn(memory, path)) continue;
    const look = own ? undefined : lookAt(path);
    next[path] = look === undefined ? absent : seenNow(look);
  }
  if (Object.keys(next).length !== Object.keys(memory).length) remember(home, next);
}

interface Look {
  readonly size: number;
  readonly mtimeMs: number;
  readonly text: string;
}

function seenNow({ size, mtimeMs, text }: Look): SeenNotes {
  return { size, mtimeMs, lines: newLines(text, [], { final: true }).seen, progress: digestOf(text) };
}

export interface TakeNotes {
  readonly home: Home;
  readonly folder: string;
  readonly held: Held;
  readonly by: Actor;
  /** The last line counts although it is not ended. */
  readonly final: boolean;
}

/** How many lines and moves were taken into the journal. */
export async function takeWatchedNotes(context: Context, given: TakeNotes): Promise<number> {
  const { home, folder } = given;
  if (!hasNewNotes(home, folder)) return 0;
  const lock = join(home.hooks, 'notes.lock');
  if (takeLock(lock) === 'busy') return 0;
  try {
    let taken = 0;
    for (const { path } of watchedFiles(home, folder)) taken += await takeFile(context, path, given);
    return taken;
  } finally {
    dropLock(lock);
  }
}

/** Tasks that lines name which nobody has taken yet. */
export function namedInNotes(home: Home, folder: string): ReadonlySet<string> {
  const memory = remembered(home);
  const named = new Set<string>();
  for (const { path } of watchedFiles(home, folder)) {
    const seen = memory[path];
    if (!isChanged(path, seen)) continue;
    const text = lookAt(path)?.text ?? '';
    const lines = path.endsWith('.json')
      ? [text]
      : newLines(text, (seen ?? absent).lines, { final: true }).lines;
    for (const [task] of lines.join('\n').matchAll(/\bt[0-9a-z]{12}\b/g)) if (isTaskId(task)) named.add(task);
  }
  return named;
}

/** What an agent has written of its work into the folder since then. */
export async function progressTold(folder: string, since: number): Promise<ProgressTold | null> {
  const look = lookAt(join(worktreeRoot(folder), 'progress.json'));
  if (look === undefined || look.mtimeMs < since) return null;
  const { isOwnProgress } = await import('../core/files/progress-file.ts');
  if (isOwnProgress(look.text)) return null;
  return { claims: progressClaims(look.text), moved: progressEvent(look.text) };
}

async function takeFile(context: Context, path: string, given: TakeNotes): Promise<number> {
  const { home, held, by, final } = given;
  const memory = remembered(home);
  const seen = memory[path];
  if (!isChanged(path, seen)) return 0;
  const look = lookAt(path);
  if (look === undefined) return 0;
  // A file that nobody looked at before the work began: what of it is new cannot be known.
  if (seen === undefined && basename(path) !== 'notes.md') {
    remember(home, { ...memory, [path]: seenNow(look) });
    return 0;
  }
  const before = seen ?? absent;
  const found = path.endsWith('.json')
    ? await moved(look.text, before)
    : noted(path, look.text, before, final);
  const { events, next, count } = found;
  if (events.length > 0) {
    const key = `notes:${basename(path)}:${digestOf(JSON.stringify(events)).slice(-40)}`;
    await carry(context, held, events, { by, key });
  }
  const { size, mtimeMs } = look;
  // A line that waits for its end is looked at again, whatever the times say.
  const waits = !final && !path.endsWith('.json') && look.text !== '' && !look.text.endsWith('\n');
  remember(home, { ...memory, [path]: { ...next, size: waits ? -1 : size, mtimeMs } });
  return count;
}

interface Found {
  readonly events: ReturnType<typeof noteEvents>;
  readonly next: Pick<SeenNotes, 'lines' | 'progress'>;
  readonly count: number;
}

function noted(path: string, text: string, before: SeenNotes, final: boolean): Found {
  const { lines, seen } = newLines(text, before.lines, { final });
  return {
    events: noteEvents(basename(path), lines),
    next: { lines: seen, progress: '' },
    count: lines.length,
  };
}

async function moved(text: string, before: SeenNotes): Promise<Found> {
  const progress = digestOf(text);
  // Loaded with all that our own file is made of, which most hooks do without.
  const { isOwnProgress } = await import('../core/files/progress-file.ts');
  const event = progress === before.progress || isOwnProgress(text) ? undefined : progressEvent(text);
  return {
    events: event === undefined ? [] : [event],
    next: { lines: [], progress },
    count: event === undefined ? 0 : 1,
  };
}

function lookAt(path: string): Look | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > notesBytesMax) return undefined;
  return { size: stats.size, mtimeMs: stats.mtimeMs, text: readFileSync(path, 'utf8') };
}
