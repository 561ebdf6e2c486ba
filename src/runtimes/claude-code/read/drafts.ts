/** Steps while they are made: a message comes in several records, and results come after their calls. */
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

export interface StepDraft {
  readonly source: StepSource;
  readonly at: number | null;
  readonly record: number;
  readonly texts: string[];
  readonly reasoning: string[];
  readonly calls: ToolCall[];
  /** Records of the conversation that this step was made from; none where it stands beside the conversation alone. */
  readonly nodes: number[];
  /** The step it was said at; null for what a person or the model said. */
  readonly belongs: StepDraft | null;
  model: string | null;
  usage: Usage | null;
  mark: StepMark | null;
  summary: Summary | null;
}

export type NewDraft = Pick<StepDraft, 'source' | 'at' | 'record'> &
  Partial<Pick<StepDraft, 'belongs' | 'mark' | 'model' | 'summary'>>;

export function draft(of: NewDraft, node: number | null, words: readonly string[]): StepDraft {
  return {
    source: of.source,
    at: of.at,
    record: of.record,
    texts: [...words],
    reasoning: [],
    calls: [],
    nodes: node === null ? [] : [node],
    belongs: of.belongs ?? null,
    model: of.model ?? null,
    usage: null,
    mark: of.mark ?? null,
    summary: of.summary ?? null,
  };
}

export function stepOf(of: StepDraft, id: number, results: readonly Result[], aside: Aside | null): Step {
  return {
    id,
    source: of.source,
    at: of.at,
    text: of.texts.join('\n\n'),
    ...(of.reasoning.length === 0 ? {} : { reasoning: of.reasoning.join('\n\n') }),
    ...filled({
      model: of.model,
      calls: of.calls,
      results,
      usage: of.usage,
      mark: of.mark,
      summary: of.summary,
      aside,
    }),
    record: of.record,
  };
}

const reasons = {
  'unreadable-record': 'a line is no JSON object',
  'unknown-record': 'the kind of record is not known; its bytes are kept',
  'unknown-content': 'the kind of content is not known; its bytes are kept',
  arguments: 'arguments nested too deeply to be written down again; their bytes are kept',
  'repeated-record': 'a record with the same id came before',
  'subagent-inline': 'another agent wrote into the file of this session',
  'reasoning-encrypted': 'the reasoning is signed and has no readable text',
  image: 'pictures are not carried over',
  document: 'files are not carried over',
  'tool-listing': 'lists of tools, agents and skills belong to the program',
  'context-unrendered': 'the program did not keep the text it sent',
  'orphan-result': 'a result has no call',
  'result-superseded': 'a call has another result in the conversation that was kept',
} as const;
export type DraftLoss = keyof typeof reasons;

export class Losses {
  readonly #counts = new Map<DraftLoss, number>();

  add(kind: DraftLoss, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  omissions(): Omission[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count, why: reasons[kind] }));
  }
}
