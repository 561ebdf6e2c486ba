/**
 * A transcript → the lines of a new session of Claude Code (RT10). Only what the model sees is written: a session after a compaction
 * begins with its summary, then what was preserved. The fields are the fewest that the program takes (type, uuid, parentUuid,
 * timestamp, message), and those by which it shows where a session belongs. No reasoning is written: unsigned it would be refused
 * by the service. A model is named only where it is one of the program's own, because the program goes on with the last one named.
 */
import { filled } from '../../core/base/defined.ts';
import type { ToolCall, Omission, Result, Step, Transcript } from '../../core/transcript/step.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { unansweredCall } from '../../core/transcript/unanswered.ts';
import { mapped } from './tools.ts';
import { saidBy } from './read/words.ts';

export interface Composed {
  readonly lines: readonly string[];
  /** What a reader of these lines must find, in order. */
  readonly turns: readonly WrittenTurn[];
  readonly omissions: readonly Omission[];
}

export interface WrittenTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: string }[];
  readonly results: readonly { readonly call: string; readonly text: string; readonly failed: boolean }[];
}

export interface ComposeOptions {
  readonly session: string;
  readonly folder: string;
  /** Stands in for times that are not known. */
  readonly now: number;
}

const reasons = {
  reasoning: 'reasoning is not written: without its signature the service refuses it',
  'program-message': 'what another program said to its model does not concern this one',
  aside: 'what the model did not see any more is not written',
  'empty-message': 'a message without text, calls or results is not written',
  [unansweredCall.kind]: unansweredCall.why,
  'tool-argument': 'an argument has no place in the tool of the same purpose',
  'user-words': "words of the user that look like those of the program are read as the program's later on",
  'result-content': 'content of a result that is no text is not written',
} as const;

export function compose(transcript: Transcript, options: ComposeOptions): Composed {
  const composer = new Composer(transcript, options);
  const steps = inOrderOfSight(transcript.steps);
  composer.lose('aside', transcript.steps.length - steps.length);
  for (const step of steps) composer.add(step);
  return composer.composed();
}

/** The summary of a compaction comes before what it preserved. */
function inOrderOfSight(steps: readonly Step[]): Step[] {
  const seen = steps.filter((step) => step.aside === undefined);
  const last = seen.findLastIndex((step) => step.mark === 'compaction');
  return last < 0 ? seen : [...seen.slice(last, last + 1), ...seen.slice(0, last), ...seen.slice(last + 1)];
}

const interruptedText =
  '[Tool call interrupted: the session ended before its result was recorded. Its outcome is unknown: see whether it took effect before it is run again.]';
const cutText = '[The conversation before this was not carried over.]';

class Composer {
  readonly #lines: string[] = [];
  readonly #turns: WrittenTurn[] = [];
  readonly #lost = new Map<keyof typeof reasons, number>();
  readonly #ids = new Set<string>();
  readonly #transcript: Transcript;
  readonly #options: ComposeOptions;
  #parent: string | null = null;
  #at = 0;

