/**
 * A transcript as a session of Gemini CLI. It is a file for `gemini --session-file`, which makes a new session of its own from
 * it: the program's data is not touched, no name of a project must be known, and the file stays as it is, so the same
 * history can be continued again. One message a step, in the form that the program itself appends, without the second copy of
 * each result (it would be sent twice).
 *
 * Left out, and counted: steps that are aside, what programs added, reasoning (nothing would sign for it), and content that is no
 * text. The summary of a compaction goes first, as the model has it, though its step comes after what was kept.
 */
import { StaffettaError } from '../../core/base/error.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import type {
  ToolCall,
  Json,
  JsonObject,
  Omission,
  Result,
  Step,
  Transcript,
} from '../../core/transcript/step.ts';
import { Tally } from '../../core/transcript/tally.ts';
import { unansweredCall } from '../../core/transcript/unanswered.ts';
import { interruptedText } from '../written-session.ts';
import { nativeCall } from './tools.ts';
import { guard, needsGuard, thanks } from './read/user-text.ts';

export interface ComposeOptions {
  /** An id of its own; the program gives the session that it makes of it another one. */
  readonly session: string;
  readonly folder: string;
}

/** What must be found when the session is read back. */
export interface WrittenTurn {
  readonly source: 'user' | 'agent' | 'summary' | 'thanks';
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
  readonly results: readonly { readonly text: string; readonly failed: boolean }[];
}

export interface NativeSession {
  readonly name: string;
  /** With their line ends. */
  readonly lines: readonly string[];
  readonly turns: readonly WrittenTurn[];
  readonly omissions: readonly Omission[];
}

export function nativeSession(transcript: Transcript, options: ComposeOptions): NativeSession {
  if (!/^[A-Za-z0-9-]{1,100}$/.test(options.session))
    throw new StaffettaError('invalid-input', `"${options.session}" cannot be the id of a session`, {
      hint: 'Give letters, digits and hyphens: a UUID is best.',
    });
  const tally = new Tally();
  const writing = new Writing(transcript.facts.runtime, options.session, tally);
  const turns: WrittenTurn[] = [];
  const lines = [lineOf(headerOf(transcript, options))];
  for (const step of inOrder(transcript.steps, tally)) {
    for (const { turn, message } of writing.step(step)) {
      turns.push(turn);
      lines.push(lineOf(message));
    }
  }
  return { name: `session-${options.session}.jsonl`, lines, turns, omissions: tally.omissions() };
}

function headerOf({ facts }: Transcript, { session, folder }: ComposeOptions): JsonObject {
  return {
    sessionId: session,
    projectHash: sha256Hex(folder),
    ...timed('startTime', facts.startedAt),
    ...timed('lastUpdated', facts.startedAt),
    kind: 'main',
  };
}

function inOrder(steps: readonly Step[], tally: Tally): Step[] {
  const lost = conversationWasLost(steps);
  const summaries: Step[] = [];
  const others: Step[] = [];
  for (const step of steps) {
    if (step.aside !== undefined && !(lost && step.aside === 'rewritten'))
      tally.add('aside', 'a step that the model did not see any more');
    else if (step.mark === 'compaction' && step.text !== '') summaries.push(step);
    else if (step.source === 'system') tally.add('system', 'what a program added to the conversation');
    else others.push(step);
  }
  return [...summaries, ...others];
}

/**
 * Gemini CLI 0.61.0 sets the list of messages to nothing when a session is loaded over ACP in the minute of its creation. Nobody
 * left that conversation: where nothing else is there, what was taken away is what is handed over.
 */
function conversationWasLost(steps: readonly Step[]): boolean {
  const spoken = steps.filter(({ source }) => source !== 'system');
  return spoken.length > 0 && spoken.every(({ aside }) => aside !== undefined) && spoken.some(isRewritten);
}

function isRewritten({ aside }: Step): boolean {
  return aside === 'rewritten';
}

interface Written {
  readonly message: JsonObject;
  readonly turn: WrittenTurn;
}

