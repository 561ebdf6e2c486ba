import type { BriefSentBack } from '../../core/briefing/from-remarks.ts';
import { parseEntry } from '../../core/journal/entry.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { EventOf, EventType } from '../../core/journal/event.ts';
import type { ReviewFinding } from '../../core/task/review-finding.ts';
import type { TaskState } from '../../core/task/state.ts';
import { isFinal } from '../../core/task/state.ts';
import type { Context } from './context.ts';
import { readCheckedPacket } from '../history/history.ts';
import { eventIn } from './record.ts';

const pageEntries = 64;

/** The latest event of a type up to this state, searched from the end. */
async function latestEvent<T extends EventType>(
  context: Context,
  state: TaskState,
  type: T,
): Promise<EventOf<T> | undefined> {
  return (await latestEntryWith(context, state, type))?.event;
}

async function latestEntryWith<T extends EventType>(
  context: Context,
  { task, seq }: TaskState,
  type: T,
): Promise<{ readonly event: EventOf<T>; readonly seq: number; readonly by: string } | undefined> {
  for (let to = seq; to >= 0; to -= pageEntries) {
    const from = Math.max(0, to - pageEntries + 1);
    const page = await context.store.journal.read(task, from, to - from + 1);
    for (const stored of page.toReversed()) {
      const entry = parseEntry(stored.body);
      const event = eventIn(entry, type);
      if (event !== undefined) return { event, seq: entry.seq, by: entry.by.name };
    }
  }
  return undefined;
}

/** What must change, in work that was sent back. */
export async function standingFindings(
  context: Context,
  state: TaskState,
): Promise<readonly ReviewFinding[]> {
  return (await standingVerdict(context, state))?.findings ?? [];
}

/** The same with who sent it back, and where that stands in the journal. */
export async function standingVerdict(context: Context, state: TaskState): Promise<BriefSentBack | null> {
  const isJudged = state.status === 'submitted' || state.status === 'approved';
  if (state.rework === 0 || isFinal(state) || isJudged) return null;
  const last = await latestEntryWith(context, state, 'review-sent-back');
  return last === undefined ? null : { seq: last.seq, by: last.by, findings: last.event.findings };
}

/** What work that waits for a verdict was sent back for before, and whether anything was done about it. */
export interface SentBack {
  readonly findings: readonly ReviewFinding[];
  /** Null where there is no workspace to compare. */
  readonly unchanged: boolean | null;
}

export async function sentBackBefore(context: Context, state: TaskState): Promise<SentBack | null> {
  const submitted = state.submission?.packet ?? null;
  if (state.rework === 0 || state.status !== 'submitted') return null;
  const last = await latestEvent(context, state, 'review-sent-back');
  if (last === undefined) return null;
  const [before, now] = await Promise.all(
    [last.packet, submitted].map(async (digest) => await treeOf(context, digest)),
  );
  return { findings: last.findings, unchanged: before && now ? before === now : null };
}

async function treeOf(context: Context, packet: Digest | null): Promise<Digest | null> {
  if (packet === null) return null;
  return (await readCheckedPacket(context, packet)).facts?.workspace?.digest ?? null;
}

/** Why nobody was found to do it. */
export async function standingReasons(context: Context, state: TaskState): Promise<readonly string[]> {
  if (state.status !== 'declined') return [];
  return (await latestEvent(context, state, 'offer-declined'))?.reasons ?? [];
}
