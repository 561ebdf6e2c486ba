/** The steps of a transcript while it is read: they are added at the end, and filled in by what comes later. */
import { filled } from '../../../core/base/defined.ts';
import type {
  Aside,
  ToolCall,
  StepMark,
  Omission,
  Result,
  StepSource,
  Step,
  Summary,
  Usage,
} from '../../../core/transcript/step.ts';

export interface OpenStep {
  readonly id: number;
  source: StepSource;
  readonly at: number | null;
  readonly record: number;
  text: string;
  /** Something was said in it, if only an empty text. */
  spoken: boolean;
  reasoning: string[];
  model: string | null;
  calls: ToolCall[];
  results: Result[];
  usage: Usage | null;
  mark: StepMark | null;
  summary: Summary | null;
  aside: Aside | null;
}

export interface StepMoment {
  readonly at: number | null;
  readonly record: number;
}

export class Steps {
  readonly all: OpenStep[] = [];
  #live: OpenStep[] = [];

  add(source: StepSource, moment: StepMoment, text = ''): OpenStep {
    const step: OpenStep = {
      id: this.all.length + 1,
      source,
      ...moment,
      text,
      spoken: false,
      reasoning: [],
      model: null,
      calls: [],
      results: [],
      usage: null,
      mark: null,
      summary: null,
      aside: null,
    };
    this.all.push(step);
    this.#live.push(step);
    return step;
  }

  last(): OpenStep | undefined {
    return this.all.at(-1);
  }

  /** Those that the model still sees. */
  live(): readonly OpenStep[] {
    this.#live = this.#live.filter(({ aside }) => aside === null);
    return this.#live;
  }

  closed(): Step[] {
    return this.all.map(closed);
  }
}

function closed(step: OpenStep): Step {
  return {
    id: step.id,
    source: step.source,
    at: step.at,
    text: step.text,
    ...(step.reasoning.length === 0 ? {} : { reasoning: step.reasoning.join('\n\n') }),
    ...filled({
      model: step.model,
      calls: step.calls,
      results: step.results,
      usage: step.usage,
      mark: step.mark,
      summary: step.summary,
      aside: step.aside,
    }),
    record: step.record,
  };
}

/** What was not carried over, counted by kind. */
export class Losses {
  readonly #counts = new Map<string, { count: number; readonly why: string }>();

  add(kind: string, why: string, count = 1): void {
    const known = this.#counts.get(kind);
    if (known === undefined) this.#counts.set(kind, { count, why });
    else known.count += count;
  }

  list(): Omission[] {
    return [...this.#counts].map(([kind, { count, why }]) => ({ kind, count, why }));
  }
}
