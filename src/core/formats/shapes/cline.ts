/**
 * Sessions of Cline's command (`~/.cline/data/sessions/ID/ID.messages.json`), measured with 3.0.65. A document with a list of messages, each
 * {id, role: 'user' | 'assistant', content, ts, modelInfo? {id}, metrics? {inputTokens, outputTokens, cacheReadTokens}, metadata? {displayRole}}:
 *
 *   text          a person's words stand between `<user_input mode="…">` and `</user_input>`, not escaped
 *   thinking      {thinking}
 *   tool_use      {id, name, input}
 *   tool_result   {tool_use_id, content}: a list of {query, result, success}, or one of these as text, or any text
 *
 * By `displayRole`, `system` is what hooks told the model, and `error` how a turn failed: no model said that, nor was told it.
 */
import {
  fieldsOf,
  isShallow,
  jsonObject,
  listIn,
  looseText,
  objectFrom,
  own,
  partIn,
  countIn,
  textIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import type { Result } from '../../transcript/step.ts';
import type { Fit, Member } from './fit.ts';

export function fitsCline(value: unknown): Fit {
  const fields = fieldsOf(value);
  const role = textIn(fields, 'role');
  const isMessage = (role === 'user' || role === 'assistant') && textIn(fields, 'id') !== null;
  if (!isMessage || countIn(fields, 'ts') === null) return 'no';
  return listIn(fields, 'content') === null ? 'maybe' : 'sure';
}

export function readCline(messages: readonly Member[], list: StepList): void {
  for (const { place, value } of messages) {
    list.record = place;
    const fields = fieldsOf(value);
    const role = textIn(fields, 'role');
    const shown = textIn(partIn(fields, 'metadata'), 'displayRole');
    if (role !== 'user' && role !== 'assistant')
      list.losses.add('message-unknown', 'a message without a role that is known');
    else if (shown === 'system' || shown === 'error') readBeside(fields, shown, list);
    else if (role === 'user') readSaid(fields, list);
    else readAnswer(fields, list);
  }
}

function blocksOf(fields: Fields | null): (Fields | null)[] {
  const content = own(fields, 'content');
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (listIn(fields, 'content') ?? []).map(fieldsOf);
}

function begin(fields: Fields | null, source: OpenStep['source'], list: StepList): OpenStep {
  const step = list.begin(source);
  step.at = countIn(fields, 'ts');
  return step;
}

function readBeside(fields: Fields | null, shown: 'system' | 'error', list: StepList): void {
  const step = begin(fields, 'system', list);
  step.mark = shown === 'error' ? 'error' : 'context';
  for (const block of blocksOf(fields)) step.texts.push(textIn(block, 'text') ?? '');
}

const opening = /^<user_input mode="[a-z]+">/;
const closing = '</user_input>';

function readSaid(fields: Fields | null, list: StepList): void {
  for (const block of blocksOf(fields)) {
    const type = textIn(block, 'type');
    if (type === 'text') {
      const text = textIn(block, 'text') ?? '';
      const words = opening.test(text) && text.endsWith(closing);
      begin(fields, 'user', list).texts.push(
        words ? text.replace(opening, '').slice(0, -closing.length) : text,
      );
    } else if (type === 'tool_result') {
      if (!isShallow(own(block, 'content'))) lose('nested too deeply', list);
      list.result(textIn(block, 'tool_use_id'), resultOf(block));
    } else lose(type, list);
  }
}

function readAnswer(fields: Fields | null, list: StepList): void {
  const step = begin(fields, 'agent', list);
  step.model = textIn(partIn(fields, 'modelInfo'), 'id');
  const metrics = partIn(fields, 'metrics');
  if (metrics !== null) step.usage = usageOf(metrics);
  for (const block of blocksOf(fields)) {
    const type = textIn(block, 'type');
    if (type === 'text') step.texts.push(textIn(block, 'text') ?? '');
    else if (type === 'thinking') step.reasoning.push(textIn(block, 'thinking') ?? '');
    else if (type === 'redacted_thinking')
      list.losses.add('reasoning-encrypted', 'reasoning that only its provider can read');
    else if (type === 'tool_use')
      list.call(step, {
        id: textIn(block, 'id'),
        tool: textIn(block, 'name') ?? 'unknown',
        input: own(block, 'input'),
      });
    else lose(type, list);
  }
}

function lose(type: string | null, list: StepList): void {
  if (type === 'image' || type === 'file')
    list.losses.add('media', 'content that is no text is not carried in steps');
  else list.losses.add('part-unknown', 'a part of an unknown type');
}

function usageOf(metrics: Fields): OpenStep['usage'] {
  const counts = {
    input: countIn(metrics, 'inputTokens'),
    output: countIn(metrics, 'outputTokens'),
    cached: countIn(metrics, 'cacheReadTokens'),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
}

/** What each part of a call came to: it may be many commands at once. */
function resultOf(block: Fields | null): Omit<Result, 'call'> {
  const content = own(block, 'content');
  const parts = (Array.isArray(content) ? content : [content]).map(endedOf);
  return {
    text: parts.map(({ text }) => text).join('\n\n'),
    failed: own(block, 'is_error') === true || parts.some(({ failed }) => failed),
  };
}

function endedOf(value: unknown): { readonly text: string; readonly failed: boolean } {
  const told = typeof value === 'string' ? objectFrom(value) : jsonObject(value);
  const fields = fieldsOf(told);
  if (typeof own(fields, 'success') !== 'boolean')
    return { text: textIn(fieldsOf(value), 'text') ?? looseText(value ?? '') ?? '', failed: false };
  const text = looseText(own(fields, 'result') ?? own(fields, 'error') ?? '') ?? '';
  return { text, failed: own(fields, 'success') === false };
}
