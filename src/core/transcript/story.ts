/**
 * The reasoning of a task as one story: the sessions of all its legs, in whatever programs they ran, in the order in which
 * packets brought them.
 *
 * Packets bring native records. They are counted over the whole chain, and a step is named after its first record: `s42` is
 * the step that begins at the forty-second record, whichever session wrote it. So a name stays true when a session grows, when a
 * reader learns to see more in the same bytes, and in every later packet; names have gaps, and where one record began several steps
 * they share its name.
 *
 * A conversation that was given as a document comes whole each time. Its records are its messages; those that it had the time before
 * keep their names, and only the others count. What was there before and is not any more keeps its name too, and is told as rewritten.
 *
 * A session that was written from the history before it is told from where it goes on. The copies that it begins with have names, since
 * they have records, and are kept apart.
 */
import { givenStep, type Given } from './given.ts';
import { toldBy } from './leg-line.ts';
import { recordCut } from './not-told.ts';
import { copiesIn } from './repeated.ts';
import type { Omission, SessionFacts, Step, Transcript, ToolCall } from './step.ts';

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
  /** The session that started it, as the packet knows it: not every program says so in the session itself. */
  readonly startedBy?: string;
  /** Where it came from, if no adapter captured it in this store: then it speaks for no user (`given.ts`). */
  readonly given?: string;
  /** Where the one record is a whole document: the records in it are what counts. */
  readonly document?: {
    readonly records: number;
    /** The session that it goes on from, and how many records of that stand at its beginning. */
    readonly goesOn?: { readonly session: string; readonly kept: number };
  };
}

/** By how much a part counts the chain on. */
export function recordsOf({ records, document }: Pick<StoryPart, 'records' | 'document'>): number {
  return document === undefined ? records.length : document.records - (document.goesOn?.kept ?? 0);
}

export interface StorySession {
  readonly facts: SessionFacts;
  /** In reading and in capturing. */
  readonly omissions: readonly Omission[];
  readonly unanswered: readonly ToolCall[];
  /** A later capture has this session from its beginning again, not only grown. */
  readonly rewritten: boolean;
  /** How many steps at its beginning only repeat the sessions before it; absent where none does. */
  readonly repeats?: number;
}

export interface StoryStep extends Step {
  /** The number of its name: 42 for s42. */
  readonly ref: number;
  /** The place of its session in `sessions`. */
  readonly session: number;
  /** It came in a transcript that nobody here vouches for. */
  readonly given?: Given;
  /** The number of the name of the step that this one is a copy of. */
  readonly copyOf?: number;
}

export interface Story {
  readonly sessions: readonly StorySession[];
  /** By their names, which is the order in which they were captured. */
  readonly steps: readonly StoryStep[];
  /** Copies of steps, which are not told again; absent where there are none. */
  readonly repeated?: readonly StoryStep[];
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
  const begun: Begun[] = [];
  for (const { runtime, session, stretch, names, goneFrom } of stretchesOf(parts)) {
    const reader = readerOf(runtime);
    if (reader === undefined) {
      unread.push({ runtime, session, why: `No reader for ${runtime} is here.` });
      continue;
    }
    const read = reader(stretch.flatMap(({ records }) => records));
    const index = sessions.length;
    const from = stretch[0]?.given;
    begun.push({ runtime, session, part: stretch[0] });
    sessions.push({
      facts: withParent(read.facts, stretch),
      omissions: totalled([...read.omissions, ...omissionsOf(stretch)]),
      unanswered: read.unanswered,
      rewritten: goneFrom !== null,
    });
    for (const step of read.steps) {
      // What is kept is told by the later part.
      if (goneFrom !== null && step.record < goneFrom) continue;
      const heard = from === undefined ? toldBy(step) : givenStep(step, from);
      const told = { ...heard, ref: nameIn(names, step.record), session: index };
      steps.push(goneFrom !== null && step.aside === undefined ? { ...told, aside: 'rewritten' } : told);
    }
  }
  // Within a record, and within a session, the reader's order holds.
  return toldOnce(
    {
      sessions,
      steps: steps.toSorted((a, b) => a.ref - b.ref || a.session - b.session || a.id - b.id),
      unread,
    },
    begun,
  );
}

/** How a session came into the story. */
interface Begun {
  readonly runtime: string;
  readonly session: string;
  readonly part: StoryPart | undefined;
}

