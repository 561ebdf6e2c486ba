/**
 * Messages of LangChain, by their shape, in the forms in which they are kept:
 *
 *   {lc: 1, type: 'constructor', id: [… 'AIMessage'], kwargs}   as its serialiser writes them
 *   {type: 'ai', data: {content, …}}                            as `toDict` and `messages_to_dict` write them
 *   {type: 'ai', content, tool_calls, …}                        plain fields
 *   {role: 'assistant', content, tool_calls, …}                 with roles; calls as OpenAI's chat has them are understood too
 */
import {
  countIn,
  fieldsOf,
  looseText,
  listIn,
  own,
  partIn,
  partsIn,
  textAt,
  textIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import type { Result, StepSource, Usage } from '../../transcript/step.ts';
import type { Fit, Member } from './fit.ts';

type Voice = StepSource | 'tool' | 'function' | 'remove';

const voices: Readonly<Record<string, Voice>> = {
  human: 'user',
  user: 'user',
  ai: 'agent',
  assistant: 'agent',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'function',
  remove: 'remove',
};

interface Message {
  readonly voice: Voice | null;
  readonly fields: Fields;
  /** In a form that nothing else has. */
  readonly sure: boolean;
}

function messageOf(value: unknown): Message | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const kwargs = partIn(fields, 'kwargs');
  if (own(fields, 'lc') === 1 && textIn(fields, 'type') === 'constructor' && kwargs !== null) {
    const name = listIn(fields, 'id')?.at(-1);
    const type = typeof name === 'string' ? name.replace(/Message(Chunk)?$/, '').toLowerCase() : '';
    return { voice: voiceOf(type, kwargs), fields: kwargs, sure: true };
  }
  const type = textIn(fields, 'type')
    ?.replace(/MessageChunk$/, '')
    .toLowerCase();
  const data = partIn(fields, 'data');
  if (type !== undefined && data !== null && own(data, 'content') !== undefined)
    return { voice: voiceOf(type, data), fields: data, sure: true };
  if (type !== undefined && own(fields, 'content') !== undefined)
    return { voice: voiceOf(type, fields), fields, sure: Object.hasOwn(voices, type) };
  const role = textIn(fields, 'role');
  if (role === null || own(fields, 'parts') !== undefined) return null;
  const sure =
    ['human', 'ai'].includes(role) ||
    listIn(fields, 'tool_calls') !== null ||
    textIn(fields, 'tool_call_id') !== null;
  return { voice: voiceOf(role, fields), fields, sure };
}

/** A message of the class for any role says itself whose it is. */
function voiceOf(type: string, fields: Fields): Voice | null {
  const name = type === 'generic' || type === 'chat' ? (textIn(fields, 'role') ?? '') : type;
  return Object.hasOwn(voices, name) ? (voices[name] ?? null) : null;
}

export function fitsLangChain(value: unknown): Fit {
  const message = messageOf(value);
  if (message === null || message.voice === null) return 'no';
  if (message.sure) return 'sure';
  const content = own(message.fields, 'content');
  return typeof content === 'string' || Array.isArray(content) ? 'maybe' : 'no';
}

export function readLangChain(messages: readonly Member[], list: StepList): void {
  for (const { place, value } of messages) {
    list.record = place;
    const message = messageOf(value);
    if (message === null || message.voice === null)
      list.losses.add('message-unknown', 'a message without a role that is known');
    else readMessage(message.voice, message.fields, list);
  }
}

function readMessage(voice: Voice, fields: Fields, list: StepList): void {
  switch (voice) {
    case 'tool':
      list.result(textIn(fields, 'tool_call_id'), resultOf(fields));
      if ((own(fields, 'artifact') ?? null) !== null)
        list.losses.add('artifact', 'what a tool kept beside its result');
      return;
    case 'function':
      list.result(functionId(textIn(fields, 'name')), resultOf(fields));
      return;
    case 'remove':
      list.losses.add('message-removed', 'the order to remove a message, which is no message');
      return;
    case 'agent':
      return readAgent(fields, list);
    case 'user':
    case 'system': {
      const step = list.begin(voice);
      readBlocks(fields, step, list);
    }
  }
}

function readAgent(fields: Fields, list: StepList): void {
  const step = list.begin('agent');
  const metadata = partIn(fields, 'response_metadata');
  step.model = textAt(metadata, 'model_name', 'model');
  step.usage = usageOf(partIn(fields, 'usage_metadata'));
  readBlocks(fields, step, list);
  const beside = partIn(fields, 'additional_kwargs');
  const reasoning =
    textIn(beside, 'reasoning_content') ??
    partsIn(partIn(beside, 'reasoning'), 'summary')
      .flatMap((part) => textIn(part, 'text') ?? [])
      .join('\n\n');
  if (reasoning !== '' && step.reasoning.length === 0) step.reasoning.push(reasoning);
  readCalls(fields, beside, { step, list });
}

