/**
 * What was written down beside the packets. A leg that lapses leaves no packet: what it noted, decided, ruled out, was told
 * and did to the outside world is in the journal alone, and the next holder needs it first of all.
 */
import type { Address } from '../../core/task/address.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { Event, EventOf } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { lastingTypes } from '../../core/packet/learned.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';

/** Besides these, what a reader needs to know who stood where when the last packet was already old. */
const recent = [
  ...lastingTypes,
  'contract-amended',
  'leg-acknowledged',
  'leg-lapsed',
  'leg-ended',
  'offer-declined',
] as const;

export type RemarkEvent = EventOf<(typeof recent)[number]>;

export interface Remark {
  readonly seq: number;
  readonly at: number;
  readonly by: string;
  readonly event: RemarkEvent;
  /** Of an answer: what was asked. */
  readonly question?: string;
}

export interface Remarks {
  /** Since the latest packet was sealed, oldest first: none of it is in a packet. */
  readonly since: readonly Remark[];
  /** The latest before that. What the packet says of them is up to its author. */
  readonly before: readonly Remark[];
  /** Whether the journal may hold more than is listed here. */
  readonly more: boolean;
}

const pageEntries = 64;
/** Enough for a leg that wrote a note every few minutes all day, and still a page that can be read. */
const sinceMax = 200;
const beforeMax = 20;
/** A chain may have thousands of entries before the packet; a caller that wants them asks for the history. */
const beforeEntriesMax = 512;

export async function remarksOf(context: Context, state: TaskState, packet: Packet | null): Promise<Remarks> {
  const sealedAt = sealedIn(packet, state.task);
  const since: Remark[] = [];
  const before: Remark[] = [];
  let at = state.seq;
  for await (const entry of entriesBackward(context, state.task, state.seq)) {
    const after = entry.seq > sealedAt;
    const room = after
      ? since.length < sinceMax
      : before.length < beforeMax && entry.seq > sealedAt - beforeEntriesMax;
    if (!room) break;
    at = entry.seq;
    (after ? since : before).push(...remarksIn(entry, after ? recent : lastingTypes, state).toReversed());
  }
  return {
    since: await withQuestions(context, state.task, since.toReversed()),
    before: await withQuestions(context, state.task, before.toReversed()),
    more: at > 0,
  };
}

/** The entry that sealed the packet: it follows the head that the packet names. Before all, where that is not of this journal, as in a fork. */
export function sealedIn(packet: Packet | null, task: TaskId): number {
  return packet === null || packet.task !== task ? -1 : packet.head.seq + 1;
}

function remarksIn(entry: Entry, types: readonly Event['type'][], { unread }: TaskState): Remark[] {
  // What nobody has read yet is delivered as a message.
  const waits = unread.includes(entry.seq);
  return entry.events
    .filter((event): event is RemarkEvent => types.includes(event.type))
    .filter((event) => !waits || (event.type !== 'message' && event.type !== 'decision-answered'))
    .filter((event) => event.type !== 'leg-ended' || event.why !== undefined)
    .map((event) => ({ seq: entry.seq, at: entry.at, by: entry.by.name, event }));
}

async function withQuestions(context: Context, task: TaskId, remarks: readonly Remark[]): Promise<Remark[]> {
  const asked: Remark[] = [];
  for (const remark of remarks) {
    const question =
      remark.event.type === 'decision-answered'
        ? await questionOf(context, task, { decision: remark.event.decision, before: remark.seq })
        : undefined;
    asked.push(question === undefined ? remark : { ...remark, question });
  }
  return asked;
}

export interface OpenQuestion {
  readonly decision: number;
  readonly question: string;
  readonly options: readonly string[];
  readonly owner: Address | null;
}

/** The questions that wait, whole: the state keeps only the beginning of each. */
export async function openQuestions(context: Context, state: TaskState): Promise<OpenQuestion[]> {
  const questions: OpenQuestion[] = [];
  for (const { decision, question, owner, seq } of state.raised) {
    const [stored] = await context.store.journal.read(state.task, seq, 1);
    const events = stored === undefined ? [] : openEntry(stored).events;
    const whole = events
      .filter((event): event is EventOf<'decision-raised'> => event.type === 'decision-raised')
      .find((raised) => raised.decision === decision);
    questions.push({
      decision,
      question: whole?.question ?? question,
      options: whole?.options ?? [],
      owner,
    });
  }
  return questions;
}

/** What was asked under this number, searched from where it was answered. */
export async function questionOf(
  context: Context,
  task: TaskId,
  { decision, before }: { readonly decision: number; readonly before: number },
): Promise<string | undefined> {
  for await (const { events } of entriesBackward(context, task, before)) {
    for (const event of events)
      if (event.type === 'decision-raised' && event.decision === decision) return event.question;
  }
  return undefined;
}

/** From an entry back to the first. */
export async function* entriesBackward(context: Context, task: TaskId, last: number): AsyncGenerator<Entry> {
  for (let to = last; to >= 0; to -= pageEntries) {
    const from = Math.max(0, to - pageEntries + 1);
    const page = await context.store.journal.read(task, from, to - from + 1);
    for (const stored of page.toReversed()) yield openEntry(stored);
  }
}