/** With the copies apart that sessions begin with. A document says itself which of its messages were there before. */
function toldOnce(story: Story, begun: readonly Begun[]): Story {
  if (story.sessions.length < 2) return story;
  const own = story.sessions.map((_, i) =>
    story.steps.filter(({ session }) => session === i).toSorted((a, b) => a.id - b.id),
  );
  const copies = new Map<StoryStep, number>();
  for (const [i, { runtime, session, part }] of begun.entries()) {
    if (part === undefined || part.document !== undefined) continue;
    // A session that was rewritten is no copy of itself, and what its agents said is not carried over.
    const before = own
      .slice(0, i)
      .filter(
        (_, j) =>
          (begun[j]?.runtime !== runtime || begun[j]?.session !== session) &&
          story.sessions[j]?.facts.parent === null,
      )
      .flatMap((steps) => steps.filter((step) => step.ref <= part.before && !copies.has(step)));
    for (const { step, of } of copiesIn(own[i] ?? [], before)) copies.set(step, of);
  }
  if (copies.size === 0) return story;
  return {
    ...story,
    sessions: story.sessions.map((session, i) => {
      const repeats = (own[i] ?? []).filter((step) => copies.has(step)).length;
      return repeats === 0 ? session : { ...session, repeats };
    }),
    steps: story.steps.filter((step) => !copies.has(step)),
    repeated: story.steps.flatMap((step): StoryStep[] => {
      const copyOf = copies.get(step);
      return copyOf === undefined ? [] : [{ ...step, aside: 'repeated', copyOf }];
    }),
  };
}

/** A record that was cut off when a part was captured came whole with the next. */
function omissionsOf(stretch: readonly StoryPart[]): Omission[] {
  return stretch.flatMap(({ omissions }, i) =>
    i === stretch.length - 1 ? omissions : omissions.filter(({ kind }) => kind !== recordCut.kind),
  );
}

function withParent(facts: SessionFacts, [part]: readonly StoryPart[]): SessionFacts {
  return facts.parent === null && part?.startedBy !== undefined
    ? { ...facts, parent: part.startedBy }
    : facts;
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

/** The last name that the chain has: that of its last record. */
export function lastNamed(parts: readonly StoryPart[]): number {
  return parts.reduce((last, part) => Math.max(last, part.before + recordsOf(part)), 0);
}

/** The steps that a name leads to, copies too; none where the chain has no such record. Records before the first step lead to that one. */
export function stepsCalled(
  { steps, repeated = [] }: Pick<Story, 'steps' | 'repeated'>,
  ref: number,
  last: number,
): readonly StoryStep[] {
  if (ref < 1 || ref > last) return [];
  const all = repeated.length === 0 ? steps : [...steps, ...repeated].toSorted((a, b) => a.ref - b.ref);
  return stepsNamed({ steps: all }, Math.max(ref, all[0]?.ref ?? 0));
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
  readonly stretch: StoryPart[];
  readonly names: Names[];
  /** The first record that a later part does not have, or has anew; null where there is no later one. */
  goneFrom: number | null;
}

/** Records of a stretch up to `end`, and what is to be added to their places for their numbers in the chain. */
interface Names {
  readonly end: number;
  readonly shift: number;
}

/** The parts of each session together, and what was rewritten apart from what replaced it. */
function stretchesOf(parts: readonly StoryPart[]): Stretch[] {
  const latest = new Map<string, Stretch>();
  const all: Stretch[] = [];
  for (const part of parts) {
    const { runtime, session, document } = part;
    const goesOn = document?.goesOn;
    // What was captured here and what came from elsewhere are told apart, also where they are of one session.
    const isGiven = part.given !== undefined;
    const known = latest.get(JSON.stringify([runtime, goesOn?.session ?? session, isGiven]));
    if (known !== undefined && !part.fromStart && document === undefined) {
      known.stretch.push(part);
      known.names.push(ownNames(part, endOf(known)));
      continue;
    }
    const kept = known === undefined ? [] : keptNames(known.names, goesOn?.kept ?? 0);
    const names = [...kept, ownNames(part, goesOn?.kept ?? 0)];
    const begun = { runtime, session, stretch: [part], names, goneFrom: null };
    latest.set(JSON.stringify([runtime, session, isGiven]), begun);
    if (known === undefined) all.push(begun);
    else follow(all, known, begun, goesOn?.kept ?? 0);
  }
  return all;
}

/** What has nothing of its own any more is not told; the place in the story is the same. */
function follow(all: Stretch[], known: Stretch, begun: Stretch, kept: number): void {
  known.goneFrom = kept;
  const place = all.indexOf(known);
  if (kept > 0 && kept >= endOf(known)) all.splice(place, 1, begun);
  else if (kept > 0) all.splice(place + 1, 0, begun);
  else all.push(begun);
}

function endOf({ names }: Stretch): number {
  return names.at(-1)?.end ?? 0;
}

/** A document that nobody took apart is one record, however many messages are in it. */
function ownNames(part: StoryPart, from: number): Names {
  return { end: from + recordsOf(part), shift: part.before - from + 1 };
}

function keptNames(names: readonly Names[], kept: number): Names[] {
  return names.map(({ end, shift }) => ({ end: Math.min(end, kept), shift }));
}

/** From a record's place in its session to its number in the chain. */
function nameIn(names: readonly Names[], record: number): number {
  const last = names.at(-1) ?? { end: 1, shift: 1 };
  const place = Math.min(record, Math.max(0, last.end - 1));
  return Math.max(1, place + (names.find(({ end }) => place < end) ?? last).shift);
}
