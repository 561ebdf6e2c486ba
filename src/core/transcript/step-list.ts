/**
 * Steps while a document is being read. It keeps what every transcript promises, whatever the document holds: steps are
 * numbered from 1, the ids of calls are unique, and a result stands in the step of its call. A step's record is the place of the message
 * that began it, as `record` says it when the step begins.
 *
 * Where two calls have the same id, the later one gets `~2` and so on behind it. A result belongs to the latest step that still
 * waits for one under its id, and there to the first call that does.
 */
import { defined, filled } from '../base/defined.ts';
import { isShallow, jsonObject, looseText, objectFrom } from './loose-json.ts';
import type {
  Aside,
  ToolCall,
  StepMark,
  Result,
  SessionFacts,
  StepSource,
  Step,
  Summary,
  Transcript,
  Usage,
} from './step.ts';
import { Tally } from './tally.ts';

export interface OpenStep {
  readonly source: StepSource;
  at: number | null;
  readonly texts: string[];
  readonly reasoning: string[];
  model: string | null;
  usage: Usage | null;
  mark: StepMark | null;
  summary: Summary | null;
  aside: Aside | null;
  readonly calls: ToolCall[];
  readonly results: Result[];
  readonly record: number;
}

export interface CallSeen {
  /** As the document has it; null where it has none. */
  readonly id: string | null;
  readonly tool: string;
  /** An object, an object in a text, or whatever stood there. */
  readonly input: unknown;
  /** Known to be no object, and never to be taken for one. */
  readonly raw?: string;
  readonly subagent?: string;
  readonly within?: string;
  readonly folder?: string;
}

interface Waiting {
  readonly step: OpenStep;
  readonly ids: string[];
  next: number;
}

export class StepList {
  readonly losses = new Tally();
  /** The place of the message that is being read, from 0. */
  record = 0;
  readonly #steps: OpenStep[] = [];
  readonly #taken = new Set<string>();
  readonly #repeats = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();
  #nameless = 0;

  begin(source: StepSource): OpenStep {
    const step: OpenStep = {
      source,
      at: null,
      texts: [],
      reasoning: [],
      model: null,
      usage: null,
      mark: null,
      summary: null,
      aside: null,
      calls: [],
      results: [],
      record: this.record,
    };
    this.#steps.push(step);
    return step;
  }

  get last(): OpenStep | undefined {
    return this.#steps.at(-1);
  }

  call(step: OpenStep, { id, tool, input, raw, subagent, within, folder }: CallSeen): void {
    const native = id ?? this.#nameIt();
    const unique = this.#uniqueId(native);
    step.calls.push({
      id: unique,
      tool,
      ...(raw === undefined ? this.#arguments(input) : { args: jsonObject(input) ?? {}, raw }),
      ...defined({ subagent, within, folder }),
    });
    const stack = this.#waiting.get(native) ?? [];
    const top = stack.at(-1);
    if (top?.step === step) top.ids.push(unique);
    else stack.push({ step, ids: [unique], next: 0 });
    this.#waiting.set(native, stack);
  }

  /** False where no call waits for it: it is counted, and not kept. */
  result(native: string | null, result: Omit<Result, 'call'>): boolean {
    const stack = native === null ? undefined : this.#waiting.get(native);
    const top = stack?.at(-1);
    const call = top?.ids[top.next];
    if (stack === undefined || top === undefined || call === undefined) {
      this.losses.add('result-without-call', 'a result whose call is not there, or has a result already');
      return false;
    }
    top.step.results.push({ call, ...result });
    top.next += 1;
    if (top.next === top.ids.length) stack.pop();
    return true;
  }

  transcript(facts: SessionFacts): Transcript {
    const last = this.#steps.findLast(({ source }) => source === 'agent');
    const answered = new Set(last?.results.map(({ call }) => call));
    return {
      facts: {
        ...facts,
        model: facts.model ?? this.#steps.findLast(({ model }) => model !== null)?.model ?? null,
      },
      steps: this.#steps.map(stepOf),
      omissions: this.losses.omissions(),
      unanswered: last?.calls.filter(({ id }) => !answered.has(id)) ?? [],
    };
  }

  #nameIt(): string {
    this.#nameless += 1;
    return `call-${this.#nameless}`;
  }

  #uniqueId(native: string): string {
    let id = native;
    let count = this.#repeats.get(native) ?? 1;
    while (this.#taken.has(id)) {
      count += 1;
      id = `${native}~${count}`;
    }
    this.#repeats.set(native, count);
    this.#taken.add(id);
    return id;
  }

  #arguments(input: unknown): Pick<ToolCall, 'args' | 'raw'> {
    if (input === undefined || input === null) return { args: {} };
    const args = typeof input === 'string' ? objectFrom(input) : jsonObject(input);
    if (args !== null) return { args };
    if (!isShallow(input))
      this.losses.add('arguments', 'arguments nested too deeply to be written down again');
    const raw = looseText(input);
    return { args: {}, ...(raw === null ? {} : { raw }) };
  }
}

function stepOf(step: OpenStep, index: number): Step {
  const { source, at, texts, reasoning, model, usage, mark, summary, aside, calls, results, record } = step;
  return {
    id: index + 1,
    source,
    at,
    text: texts.join('\n\n'),
    ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join('\n\n') }),
    ...filled({ model, calls, results, usage, mark, summary, aside }),
    record,
  };
}