/** Calls stand in `tool_calls`; the content, and what the provider sent, may have them a second time. */
function readCalls(fields: Fields, beside: Fields | null, place: { step: OpenStep; list: StepList }): void {
  const seen = new Set<string>();
  const take = (id: string | null, tool: string | null, input: unknown): void => {
    if (id !== null && seen.has(id)) return;
    if (id !== null) seen.add(id);
    place.list.call(place.step, { id, tool: tool ?? 'unknown', input });
  };
  const blocks = partsIn(fields, 'content').filter((block) => callBlocks.has(textIn(block, 'type') ?? ''));
  for (const call of [
    ...partsIn(fields, 'tool_calls'),
    ...partsIn(fields, 'invalid_tool_calls'),
    ...blocks,
    ...partsIn(beside, 'tool_calls'),
  ]) {
    const inner = partIn(call, 'function');
    const input =
      own(call, 'args') ?? own(call, 'input') ?? own(call, 'arguments') ?? own(inner, 'arguments');
    take(textAt(call, 'call_id', 'id'), textIn(call, 'name') ?? textIn(inner, 'name'), input);
  }
  const legacy = partIn(beside, 'function_call') ?? partIn(fields, 'function_call');
  if (legacy !== null && seen.size === 0)
    take(functionId(textIn(legacy, 'name')), textIn(legacy, 'name'), own(legacy, 'arguments'));
  for (const block of partsIn(fields, 'content')) {
    if (textIn(block, 'type') !== 'server_tool_call_result') continue;
    const failed = textIn(block, 'status') === 'error';
    const text = looseText(own(block, 'output') ?? '') ?? '';
    place.list.result(textAt(block, 'toolCallId', 'tool_call_id'), { text, failed });
  }
}

/** Functions were called without ids, one at a time. */
function functionId(name: string | null): string {
  return `function:${name ?? ''}`;
}

const callBlocks: ReadonlySet<string> = new Set([
  'tool_call',
  'invalid_tool_call',
  'server_tool_call',
  'tool_use',
  'server_tool_use',
  'function_call',
]);
/** Read elsewhere, or pieces of what stands there whole. */
const passedOver: ReadonlySet<string> = new Set([
  ...callBlocks,
  'server_tool_call_result',
  'tool_call_chunk',
  'server_tool_call_chunk',
  'input_json_delta',
]);
const mediaBlocks =
  /^(image|image_url|input_image|input_audio|audio|video|file|input_file|media|document|text-plain)$/;

function readBlocks(fields: Fields, step: OpenStep, list: StepList): void {
  const content = own(fields, 'content');
  if (typeof content === 'string') {
    step.texts.push(content);
    return;
  }
  const texts: string[] = [];
  for (const block of Array.isArray(content) ? (content as readonly unknown[]) : []) {
    if (typeof block === 'string') texts.push(block);
    else readBlock(fieldsOf(block), { texts, step, list });
  }
  step.texts.push(texts.join(''));
}

function readBlock(
  block: Fields | null,
  { texts, step, list }: { readonly texts: string[]; readonly step: OpenStep; readonly list: StepList },
): void {
  const type = textIn(block, 'type') ?? '';
  if (passedOver.has(type)) return;
  if (['text', 'input_text', 'output_text', 'refusal'].includes(type)) {
    texts.push(textAt(block, 'text', 'refusal') ?? '');
    return;
  }
  if (type === 'reasoning' || type === 'thinking') {
    const summary = partsIn(block, 'summary').flatMap((part) => textIn(part, 'text') ?? []);
    const words = textAt(block, 'reasoning', 'thinking', 'text') ?? summary.join('\n\n');
    if (words !== '') step.reasoning.push(words);
    else list.losses.add('reasoning-encrypted', 'reasoning that only its provider can read');
  } else if (type === 'redacted_thinking')
    list.losses.add('reasoning-encrypted', 'reasoning that only its provider can read');
  else if (mediaBlocks.test(type))
    list.losses.add('media', 'content that is no text is not carried in steps');
  else list.losses.add('part-unknown', 'a part of an unknown type');
}

function resultOf(fields: Fields): Omit<Result, 'call'> {
  const content = own(fields, 'content');
  const failed = textIn(fields, 'status') === 'error';
  if (typeof content === 'string') return { text: content, failed };
  if (!Array.isArray(content))
    return { text: content === undefined ? '' : (looseText(content) ?? ''), failed };
  const texts: string[] = [];
  const other: string[] = [];
  for (const part of content as readonly unknown[]) {
    const block = fieldsOf(part);
    const text = typeof part === 'string' ? part : textIn(block, 'text');
    if (text === null) other.push(textAt(block, 'mime_type', 'mimeType', 'type') ?? 'unknown');
    else texts.push(text);
  }
  return { text: texts.join(''), failed, ...(other.length === 0 ? {} : { other }) };
}

function usageOf(usage: Fields | null): Usage | null {
  if (usage === null) return null;
  const counts = {
    input: countIn(usage, 'input_tokens'),
    output: countIn(usage, 'output_tokens'),
    cached: countIn(partIn(usage, 'input_token_details'), 'cache_read'),
    reasoning: countIn(partIn(usage, 'output_token_details'), 'reasoning'),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
}
