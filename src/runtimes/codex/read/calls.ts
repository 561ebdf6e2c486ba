/** Calls and their results while a session is read: a result goes into the step of its call, wherever it stands in the file. */
import { defined, filled } from '../../../core/base/defined.ts';
import type { ToolCall, Result } from '../../../core/transcript/step.ts';
import {
  callIn,
  outcomeIn,
  printedBy,
  printedIn,
  processIn,
  resultOf,
  scriptTool,
  type Outcome,
} from './outcome.ts';
import { repliesIn } from './replies.ts';
import { callsInScript } from './script.ts';
import { argumentsOf, fieldsOf, has, parsed, textIn, type Arguments, type Fields } from './schema.ts';
import type { Losses, OpenStep } from './steps.ts';

interface Made {
  readonly step: OpenStep;
  readonly id: string;
  /** Its place among the calls of its step, and that of its result among the results. */
  readonly place: number;
  answer: number | null;
  /** Calls that it made itself, of which events told. */
  inner: number;
}

export class Calls {
  readonly #made = new Map<string, Made>();
  readonly #outcomes = new Map<string, Outcome>();
  readonly #losses: Losses;
  /** Commands that go on behind their result, by their process: the tool that reads on tells how they ended. */
  readonly #running = new Map<string, Made>();
  /** The script that ran last. */
  #script: Made | null = null;
  /** Ids that were taken when a second call came with them. */
  #again = 0;

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  add(step: OpenStep, payload: Fields, record: number): void {
    const native = textIn(payload, 'call_id') ?? textIn(payload, 'id') ?? `record-${record}`;
    const id = this.#made.has(native) ? `${native}#${++this.#again + 1}` : native;
    const { lost, ...given } = argumentsIn(payload);
    if (lost === true) this.#losses.add('arguments', 'they nest too deeply to be written again');
    const call: ToolCall = { id, tool: toolOf(payload), ...given };
    step.calls.push(call);
    const made: Made = { step, id, place: step.calls.length - 1, answer: null, inner: 0 };
    this.#made.set(native, made);
    if (isScript(call)) this.#script = made;
    // The program that serves the model runs these itself: nothing answers them in the file.
    if (textIn(payload, 'call_id') === null && selfAnswered.test(textIn(payload, 'type') ?? '')) {
      this.answer({ call_id: native, output: '', ...payload });
    }
  }

  answer(payload: Fields): void {
    const native = textIn(payload, 'call_id') ?? textIn(payload, 'id') ?? '';
    const made = this.#made.get(native);
    if (made === undefined) {
      this.#losses.add('result-without-call', 'no call stands before it');
      return;
    }
    if (made.answer !== null) {
      this.#losses.add('result-repeated', 'its call had a result already');
      return;
    }
    const call = made.step.calls[made.place];
    if (call === undefined) return;
    const outcome = this.#outcomes.get(native);
    const read = resultOf(call, payload, outcome);
    const result = { ...read, ...repliesIn(call, read.text) };
    made.answer = made.step.results.push(result) - 1;
    if (outcome !== undefined) this.#outcomes.delete(native);
    this.#follow(made, call, result);
    if (isScript(call) && made.inner === 0) this.#readScript(made, call, result);
    if (made.step.calls[made.place]?.tool === 'spawn_agent') {
      this.#bindSubagent(made, textIn(fieldsOf(parsed(result.text)), 'agent_id'));
    }
  }

  /** What an event says of a call, before or after its result. */
  note(item: Fields): void {
    const outcome = outcomeIn(item);
    const native = textIn(item, 'id');
    const made = native === null ? undefined : this.#made.get(native);
    if (outcome === null || native === null) return;
    if (made === undefined) return this.#within(native, item, outcome);
    this.#bindSubagent(made, outcome.subagent);
    if (made.answer === null) {
      this.#outcomes.set(native, outcome);
      return;
    }
    const result = made.step.results[made.answer];
    if (result === undefined) return;
    const exit = outcome.exit ?? result.exit;
    const { passed: _, ...known } = result;
    made.step.results[made.answer] = {
      ...known,
      failed: outcome.failed,
      ...filled({ passed: outcome.passed }),
      ...defined({ exit }),
    };
  }

