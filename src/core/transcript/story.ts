/**
 * The reasoning of a task as one story: the sessions of all its legs, in whatever programs they ran, in the order in which
 * packets brought them.
 *
 * Packets bring native records. They are counted over the whole chain, and a step is named after its first record: `s42` is
 * the step that begins at the forty-second record, whichever session wrote it. So a name stays true when a session grows, when a
 * reader learns to see more in the same bytes, and in every later packet; names have gaps, and where one record began several steps
 * they share its name.
 */
import { toldBy } from './leg-line.ts';
import type { Omission, SessionFacts, Step, Transcript, Call } from './step.ts';

/** What one packet brought of one session. */
export interface StoryPart {
  readonly runtime: string;
  readonly session: string;
  /** Records that the chain had before this part. */
  readonly before: number;
  /** All that the session has: whatever earlier parts brought of it was rewritten. */
  readonly fromStart: boolean;
  readonly records: readonly Uint8Array[];
  /** What the capture left out by rule. */
  readonly omissions: readonly Omission[];
}

export interface StorySession {
  readonly facts: SessionFacts;
  /** In reading and in capturing. */
  readonly omissions: readonly Omission[];
  readonly unanswered: readonly Call[];
  /** A later capture has this session from its beginning again, not only grown. */
  readonly rewritten: boolean;
}

export interface StoryStep extends Step {
  /** The number of its name: 42 for s42. */
  readonly ref: number;
  /** The place of its session in `sessions`. */
  readonly session: number;
}

export interface Story {
  readonly sessions: readonly StorySession[];
  /** By their names, which is the order in which they were captured. */
  readonly steps: readonly StoryStep[];
  /** Parts that no reader here understands: kept, but without steps. */
  readonly unread: readonly { readonly runtime: string; readonly session: string; readonly why: string }[];
}

export type Reader = (records: Iterable<Uint8Array>) => Transcript;

export function storyOf(
  parts: readonly StoryPart[],
  readerOf: (runtime: string) => Reader | undefined,
): Story {
  const sessions: StorySession[] = [];
  const steps: StoryStep[] = [];
  const unread: Story['unread'][number][] = [];
  for (const { runtime, session, stretch, rewritten } of stretchesOf(parts)) {
    const reader = readerOf(runtime);
    if (reader === undefined) {
      unread.push({ runtime, session, why: `No reader for ${runtime} is here.` });
      continue;
    }
    const read = reader(stretch.flatMap(({ records }) => records));
    const index = sessions.length;
    sessions.push({
      facts: read.facts,
      omissions: totalled([...read.omissions, ...stretch.flatMap(({ omissions }) => omissions)]),
      unanswered: read.unanswered,
      rewritten,
    });
    const refOf = numbering(stretch);
    for (const step of read.steps) {
      const told = { ...toldBy(step), ref: refOf(step.record), session: index };
      steps.push(rewritten && step.aside === undefined ? { ...told, aside: 'rewritten' } : told);
    }
  }
  // Within a record, and within a session, the reader's order holds.
  return {
    sessions,
    steps: steps.toSorted((a, b) => a.ref - b.ref || a.session - b.session || a.id - b.id),
    unread,
  };
}

/** What was left out for the same reason, counted together. */
export function totalled(omissions: readonly Omission[]): Omission[] {
  const byReason = new Map<string, Omission>();
  for (const { kind, count, why } of omissions) {
    const key = JSON.stringify([kind, why]);
    byReason.set(key, { kind, count: count + (byReason.get(key)?.count ?? 0), why });
  }
  return [...byReason.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
}

/** The step of that name: the one that begins there, or the one that goes on there. */
export function stepsNamed({ steps }: Pick<Story, 'steps'>, ref: number): readonly StoryStep[] {
  const exact = steps.filter((step) => step.ref === ref);
  if (exact.length > 0) return exact;
  const before = steps.findLast((step) => step.ref < ref);
  return before === undefined ? [] : steps.filter((step) => step.ref === before.ref);
}

interface Stretch {
  readonly runtime: string;
  readonly session: string;
  stretch: StoryPart[];
  rewritten: boolean;
}

/** The parts of each session together, and what was rewritten apart from what replaced it. */
function stretchesOf(parts: readonly StoryPart[]): Stretch[] {
  const latest = new Map<string, Stretch>();
  const all: Stretch[] = [];
  for (const part of parts) {
    const key = JSON.stringify([part.runtime, part.session]);
    const known = latest.get(key);
    if (known !== undefined && !part.fromStart) {
      known.stretch.push(part);
      continue;
    }
    if (known !== undefined) known.rewritten = true;
    const begun = { runtime: part.runtime, session: part.session, stretch: [part], rewritten: false };
    latest.set(key, begun);
    all.push(begun);
  }
  return all;
}

/** From a record's place in its session to its number in the chain. */
function numbering(stretch: readonly StoryPart[]): (record: number) => number {
  const ends: { readonly end: number; readonly shift: number }[] = [];
  let local = 0;
  for (const { before, records } of stretch) {
    const shift = before - local + 1;
    local += records.length;
    ends.push({ end: local, shift });
  }
  return (record) => record + (ends.find(({ end }) => record < end) ?? ends.at(-1) ?? { shift: 1 }).shift;
}
