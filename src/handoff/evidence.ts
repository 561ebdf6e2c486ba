/** What an evidence id stands for: an entry (j12), a run (r12), a step of the reasoning (s42), a decision (d3). */
import { StaffettaError } from '../core/error.ts';
import type { Entry } from '../core/entry.ts';
import type { EventOf } from '../core/event.ts';
import type { TaskId } from '../core/id.ts';
import { stepsNamed, type Reader, type StorySession, type StoryStep } from '../core/transcript/story.ts';
import type { Context } from './context.ts';
import { readBlob } from './history.ts';
import { lineage } from './lineage.ts';
import { load, soundEntries } from './load.ts';
import { readStory } from './story.ts';

export type Evidence =
  | { readonly kind: 'entry' | 'decision'; readonly entry: Entry }
  | {
      readonly kind: 'run';
      readonly entry: Entry;
      readonly run: EventOf<'validation-run'>;
      readonly output: Uint8Array | null;
    }
  | { readonly kind: 'steps'; readonly steps: readonly StoryStep[]; readonly session: StorySession | null };

export function isEvidenceId(given: string): boolean {
  return /^[jrsd]\d{1,9}$/.test(given);
}

export async function expandEvidence(
  context: Context,
  task: TaskId,
  id: string,
  readerOf: (runtime: string) => Reader | undefined,
): Promise<Evidence> {
  const number = Number(id.slice(1));
  switch (id[0]) {
    case 's':
      return await stepsOf(context, task, number, readerOf);
    case 'd':
      return { kind: 'decision', entry: await decisionEntry(context, task, number) };
    case 'r':
      return await runIn(context, await entryAt(context, task, number), id);
    default:
      return { kind: 'entry', entry: await entryAt(context, task, number) };
  }
}

async function stepsOf(
  context: Context,
  task: TaskId,
  number: number,
  readerOf: (runtime: string) => Reader | undefined,
): Promise<Evidence> {
  const story = await readStory(context, task, readerOf);
  // Records before the first step belong to none: the nearest is the first.
  const nearest = number > 0 ? Math.max(number, story.steps[0]?.ref ?? 0) : number;
  const steps = stepsNamed(story, nearest);
  const [first] = steps;
  if (first === undefined || number > lastRecord(story.steps, number))
    throw unknown(`s${number}`, 'List the steps with: staffetta history TASK');
  return { kind: 'steps', steps, session: story.sessions[first.session] ?? null };
}

/** A name between two steps means the one before; behind the last one it means nothing unless that step goes on. */
function lastRecord(steps: readonly StoryStep[], asked: number): number {
  const last = steps.at(-1)?.ref ?? 0;
  return asked > last ? last + trailingMax : last;
}

/** Results of calls come in records after the step that made them. */
const trailingMax = 1000;

async function entryAt(context: Context, task: TaskId, seq: number): Promise<Entry> {
  const { state } = await load(context, task);
  for await (const entry of soundEntries(context, state, seq)) if (entry.seq === seq) return entry;
  throw unknown(`j${seq}`, 'List the entries with: staffetta log TASK');
}

async function runIn(context: Context, entry: Entry, id: string): Promise<Evidence> {
  const run = entry.events.find((event) => event.type === 'validation-run');
  if (run === undefined) throw unknown(id, 'Runs have the number of their entry: staffetta log TASK');
  return {
    kind: 'run',
    entry,
    run,
    output: run.output === undefined ? null : await readBlob(context, run.output),
  };
}

async function decisionEntry(context: Context, task: TaskId, number: number): Promise<Entry> {
  let found: Entry | undefined;
  for (const stretch of await lineage(context, task)) {
    for await (const entry of soundEntries(context, stretch, stretch.seq)) {
      const holds = entry.events.some(
        (event) =>
          (event.type === 'decision-made' || event.type === 'decision-raised') && event.decision === number,
      );
      if (holds) found = entry;
    }
  }
  if (found !== undefined) return found;
  throw unknown(`d${number}`, 'Decisions are listed by: staffetta show TASK');
}

function unknown(id: string, hint: string): StaffettaError {
  return new StaffettaError('unknown-evidence', `Nothing is called ${id} here.`, { details: { id }, hint });
}