  #follow(made: Made, call: ToolCall, { text, exit, failed, passed }: Result): void {
    const process = processIn(call, text);
    const read = JSON.stringify(call.args['session_id'] ?? null);
    if (call.tool !== readingTool) {
      if (process !== null) this.#running.set(process, made);
      return;
    }
    const begun = exit === undefined ? undefined : this.#running.get(read);
    if (begun === undefined || begun.answer === null || exit === undefined) return;
    const result = begun.step.results[begun.answer];
    if (result !== undefined)
      begun.step.results[begun.answer] = { ...result, failed, ...(passed === true ? { passed } : {}), exit };
    this.#running.delete(read);
  }

  /** An event of a call that the model did not make: the script did, and gave it an id of this form. */
  #within(native: string, item: Fields, { exit, failed, passed }: Outcome): void {
    const call = native.startsWith(`${scriptTool}-`) ? callIn(item) : null;
    const script = this.#script;
    if (call === null || script === null) return;
    script.inner += 1;
    this.#addInner(script, native, {
      call,
      result: {
        text: printedIn(item),
        failed,
        ...filled({ passed, exit }),
      },
    });
  }

  /** Without events: what the script was told to do. Only where it called once, what it printed and how it ended are those of the call. */
  #readScript(script: Made, { raw = '' }: ToolCall, { text, failed }: Result): void {
    const inner = callsInScript(raw);
    for (const [place, { tool, input }] of inner.entries()) {
      const isOnly = inner.length === 1;
      const given = typeof input === 'string' ? { args: {}, raw: input.toWellFormed() } : argumentsOf(input);
      this.#addInner(script, `${script.id}/${place + 1}`, {
        call: { tool, args: given.args, ...defined({ raw: given.raw }) },
        result: { text: isOnly ? printedBy(text) : '', failed: isOnly && failed },
      });
    }
  }

  #addInner(
    { step, id: within }: Made,
    native: string,
    { call, result }: { readonly call: Omit<ToolCall, 'id'>; readonly result: Omit<Result, 'call'> },
  ): void {
    const id = this.#made.has(native) ? `${native}#${++this.#again + 1}` : native;
    const place = step.calls.push({ id, ...call, within }) - 1;
    const answer = step.results.push({ call: id, ...result }) - 1;
    this.#made.set(id, { step, id, place, answer, inner: 0 });
  }

  unanswered(): ToolCall[] {
    return [...this.#made.values()]
      .filter(({ answer, step }) => answer === null && step.aside === null)
      .flatMap(({ step, place }) => step.calls[place] ?? []);
  }

  #bindSubagent({ step, place }: Made, subagent: string | null): void {
    if (subagent === null) return;
    const call = step.calls[place];
    if (call !== undefined && call.subagent === undefined) step.calls[place] = { ...call, subagent };
  }
}

const readingTool = 'write_stdin';

function isScript({ tool, raw }: ToolCall): boolean {
  return tool === scriptTool && raw !== undefined;
}

const selfAnswered = /^(web_search|image_generation|file_search|code_interpreter)_call$/;

/** A server of MCP tools is a namespace of its own: `mcp__lab` and `ping` are the tool `mcp__lab__ping`. */
function toolOf(payload: Fields): string {
  const name = textIn(payload, 'name') ?? (textIn(payload, 'type') ?? 'unknown').replace(/_call$/, '');
  const namespace = textIn(payload, 'namespace');
  return namespace?.startsWith('mcp__') === true ? `${namespace}__${name}` : name;
}

function argumentsIn(payload: Fields): Arguments {
  // A freeform tool takes a text and no object, even where that text is JSON.
  const free = textIn(payload, 'input');
  if (textIn(payload, 'type') === 'custom_tool_call' && free !== null) return { args: {}, raw: free };
  for (const name of ['arguments', 'input', 'action']) {
    if (has(payload, name)) return argumentsOf(payload[name]);
  }
  return { args: {} };
}
