/** What an evidence id stands for: an entry (j12), a run (r12), a step of the reasoning (s42), a decision (d3). */
import { StaffettaError } from '../../core/base/error.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { EventOf } from '../../core/journal/event.ts';
import type { TaskId } from '../../core/journal/id.ts';
import {
  lastNamed,
  stepsCalled,
  storyOf,
  type Reader,
  type StorySession,
  type StoryStep,
} from '../../core/transcript/story.ts';
import type { Context } from '../record/context.ts';
import { readBlob } from './history.ts';
import { lineage } from './lineage.ts';
import { load, soundEntries } from '../record/load.ts';
import { storyParts } from './story.ts';

export type EvidenceFound =
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
): Promise<EvidenceFound> {
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
): Promise<EvidenceFound> {
  const parts = await storyParts(context, task);
  const story = storyOf(parts, readerOf);
  const last = lastNamed(parts);
  const steps = stepsCalled(story, number, last);
  const [first] = steps;
  if (first === undefined)
    throw unknown(
      `s${number}`,
      `${rangeOf(story.steps, last)} List the steps with: staffetta history ${task}`,
    );
  return { kind: 'steps', steps, session: story.sessions[first.session] ?? null };
}

/** Results of calls come in records after the step that made them: the last name may lie behind the last step. */
function rangeOf(steps: readonly StoryStep[], last: number): string {
  const first = steps[0]?.ref;
  return first === undefined ? 'No step of a session is on record.' : `There are s${first} to s${last}.`;
}

async function entryAt(context: Context, task: TaskId, seq: number): Promise<Entry> {
  const { state } = await load(context, task);
  for await (const entry of soundEntries(context, state, seq)) if (entry.seq === seq) return entry;
  throw unknown(`j${seq}`, `List the entries with: staffetta log ${task}`);
}

async function runIn(context: Context, entry: Entry, id: string): Promise<EvidenceFound> {
  const run = entry.events.find((event) => event.type === 'validation-run');
  if (run === undefined)
    throw unknown(id, `Runs have the number of their entry: staffetta log ${entry.task}`);
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
  throw unknown(`d${number}`, `Decisions are listed by: staffetta show ${task}`);
}

function unknown(id: string, hint: string): StaffettaError {
  return new StaffettaError('unknown-evidence', `Nothing is called ${id} here.`, { details: { id }, hint });
}
