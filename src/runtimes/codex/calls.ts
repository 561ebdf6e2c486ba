/** Calls and their results while a session is read: a result goes into the step of its call, wherever it stands in the file. */
import type { Call } from '../../core/transcript/step.ts';
import { outcomeIn, resultOf, type Outcome } from './outcome.ts';
import { repliesIn } from './replies.ts';
import { argumentsOf, fieldsOf, has, parsed, textIn, type Arguments, type Fields } from './schema.ts';
import type { Losses, OpenStep } from './steps.ts';

interface Made {
  readonly step: OpenStep;
  readonly id: string;
  /** Its place among the calls of its step, and that of its result among the results. */
  readonly place: number;
  answer: number | null;
}

export class Calls {
  readonly #made = new Map<string, Made>();
  readonly #outcomes = new Map<string, Outcome>();
  readonly #losses: Losses;
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
    const call: Call = { id, tool: toolOf(payload), ...given };
    step.calls.push(call);
    this.#made.set(native, { step, id, place: step.calls.length - 1, answer: null });
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
    const outcome = this.#outcomes.get(native);
    const read = resultOf(made.id, payload, outcome);
    const result = { ...read, ...repliesIn(made.step.calls[made.place], read.text) };
    made.answer = made.step.results.push(result) - 1;
    if (outcome !== undefined) this.#outcomes.delete(native);
    if (made.step.calls[made.place]?.tool === 'spawn_agent') {
      this.#started(made, textIn(fieldsOf(parsed(result.text)), 'agent_id'));
    }
  }

  /** What an event says of a call, before or after its result. */
  note(item: Fields): void {
    const outcome = outcomeIn(item);
    const native = textIn(item, 'id');
    const made = native === null ? undefined : this.#made.get(native);
    if (outcome === null || native === null || made === undefined) return;
    this.#started(made, outcome.subagent);
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
      ...(outcome.passed ? { passed: true } : {}),
      ...(exit === undefined ? {} : { exit }),
    };
  }

  unanswered(): Call[] {
    return [...this.#made.values()]
      .filter(({ answer, step }) => answer === null && step.aside === null)
      .flatMap(({ step, place }) => step.calls[place] ?? []);
  }

  #started({ step, place }: Made, subagent: string | null): void {
    if (subagent === null) return;
    const call = step.calls[place];
    if (call !== undefined && call.subagent === undefined) step.calls[place] = { ...call, subagent };
  }
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
