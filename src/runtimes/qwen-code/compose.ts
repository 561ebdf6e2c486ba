/**
 * A transcript as a session of Qwen Code: a record for each step, each naming the one before it, and one for the results of a step's calls.
 *
 * Left out, and counted: steps that are aside, what programs added, reasoning (nothing would sign for it), and content that is no text. The
 * summary of a compaction is a record of a compaction, as the program has it, and goes first.
 */
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
import { newId } from '../new-id.ts';
import { guard, needsGuard } from './read/record.ts';
import { nativeCall } from './tools.ts';

export interface ComposeOptions {
  readonly session: string;
  readonly folder: string;
  readonly now: number;
  readonly random: (count: number) => Uint8Array;
}

/** What must be found when the session is read back. */
export interface Turn {
  readonly source: 'user' | 'agent' | 'system';
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
  readonly results: readonly { readonly text: string; readonly failed: boolean }[];
}

export interface Composed {
  readonly lines: readonly string[];
  readonly turns: readonly Turn[];
  readonly omissions: readonly Omission[];
}

export const interruptedText = 'The call was interrupted: the session ended before a result was recorded.';

/** With which the program itself was proven. */
const version = '0.24.4';
const thanks = 'Got it. Thanks for the additional context!';

export function compose(transcript: Transcript, options: ComposeOptions): Composed {
  const tally = new Tally();
  const writing = new Writing(transcript.facts.runtime, options, tally);
  for (const step of inOrder(transcript.steps, tally)) writing.step(step);
  return { lines: writing.lines, turns: writing.turns, omissions: tally.omissions() };
}

function inOrder(steps: readonly Step[], tally: Tally): Step[] {
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

class Writing {
  readonly lines: string[] = [];
  readonly turns: Turn[] = [];
  readonly #runtime: string;
  readonly #options: ComposeOptions;
  readonly #tally: Tally;
  readonly #ids = new Set<string>();
  #parent: string | null = null;

  constructor(runtime: string, options: ComposeOptions, tally: Tally) {
    this.#runtime = runtime;
    this.#options = options;
    this.#tally = tally;
  }

  step(step: Step): void {
    if (step.source === 'agent') this.#agent(step);
    else if (step.source === 'system') this.#summary(step);
    else if (step.text !== '') this.#user(step);
  }

  #user({ text, at }: Step): void {
    const parts = needsGuard(text) ? [{ text: guard }, { text }] : [{ text }];
    this.#record('user', at, { provenance: 'real_user', message: { role: 'user', parts } });
    this.turns.push({ source: 'user', text, calls: [], results: [] });
  }

  #summary({ text, at }: Step): void {
    const compressedHistory = [
      { role: 'user', parts: [{ text }] },
      { role: 'model', parts: [{ text: thanks }] },
    ];
    const info = { originalTokenCount: 0, newTokenCount: 0, compressionStatus: 1, triggerReason: 'manual' };
    this.#record('system', at, {
      provenance: 'system',
      subtype: 'chat_compression',
      systemPayload: { info, compressedHistory },
    });
    this.turns.push({ source: 'system', text, calls: [], results: [] });
  }

  #agent(step: Step): void {
    if (step.reasoning !== undefined) this.#tally.add('reasoning', 'reasoning that nothing signs for');
    const calls = step.calls ?? [];
    if (step.text === '' && calls.length === 0) return;
    const results = new Map(step.results?.map((result) => [result.call, result]));
    const native = calls.map((call) => this.#call(call, results.get(call.id)));
    const said = step.text === '' ? [] : [{ text: step.text }];
    this.#record('assistant', step.at, {
      provenance: 'assistant_output',
      ...(step.model === undefined ? {} : { model: step.model }),
      message: { role: 'model', parts: [...said, ...native.map(({ functionCall }) => ({ functionCall }))] },
    });
    if (native.length > 0)
      this.#record('tool_result', step.at, {
        provenance: 'tool_result',
        message: {
          role: 'user',
          parts: native.map(({ functionResponse }) => ({ functionResponse })),
        },
      });
    this.turns.push({
      source: 'agent',
      text: step.text,
      calls: native.map(({ functionCall: { name, args } }) => ({ tool: name, args })),
      results: native.map(({ text, failed }) => ({ text, failed })),
    });
  }

  #record(type: string, at: number | null, fields: JsonObject): void {
    const uuid = newId(this.#options.random(16));
    const { session, folder, now } = this.#options;
    const time = at !== null && Math.abs(at) <= 8.64e15 ? at : now;
    const record: Json = {
      uuid,
      parentUuid: this.#parent,
      sessionId: session,
      timestamp: new Date(time).toISOString(),
      type,
      cwd: folder,
      version,
      ...fields,
    };
    this.lines.push(JSON.stringify(record));
    this.#parent = uuid;
  }

  #call(given: ToolCall, result: Result | undefined): NativeRecord {
    const { tool, args, dropped } = nativeCall(this.#runtime, given);
    if (dropped > 0) this.#tally.add('arguments', 'arguments that the same tool does not have here', dropped);
    if (given.subagent !== undefined)
      this.#tally.add('subagent', 'the session of an agent that was started by a call');
    if (result === undefined) this.#tally.add(unansweredCall.kind, unansweredCall.why);
    for (const _ of result?.other ?? []) this.#tally.add('media', 'content of a result that is no text');
    const id = this.#free(given.id);
    const text = result?.text ?? interruptedText;
    const failed = result?.failed ?? true;
    return {
      functionCall: { id, name: tool, args },
      functionResponse: { id, name: tool, response: failed ? { error: text } : { output: text } },
      text,
      failed,
    };
  }

  #free(id: string): string {
    const base = id === '' ? 'call' : id;
    let candidate = base;
    for (let n = 2; this.#ids.has(candidate); n += 1) candidate = `${base}_${n}`;
    this.#ids.add(candidate);
    return candidate;
  }
}

interface NativeRecord {
  readonly functionCall: { readonly id: string; readonly name: string; readonly args: JsonObject };
  readonly functionResponse: JsonObject;
  readonly text: string;
  readonly failed: boolean;
}