  constructor(transcript: Transcript, options: ComposeOptions) {
    this.#transcript = transcript;
    this.#options = options;
    const { title } = transcript.facts;
    if (title !== null)
      this.#lines.push(
        JSON.stringify({ type: 'custom-title', customTitle: title, sessionId: options.session }),
      );
  }

  lose(kind: keyof typeof reasons, count = 1): void {
    if (count > 0) this.#lost.set(kind, (this.#lost.get(kind) ?? 0) + count);
  }

  composed(): Composed {
    const omissions = [...this.#lost].map(([kind, count]) => ({ kind, count, why: reasons[kind] }));
    return { lines: this.#lines, turns: this.#turns, omissions };
  }

  add(step: Step): void {
    if (step.source === 'agent') this.#agent(step);
    else if (step.source === 'system' && step.mark !== 'compaction') this.lose('program-message');
    else if (isBlank(step.text)) this.lose('empty-message');
    else this.#user(step.text, step.at, step.source === 'system');
  }

  #user(words: string, at: number | null, isMeta: boolean): void {
    const message = { role: 'user', content: words };
    this.#record(at, { type: 'user', message, ...(isMeta ? { isMeta } : {}) });
    const said = saidBy({ isMeta }, words);
    if (!isMeta && said.some(({ source, text }) => source !== 'user' || text !== words))
      this.lose('user-words');
    for (const { text } of said)
      if (text !== '') this.#turns.push({ role: 'user', text, calls: [], results: [] });
  }

  #agent(step: Step): void {
    if (step.reasoning !== undefined) this.lose('reasoning');
    const words = isBlank(step.text) ? '' : step.text;
    const pairs = (step.calls ?? []).map((call) => this.#pair(call, step.results ?? []));
    if (words === '' && pairs.length === 0) return this.lose('empty-message');
    // The service wants a user first.
    if (this.#turns.length === 0) this.#user(cutText, step.at, true);
    const content = [
      ...(words === '' ? [] : [{ type: 'text', text: words }]),
      ...pairs.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
    ];
    this.#record(step.at, { type: 'assistant', message: this.#message(step, content) });
    if (pairs.length > 0) this.#results(step.at, pairs);
    this.#turns.push({
      role: 'assistant',
      text: words,
      calls: pairs.map(({ id, tool, input }) => ({ id, tool, args: JSON.stringify(input) })),
      results: pairs.map(({ id, text, failed }) => ({ call: id, text, failed })),
    });
  }

  #message(step: Step, content: readonly unknown[]): object {
    const isOwn =
      this.#transcript.facts.runtime === 'claude-code' && step.model?.startsWith('claude-') === true;
    const id = `msg_${this.#name('message').replaceAll('-', '').slice(0, 24)}`;
    return { id, type: 'message', role: 'assistant', ...(isOwn ? { model: step.model } : {}), content };
  }

  #pair(call: ToolCall, results: readonly Result[]) {
    const { tool, args, dropped } = mapped(call, this.#transcript.facts.runtime);
    this.lose('tool-argument', dropped);
    const result = results.find((each) => each.call === call.id);
    if (result === undefined) this.lose('unanswered-call');
    this.lose('result-content', result?.other?.length ?? 0);
    return { id: this.#idOf(call.id), tool: nameOf(tool), input: args, ...answerOf(result) };
  }

  /** The service takes only some signs in an id, and each only once. */
  #idOf(named: string): string {
    let id = /^[a-zA-Z0-9_-]{1,64}$/.test(named) ? named : '';
    if (id === '' || this.#ids.has(id))
      id = `toolu_${this.#name(`call ${this.#ids.size}`).replaceAll('-', '').slice(0, 24)}`;
    this.#ids.add(id);
    return id;
  }

  #results(at: number | null, pairs: readonly (Answered & { id: string })[]): void {
    const content = pairs.map(({ id, text, failed, passed }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: text,
      // Of what nobody knows nothing is said.
      ...(failed || passed ? { is_error: failed } : {}),
    }));
    this.#record(at, { type: 'user', message: { role: 'user', content } });
  }

  #record(at: number | null, fields: object): void {
    const uuid = this.#name('record');
    // Later than the one before, whatever the clocks of the other program were.
    this.#at = Math.max(
      this.#at + 1,
      validTime(at) ?? validTime(this.#transcript.facts.startedAt) ?? this.#options.now,
    );
    const { branch } = this.#transcript.facts;
    const record = {
      parentUuid: this.#parent,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp: new Date(this.#at).toISOString(),
      userType: 'external',
      cwd: this.#options.folder,
      sessionId: this.#options.session,
      ...filled({ gitBranch: branch }),
    };
    this.#lines.push(JSON.stringify(record));
    this.#parent = uuid;
  }

  /** The same transcript under the same id gives the same bytes. */
  #name(purpose: string): string {
    const hex = sha256Hex(`${this.#options.session} ${this.#lines.length} ${purpose}`);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

interface Answered {
  readonly text: string;
  readonly failed: boolean;
  readonly passed: boolean;
}

function answerOf(result: Result | undefined): Answered {
  if (result === undefined) return { text: interruptedText, failed: true, passed: false };
  const kinds = result.other ?? [];
  const without = kinds.length > 0 ? `[Not carried over: ${kinds.join(', ')}]` : '';
  // A failure must say something.
  const empty = result.failed ? '(no output)' : '';
  return {
    text: result.text === '' ? without || empty : result.text,
    failed: result.failed,
    passed: result.passed === true,
  };
}

function nameOf(tool: string): string {
  const plain = tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128);
  return plain === '' ? 'unknown' : plain;
}

function validTime(at: number | null): number | null {
  return at !== null && at > 0 && at < 8e15 ? Math.trunc(at) : null;
}

function isBlank(words: string): boolean {
  return words.trim() === '';
}
