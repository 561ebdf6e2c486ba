/** What the reader keeps of one part: the text that matters and no more, so that memory follows the kept text. */
import { filled } from '../../../core/base/defined.ts';
import type { ToolCall, Json, JsonObject, Result } from '../../../core/transcript/step.ts';
import { repliesIn } from './replies.ts';
import { dig, field, listOf, numberOf, objectOf, safeObject, textOf } from './schema.ts';

export interface Kept {
  readonly text?: string;
  readonly reasoning?: string;
  readonly call?: ToolCall;
  readonly result?: Result;
  /** The kind of omission that it is. */
  readonly lost?: string;
}

/** Why each kind of part is not in the transcript. */
export const losses: Readonly<Record<string, string>> = {
  file: 'Files and pictures that were attached are not carried over.',
  retry: 'Attempts that the program repeated are not part of the conversation.',
  'partial-output': 'Output of a call that had not ended; the model never saw it.',
  arguments: 'Arguments that nest too deeply to be written down again.',
  'unknown-part': 'A part of a kind that is not known here.',
  'part-without-message': 'A part whose message is not among the records.',
  'unknown-record': 'A record that could not be understood.',
  'unknown-message': 'A message of a role that is not known here.',
};

/** Snapshots are names of git objects on that machine; the figures of step-finish stand in the message, too. */
const silent: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'compaction',
]);

export function keptOf(data: JsonObject, partId: string): Kept {
  const type = textOf(field(data, 'type')) ?? '';
  if ((type === 'text' || type === 'reasoning') && isStrange(field(data, 'text')))
    return { lost: 'unknown-part' };
  if (type === 'text') return { text: textOf(field(data, 'text')) ?? '' };
  if (type === 'reasoning') return { reasoning: textOf(field(data, 'text')) ?? '' };
  if (type === 'tool') return toolOf(data, partId);
  if (type === 'subtask') return { text: textOf(field(data, 'prompt')) ?? '' };
  if (type === 'file' || type === 'retry') return { lost: type };
  return silent.has(type) ? {} : { lost: 'unknown-part' };
}

/** One row holds both the call and, once it ended, its result. */
function toolOf(data: JsonObject, partId: string): Kept {
  const state = objectOf(field(data, 'state'));
  const id = textOf(field(data, 'callID')) ?? partId;
  const { deep, ...args } = argsOf(state);
  const call = { id, tool: textOf(field(data, 'tool')) ?? 'unknown', ...args, ...subagentOf(state) };
  const lost = deep === true ? { lost: 'arguments' } : {};
  const status = textOf(field(state, 'status'));
  if (status === 'completed' || status === 'error') {
    const unsaid = isStrange(field(state, status === 'completed' ? 'output' : 'error'));
    const result = { ...resultOf(state, call, status), ...repliesIn(call, state) };
    return { call, result, ...(unsaid ? { lost: 'unknown-part' } : lost) };
  }
  const begun = textOf(dig(state, 'metadata', 'output')) ?? '';
  return { call, ...(begun === '' ? lost : { lost: 'partial-output' }) };
}

/** There, and no text. */
function isStrange(value: Json | undefined): boolean {
  return value !== undefined && value !== null && typeof value !== 'string';
}

function argsOf(state: JsonObject | null): Pick<ToolCall, 'args' | 'raw'> & { readonly deep?: true } {
  const input = field(state, 'input');
  const object = objectOf(input);
  const safe = object === null ? null : safeObject(object);
  const raw = textOf(field(state, 'raw')) ?? '';
  if (safe !== null)
    return Object.keys(safe).length === 0 && raw !== '' ? { args: safe, raw } : { args: safe };
  if (input === undefined) return { args: {}, ...(raw === '' ? {} : { raw }) };
  const text = asText(input);
  return text === null ? { args: {}, raw: '', deep: true } : { args: {}, raw: text };
}

/** Null where it is nested too deeply to be written down again. */
function asText(value: Json): string | null {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** The tool `task` runs an agent in a session of its own. */
function subagentOf(state: JsonObject | null): Pick<ToolCall, 'subagent'> {
  const subagent = textOf(dig(state, 'metadata', 'sessionId'));
  return subagent === null ? {} : { subagent };
}

function resultOf(state: JsonObject | null, { id, tool }: ToolCall, status: 'completed' | 'error'): Result {
  const exit = numberOf(dig(state, 'metadata', 'exit'));
  const other = listOf(field(state, 'attachments')).map(
    (item) => textOf(field(objectOf(item), 'mime')) ?? 'file',
  );
  // A command that was killed has ended without a code.
  const passed = status === 'completed' && (exit === null ? tool !== 'bash' : exit === 0);
  return {
    call: id,
    text: textOf(field(state, status === 'completed' ? 'output' : 'error')) ?? '',
    failed: status === 'error' || (exit !== null && exit !== 0),
    ...filled({ passed, exit, other }),
  };
}
