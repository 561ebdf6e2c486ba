/**
 * Transcript → the file that `opencode import` takes: `{ info, messages: [{ info, parts }] }`, what `opencode export` gives. Pure.
 *
 * Fields were found one by one with the program, 1.18.33: what is written here is what it asks for. It binds the session to the project
 * and folder in which it is imported, whatever the file says. A session goes on with the model of its last prompt, so the
 * model must be one that is set up where it is imported.
 */
import { titleFrom } from '../../core/base/text.ts';
import type { ToolCall, JsonObject, Omission, Result, Step, Transcript } from '../../core/transcript/step.ts';
import { unansweredCall } from '../../core/transcript/unanswered.ts';
import { idSource, type IdSource } from './ids.ts';
import { ownCall } from './tools.ts';

const formatVersion = '1.18.33';

export interface Target {
  readonly folder: string;
  /** `provider/model`, as the program names it. */
  readonly model: string;
  readonly now: number;
  readonly random: (bytes: number) => Uint8Array;
}

/** What the new session must say when it is read. */
export interface Carried {
  readonly source: Step['source'];
  readonly text: string;
  readonly calls: readonly CarriedCall[];
}
export interface CarriedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: string;
  readonly failed: boolean;
  readonly exit: number | null;
}

export interface Composed {
  readonly session: string;
  /** The file, as JSON. */
  readonly text: string;
  readonly carried: readonly Carried[];
  readonly omissions: readonly Omission[];
}

/** New ids lie this far back, so that the next prompt, whose id has the time at which it is made, comes after all of them. */
const idsBackMs = 60_000;
const opening = 'The conversation that follows was begun elsewhere.';
const interrupted = 'The call was interrupted: the session ended before it had a result.';

export function compose(transcript: Transcript, target: Target): Composed {
  const losses = new Losses();
  const carried = carry(transcript.steps, losses);
  const ids = idSource(target.now - idsBackMs, target.random);
  const session = ids.session();
  const times = timesOf(carried, target.now);
  const info = {
    id: session,
    slug: `staffetta-${session.slice(-8).toLowerCase()}`,
    projectID: 'global',
    directory: target.folder,
    path: '',
    title: titleOf(transcript),
    version: formatVersion,
    time: { created: times[0] ?? target.now, updated: target.now },
  };
  const messages = messagesOf(carried, { ids, session, target, times });
  return {
    session,
    text: JSON.stringify({ info, messages }),
    carried: carried.map(({ step }) => step),
    omissions: losses.list(),
  };
}

function titleOf({ facts }: Transcript): string {
  const title = titleFrom(facts.title ?? '');
  return title === '' ? `Continued from ${facts.runtime}` : title;
}

interface Timed {
  readonly step: Carried;
  readonly at: number | null;
}

function carry(steps: readonly Step[], losses: Losses): readonly Timed[] {
  const kept = steps.flatMap((step): Timed[] => {
    const carried = carriedOf(step, losses);
    return carried === null ? [] : [{ step: carried, at: step.at }];
  });
  // An answer must name the prompt that it answers.
  const first: Timed = { step: { source: 'system', text: opening, calls: [] }, at: kept[0]?.at ?? null };
  return kept[0]?.step.source === 'agent' ? [first, ...kept] : kept;
}

function carriedOf(step: Step, losses: Losses): Carried | null {
  if (step.aside !== undefined) return losses.drop(step.aside);
  if (step.reasoning !== undefined) losses.count('reasoning');
  if (step.source !== 'agent' && !isKeptMark(step)) return losses.drop(step.mark ?? 'empty');
  const results = new Map((step.results ?? []).map((result) => [result.call, result]));
  const calls = (step.calls ?? []).map((call) => carriedCall(call, results.get(call.id), losses));
  if (step.text === '' && calls.length === 0) return losses.drop('empty');
  return { source: step.source, text: step.text, calls };
}

/** A summary is all that the model knows of what was before it; the rest of what a program adds, this one adds itself. */
function isKeptMark({ mark, source }: Step): boolean {
  return source === 'user' || mark === undefined || mark === 'compaction';
}

