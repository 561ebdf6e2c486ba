import { parseEntry } from '../core/entry.ts';
import type { EventOf, EventType } from '../core/event.ts';
import type { ReviewFinding } from '../core/review-finding.ts';
import type { TaskState } from '../core/state.ts';
import { isFinal } from '../core/state.ts';
import type { Context } from './context.ts';
import { eventIn } from './record.ts';

const pageEntries = 64;

/** The latest event of a type up to this state, searched from the end. */
export async function latestEvent<T extends EventType>(
  context: Context,
  { task, seq }: TaskState,
  type: T,
): Promise<EventOf<T> | undefined> {
  for (let to = seq; to >= 0; to -= pageEntries) {
    const from = Math.max(0, to - pageEntries + 1);
    const page = await context.store.journal.read(task, from, to - from + 1);
    for (const stored of page.toReversed()) {
      const event = eventIn(parseEntry(stored.body), type);
      if (event !== undefined) return event;
    }
  }
  return undefined;
}

/** What must change, in work that was sent back. */
export async function standingFindings(
  context: Context,
  state: TaskState,
): Promise<readonly ReviewFinding[]> {
  if (state.rework === 0 || isFinal(state) || state.status === 'submitted') return [];
  return (await latestEvent(context, state, 'review-sent-back'))?.findings ?? [];
}

/** Why nobody was found to do it. */
export async function standingReasons(context: Context, state: TaskState): Promise<readonly string[]> {
  if (state.status !== 'declined') return [];
  return (await latestEvent(context, state, 'offer-declined'))?.reasons ?? [];
}
