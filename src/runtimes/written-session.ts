/**
 * A transcript on its way into a program that keeps a session as a file of lines: what goes along, in which order, and the file itself,
 * which is read back and taken away again where it says something else (RT9, RT10).
 *
 * Left out, and counted: steps that are aside, what programs added, reasoning (nothing would sign for it), and content that is no text. The
 * summary of a compaction goes first.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import type { JsonObject, Omission, Result, Step, ToolCall, Transcript } from '../core/transcript/step.ts';
import { Tally } from '../core/transcript/tally.ts';
import { unansweredCall } from '../core/transcript/unanswered.ts';
import type { Runtime, SessionPlace, WriteOptions } from '../ports/runtime.ts';
import { newId } from './new-id.ts';
import type { NativeCall } from './native-call.ts';
import { folderNames } from './of-folder.ts';
import { refusal } from './spoken.ts';

export interface SessionToWrite {
  readonly session: string;
  readonly folder: string;
  readonly now: number;
  readonly random: (count: number) => Uint8Array;
}

/** What must be found when the session is read back. */
interface WrittenTurn {
  readonly source: 'user' | 'agent' | 'system';
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
  readonly results: readonly { readonly text: string; readonly failed: boolean }[];
}

export interface ComposedLines {
  readonly lines: readonly string[];
  readonly turns: readonly WrittenTurn[];
  readonly omissions: readonly Omission[];
}

export const interruptedText = 'The call was interrupted: the session ended before a result was recorded.';

export interface WrittenCall {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly text: string;
  readonly failed: boolean;
}

/** What a program makes of it: a line, or several. */
export interface LinesOf {
  readonly user: (step: Step) => void;
  readonly summary: (step: Step) => void;
  readonly agent: (step: Step, calls: readonly WrittenCall[]) => void;
  readonly nativeCall: (runtime: string, call: ToolCall) => NativeCall;
}

/** All that is written, step by step, and what must come of it. */
export function composeLines({ steps, facts }: Transcript, program: LinesOf): Omit<ComposedLines, 'lines'> {
  const tally = new Tally();
  const turns: WrittenTurn[] = [];
  const ids = new Set<string>();
  for (const step of goingAlong(steps, tally)) {
    const { source, text } = step;
    if (source === 'agent' && step.reasoning !== undefined)
      tally.add('reasoning', 'reasoning that nothing signs for');
    if (text === '' && (source !== 'agent' || (step.calls ?? []).length === 0)) continue;
    const calls = source === 'agent' ? callsOf(step, { tally, ids, runtime: facts.runtime, program }) : [];
    if (source === 'agent') program.agent(step, calls);
    else if (source === 'user') program.user(step);
    else program.summary(step);
    turns.push({
      source,
      text,
      calls: calls.map(({ tool, args }) => ({ tool, args })),
      results: calls.map(({ text: said, failed }) => ({ text: said, failed })),
    });
  }
  return { turns, omissions: tally.omissions() };
}

function goingAlong(steps: readonly Step[], tally: Tally): Step[] {
  const summaries: Step[] = [];
  const others: Step[] = [];
  for (const step of steps) {
    if (step.aside !== undefined) tally.add('aside', 'a step that the model did not see any more');
    else if (step.mark === 'compaction' && step.text !== '') summaries.push(step);
    else if (step.source === 'system') tally.add('system', 'what a program added to the conversation');
    else others.push(step);
  }
  // A later summary has taken in what an earlier one said.
  for (const _ of summaries.slice(0, -1)) tally.add('aside', 'a step that the model did not see any more');
  return [...summaries.slice(-1), ...others];
}

interface Going {
  readonly tally: Tally;
  readonly ids: Set<string>;
  readonly runtime: string;
  readonly program: LinesOf;
}

function callsOf(step: Step, { tally, ids, runtime, program }: Going): WrittenCall[] {
  const results = new Map<string, Result>(step.results?.map((result) => [result.call, result]));
  return (step.calls ?? []).map((given) => {
    const { tool, args, dropped } = program.nativeCall(runtime, given);
    const result = results.get(given.id);
    if (dropped > 0) tally.add('arguments', 'arguments that the same tool does not have here', dropped);
    if (given.subagent !== undefined)
      tally.add('subagent', 'the session of an agent that was started by a call');
    if (result === undefined) tally.add(unansweredCall.kind, unansweredCall.why);
    for (const _ of result?.other ?? []) tally.add('media', 'content of a result that is no text');
    const id = freeId(given.id, ids);
    return { id, tool, args, text: result?.text ?? interruptedText, failed: result?.failed ?? true };
  });
}

function freeId(id: string, taken: Set<string>): string {
  const base = id === '' ? 'call' : id;
  let candidate = base;
  for (let n = 2; taken.has(candidate); n += 1) candidate = `${base}_${n}`;
  taken.add(candidate);
  return candidate;
}

/** When a step was, where that is a time at all. */
export function stepStamp({ at }: Step, now: number): string {
  return new Date(at !== null && Math.abs(at) <= 8.64e15 ? at : now).toISOString();
}

export function sessionToWrite({ folder, now, random }: WriteOptions): SessionToWrite {
  if (!isAbsolute(folder))
    throw refusal(`The folder ${folder} is no absolute path.`, 'Give the whole path of the folder.');
  return { session: newId(random(16)), folder: folderNames(folder).at(-1) ?? folder, now, random };
}

export function refuseNothing({ turns }: ComposedLines): void {
  if (turns.length > 0) return;
  throw refusal(
    'The transcript holds nothing that could be written.',
    'Start a new session with a briefing.',
  );
}

export async function writeLines(
  place: SessionPlace,
  { lines, turns }: ComposedLines,
  program: Pick<Runtime, 'capture' | 'read'> & { readonly title: string },
): Promise<void> {
  const fd = createFile(place.path);
  try {
    try {
      writeFileSync(fd, `${lines.join('\n')}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const records: Uint8Array[] = [];
    for await (const record of (await program.capture(place)).records) records.push(record);
    const difference = differenceOf(turns, program.read(records));
    if (difference !== null)
      throw new StaffettaError(
        'unavailable',
        `The session for ${program.title} reads back differently: ${difference}`,
        { hint: 'Start a new session with a briefing instead.' },
      );
  } catch (error) {
    rmSync(place.path, { force: true });
    throw error;
  }
}

function createFile(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    throw new StaffettaError('unavailable', `The session ${path} cannot be written.`, {
      hint: 'See that the folder can be written to and has room, then try again.',
      details: { path },
      cause,
    });
  }
}

/** Null where it is the same, step by step and call by call. */
function differenceOf(turns: readonly WrittenTurn[], { steps }: Transcript): string | null {
  if (steps.length !== turns.length) return `${turns.length} steps were written and ${steps.length} found`;
  const at = turns.findIndex((turn, place) => {
    const step = steps[place];
    return step === undefined || JSON.stringify(turnOf(step)) !== JSON.stringify(turn);
  });
  return at === -1 ? null : `step ${at + 1} is not the one that was written`;
}

function turnOf({ source, text, calls = [], results = [] }: Step): WrittenTurn {
  return {
    source,
    text,
    calls: calls.map(({ tool, args }) => ({ tool, args })),
    results: results.map(({ text: said, failed }) => ({ text: said, failed })),
  };
}
