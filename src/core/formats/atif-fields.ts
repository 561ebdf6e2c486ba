/** Every object of ATIF v1.7, every field of it, its kind, and whether it must be there. */
import { fieldsOf } from '../transcript/loose-json.ts';

export type FieldKind =
  | 'text'
  | 'whole'
  | 'number'
  | 'flag'
  | 'object'
  | 'list'
  | 'wholes'
  | 'numbers'
  | 'objects'
  | 'any';

interface Field {
  readonly kind: FieldKind;
  readonly required?: true;
}

export type AtifShape = Readonly<Record<string, Field>>;

const text: Field = { kind: 'text' };
const whole: Field = { kind: 'whole' };
const number: Field = { kind: 'number' };
const object: Field = { kind: 'object' };

function must(field: Field): Field {
  return { ...field, required: true };
}

export const atifShapes = {
  trajectory: {
    schema_version: must(text),
    session_id: text,
    trajectory_id: text,
    agent: must(object),
    steps: must({ kind: 'list' }),
    notes: text,
    final_metrics: object,
    continued_trajectory_ref: text,
    extra: object,
    subagent_trajectories: { kind: 'list' },
  },
  agent: {
    name: must(text),
    version: must(text),
    model_name: text,
    tool_definitions: { kind: 'objects' },
    extra: object,
  },
  finalMetrics: {
    total_prompt_tokens: whole,
    total_completion_tokens: whole,
    total_cached_tokens: whole,
    total_cost_usd: number,
    total_steps: whole,
    extra: object,
  },
  step: {
    step_id: must(whole),
    timestamp: text,
    source: must(text),
    model_name: text,
    reasoning_effort: { kind: 'any' },
    message: must({ kind: 'any' }),
    reasoning_content: text,
    tool_calls: { kind: 'list' },
    observation: object,
    metrics: object,
    is_copied_context: { kind: 'flag' },
    llm_call_count: whole,
    extra: object,
  },
  call: { tool_call_id: must(text), function_name: must(text), arguments: must(object), extra: object },
  metrics: {
    prompt_tokens: whole,
    completion_tokens: whole,
    cached_tokens: whole,
    cost_usd: number,
    prompt_token_ids: { kind: 'wholes' },
    completion_token_ids: { kind: 'wholes' },
    logprobs: { kind: 'numbers' },
    extra: object,
  },
  observation: { results: must({ kind: 'list' }) },
  result: {
    source_call_id: text,
    content: { kind: 'any' },
    subagent_trajectory_ref: { kind: 'list' },
    extra: object,
  },
  ref: { trajectory_id: text, trajectory_path: text, session_id: text, extra: object },
  part: { type: must(text), text, source: object },
  image: { media_type: must(text), path: must(text) },
} as const satisfies Record<string, AtifShape>;

export const kindWords: Readonly<Record<FieldKind, string>> = {
  text: 'a text',
  whole: 'a whole number from 0 on',
  number: 'a number',
  flag: 'true or false',
  object: 'an object',
  list: 'a list',
  wholes: 'a list of whole numbers',
  numbers: 'a list of numbers',
  objects: 'a list of objects',
  any: 'a value',
};

export function isOfKind(kind: FieldKind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) >= 0;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'object':
      return fieldsOf(value) !== null;
    case 'list':
      return Array.isArray(value);
    case 'wholes':
      return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one));
    case 'numbers':
      return Array.isArray(value) && value.every((one) => typeof one === 'number');
    case 'objects':
      return Array.isArray(value) && value.every((one) => fieldsOf(one) !== null);
    case 'any':
      return true;
  }
}