function carriedCall(call: ToolCall, result: Result | undefined, losses: Losses): CarriedCall {
  const own = ownCall(call);
  if (call.raw !== undefined) losses.count('raw-arguments');
  for (const _ of result?.other ?? []) losses.count('attachment');
  if (result === undefined) losses.count(unansweredCall.kind);
  return {
    id: call.id,
    tool: own.tool.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unknown',
    input: call.raw === undefined ? own.input : { raw: call.raw },
    output: result?.text ?? interrupted,
    failed: result?.failed ?? true,
    exit: result?.exit ?? null,
  };
}

/** Rising, and not after now: the program sorts messages by time. */
function timesOf(steps: readonly Timed[], now: number): number[] {
  const first = steps.find(({ at }) => at !== null)?.at ?? now;
  let last = Math.min(first, now - steps.length) - 1;
  return steps.map(({ at }, i) => {
    last = Math.max(last + 1, Math.min(at ?? 0, now - (steps.length - i)));
    return last;
  });
}

interface Making {
  readonly ids: IdSource;
  readonly session: string;
  readonly target: Target;
  readonly times: readonly number[];
}

function messagesOf(steps: readonly Timed[], making: Making): JsonObject[] {
  let prompt = '';
  return steps.map(({ step }, i) => {
    const id = making.ids.message();
    const at = making.times[i] ?? making.target.now;
    if (step.source !== 'agent') prompt = id;
    const info =
      step.source === 'agent' ? answerInfo(step, { id, prompt, at, making }) : promptInfo(id, at, making);
    return { info, parts: partsOf(step, { id, at, making }) };
  });
}

function promptInfo(id: string, at: number, { session, target }: Making): JsonObject {
  const { providerID, modelID } = modelOf(target.model);
  const model = { providerID, modelID };
  return { id, sessionID: session, role: 'user', time: { created: at }, agent: 'build', model };
}

function answerInfo(
  step: Carried,
  { id, prompt, at, making }: { id: string; prompt: string; at: number; making: Making },
): JsonObject {
  const { session, target } = making;
  return {
    id,
    sessionID: session,
    role: 'assistant',
    parentID: prompt,
    mode: 'build',
    agent: 'build',
    path: { cwd: target.folder, root: target.folder },
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    ...modelOf(target.model),
    time: { created: at, completed: at },
    finish: step.calls.length === 0 ? 'stop' : 'tool-calls',
  };
}

function modelOf(model: string): { readonly providerID: string; readonly modelID: string } {
  const slash = model.indexOf('/');
  return { providerID: model.slice(0, Math.max(slash, 0)), modelID: model.slice(slash + 1) };
}

function partsOf(
  step: Carried,
  { id, at, making }: { id: string; at: number; making: Making },
): JsonObject[] {
  const base = (): JsonObject => ({ id: making.ids.part(), sessionID: making.session, messageID: id });
  const text = { type: 'text', text: step.text, ...(step.source === 'system' ? { synthetic: true } : {}) };
  const said = step.text === '' ? [] : [{ ...base(), ...text }];
  const calls = step.calls.map((call) => ({
    ...base(),
    type: 'tool',
    callID: call.id,
    tool: call.tool,
    state: stateOf(call, at),
  }));
  return [...said, ...calls];
}

/** A command that ended with a code other than 0 is completed; a tool that could not do its work has an error. */
function stateOf({ input, output, failed, exit, tool }: CarriedCall, at: number): JsonObject {
  const time = { start: at, end: at };
  if (failed && exit === null) return { status: 'error', input, error: output, time };
  const metadata = exit === null ? {} : { exit };
  return { status: 'completed', input, output, title: tool, metadata, time };
}

const reasons: Readonly<Record<string, string>> = {
  reasoning: 'Reasoning is bound to the model that made it, and is not written.',
  'raw-arguments': 'Arguments that are no JSON object are written as one text.',
  attachment: 'Pictures and files in results are not written.',
  [unansweredCall.kind]: unansweredCall.why,
  compacted: 'A summary took the place of these steps.',
  'branch-left': 'These steps were taken back.',
  rewritten: 'These steps were written anew.',
  empty: 'Nothing in these steps can be written.',
};

class Losses {
  readonly #counts = new Map<string, number>();

  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  drop(kind: string): null {
    this.count(kind);
    return null;
  }

  list(): Omission[] {
    return [...this.#counts].map(([kind, count]) => ({
      kind,
      count,
      why: reasons[kind] ?? 'What another program noted on the conversation is not written.',
    }));
  }
}
