/** A step from what was gathered for it, and what the session says of itself. */
import { filled } from '../../../core/base/defined.ts';
import type {
  ToolCall,
  JsonObject,
  StepMark,
  Result,
  SessionFacts,
  Step,
  Usage,
} from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';
import type { StepDraft } from './read.ts';
import { dig, field, numberOf, objectOf, textOf } from './schema.ts';

export function stepOf(draft: StepDraft, id: number): Step {
  const { message, record } = draft;
  const base = { id, at: numberOf(dig(message.data, 'time', 'created')) ?? message.created, record };
  const text = joined(draft, 'text', draft.sort === 'agent' ? '\n\n' : '\n');
  if (draft.sort === 'user') return { ...base, source: 'user', text };
  if (draft.sort === 'synthetic') return { ...base, source: 'system', text };
  if (draft.sort === 'agent') return agentStep(draft, base, text);
  return { ...base, source: 'system', text: 'A summary of the conversation was asked for.', mark: 'context' };
}

function agentStep(draft: StepDraft, base: Pick<Step, 'id' | 'at' | 'record'>, said: string): Step {
  const { data } = draft.message;
  const failure = failureOf(data);
  const kept = [...draft.parts.values()];
  const calls = kept.flatMap(({ call }): ToolCall[] => (call === undefined ? [] : [call]));
  const results = kept.flatMap(({ result }): Result[] => (result === undefined ? [] : [result]));
  const reasoning = joined(draft, 'reasoning', '\n\n');
  const model = modelOf(data);
  const usage = usageOf(data);
  const summary = field(data, 'summary') === true;
  const silent = said === '' && calls.length === 0;
  return {
    ...base,
    source: summary || (silent && failure !== null) ? 'system' : 'agent',
    text: [said, failure?.words ?? ''].filter((text) => text !== '').join('\n\n'),
    ...filled({ reasoning, model, calls, results, usage }),
    ...(failure === null ? (summary ? { mark: 'compaction' } : {}) : { mark: failure.mark }),
    ...(summary && failure === null && said !== '' ? { summary: 'compaction' } : {}),
  };
}

function joined(draft: StepDraft, what: 'text' | 'reasoning', between: string): string {
  return [...draft.parts.values()]
    .map((kept) => kept[what] ?? '')
    .filter((text) => text !== '')
    .join(between);
}

function modelOf(data: JsonObject): string | null {
  const model = textOf(field(data, 'modelID'));
  const provider = textOf(field(data, 'providerID'));
  return model === null || provider === null ? model : `${provider}/${model}`;
}

/** `input` is what was not in the cache; zeros only mean that the answer has not ended. */
function usageOf(data: JsonObject): Usage | null {
  const tokens = objectOf(field(data, 'tokens'));
  const figures = {
    input: numberOf(field(tokens, 'input')),
    output: numberOf(field(tokens, 'output')),
    cached: numberOf(dig(tokens, 'cache', 'read')),
    reasoning: numberOf(field(tokens, 'reasoning')),
    window: numberOf(field(tokens, 'total')),
  };
  const told = Object.entries(figures).filter(([, figure]) => figure !== null && figure > 0);
  return told.length === 0 ? null : Object.fromEntries(told);
}

interface Failure {
  readonly mark: StepMark;
  readonly words: string;
}

/** The program's words stand in brackets, so that nobody takes them for the model's. */
function failureOf(data: JsonObject): Failure | null {
  const error = objectOf(field(data, 'error'));
  if (error === null) return null;
  const name = textOf(field(error, 'name')) ?? 'Error';
  const message = textOf(dig(error, 'data', 'message')) ?? textOf(field(error, 'message')) ?? '';
  const words = `[opencode: ${message === '' ? name : `${name}: ${message}`}]`;
  return { mark: markOf(name, message, numberOf(dig(error, 'data', 'statusCode'))), words };
}

function markOf(name: string, message: string, status: number | null): StepMark {
  if (name === 'MessageAbortedError') return 'interrupted';
  if (status === 402 || /usage limit|quota/i.test(message) || saysSpent(message)) return 'usage-limit';
  if (name === 'ContextOverflowError' || saysTooLong(message)) return 'context-limit';
  return status === 429 ? 'rate-limited' : 'error';
}

export function factsOf(
  session: { readonly id: string; readonly data: JsonObject } | null,
  steps: readonly Step[],
): SessionFacts {
  const data = session?.data ?? null;
  const text = (name: string): string | null => textOf(field(data, name));
  const chosen = [textOf(dig(data, 'model', 'providerID')), textOf(dig(data, 'model', 'id'))];
  const model = steps.findLast((step) => step.model !== undefined)?.model;
  return {
    runtime: 'opencode',
    session: session?.id ?? '',
    version: text('version'),
    model: model ?? (chosen.includes(null) ? null : chosen.join('/')),
    folder: text('directory'),
    branch: null,
    commit: null,
    startedAt: numberOf(field(data, 'time_created')),
    title: text('title'),
    parent: text('parent_id'),
  };
}