class Writing {
  readonly #runtime: string;
  readonly #session: string;
  readonly #tally: Tally;
  readonly #ids = new Set<string>();
  #messages = 0;

  constructor(runtime: string, session: string, tally: Tally) {
    this.#runtime = runtime;
    this.#session = session;
    this.#tally = tally;
  }

  step(step: Step): Written[] {
    if (step.source === 'agent') return this.#agent(step);
    return step.source === 'user' ? this.#user(step) : this.#summary(step);
  }

  #user({ text, at }: Step): Written[] {
    if (text === '') return [];
    return [this.#spoken('user', text, at)];
  }

  /** As the program itself does it: what the summary says is not taken for the words of the user, here or there. */
  #summary({ text, at }: Step): Written[] {
    const message = { ...this.#start(at), type: 'gemini', content: [{ text: thanks }] };
    return [
      this.#spoken('summary', text, at),
      { message, turn: { source: 'thanks', text: thanks, calls: [], results: [] } },
    ];
  }

  #spoken(source: 'user' | 'summary', text: string, at: number | null): Written {
    const content = needsGuard(text) ? [{ text: guard }, { text }] : [{ text }];
    return {
      message: { ...this.#start(at), type: 'user', content },
      turn: { source, text, calls: [], results: [] },
    };
  }

  #agent(step: Step): Written[] {
    if (step.reasoning !== undefined) this.#tally.add('reasoning', 'reasoning that nothing signs for');
    const calls = step.calls ?? [];
    if (step.text === '' && calls.length === 0) return [];
    const results = new Map(step.results?.map((result) => [result.call, result]));
    const native = calls.map((call) => this.#call(call, results.get(call.id), step.at));
    const message = {
      ...this.#start(step.at),
      type: 'gemini',
      content: step.text,
      model: step.model ?? 'unknown',
      ...(native.length === 0 ? {} : { toolCalls: native.map(({ record }) => record) }),
    };
    const turn: WrittenTurn = {
      source: 'agent',
      text: step.text,
      calls: native.map(({ call }) => call),
      results: native.map(({ result }) => result),
    };
    return [{ message, turn }];
  }

  #start(at: number | null): JsonObject {
    this.#messages += 1;
    return { id: `${this.#session}-${this.#messages}`, ...timed('timestamp', at) };
  }

  #call(given: ToolCall, result: Result | undefined, at: number | null): NativeCallRecord {
    const { tool, args, dropped } = nativeCall(this.#runtime, given);
    if (dropped > 0) this.#tally.add('arguments', 'arguments that the same tool does not have here', dropped);
    if (given.subagent !== undefined)
      this.#tally.add('subagent', 'the session of an agent that was started by a call');
    if (result === undefined) this.#tally.add(unansweredCall.kind, unansweredCall.why);
    for (const _ of result?.other ?? []) this.#tally.add('media', 'content of a result that is no text');
    const id = this.#free(given.id);
    const text = result?.text ?? interruptedText;
    const failed = result?.failed ?? true;
    const response: JsonObject = failed ? { error: text } : { output: text };
    return {
      record: {
        id,
        name: tool,
        args,
        result: [{ functionResponse: { id, name: tool, response } }],
        status: result === undefined ? 'cancelled' : failed ? 'error' : 'success',
        ...timed('timestamp', at),
      },
      call: { tool, args },
      result: { text, failed },
    };
  }

  #free(id: string): string {
    let candidate = id === '' ? 'call' : id;
    for (let n = 2; this.#ids.has(candidate); n += 1) candidate = `${id}_${n}`;
    this.#ids.add(candidate);
    return candidate;
  }
}

interface NativeCallRecord {
  readonly record: JsonObject;
  readonly call: WrittenTurn['calls'][number];
  readonly result: WrittenTurn['results'][number];
}

function timed(name: string, at: number | null): JsonObject {
  const valid = at !== null && Math.abs(at) <= 8.64e15;
  return valid ? { [name]: new Date(at).toISOString() } : {};
}

function lineOf(record: Json): string {
  return `${JSON.stringify(record)}\n`;
}
