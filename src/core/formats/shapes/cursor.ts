/**
 * Transcripts of Cursor's agent (`~/.cursor/projects/NAME/agent-transcripts/ID/ID.jsonl`), by their shape, as those describe it who read
 * them; it was not proven with the program. A JSON object a line:
 *
 *   {role: 'user' | 'assistant', message: {content}}   content is a text or a list of blocks: text, tool_use {name, input}. A person's words
 *                                                      stand between `<user_query>` tags, and what the program added around them
 *   {type: 'turn_ended', status, error?}               how a turn came to its end
 *
 * There are no times, no models, and no results of calls.
 */
import {
  fieldsOf,
  listIn,
  looseText,
  own,
  partIn,
  textIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import { unproven, type Fit, type Member } from './fit.ts';

export function fitsCursor(value: unknown): Fit {
  const fields = fieldsOf(value);
  if (textIn(fields, 'type') === 'turn_ended' && textIn(fields, 'status') !== null) return 'maybe';
  const content = own(partIn(fields, 'message'), 'content');
  const isMessage = typeof content === 'string' || Array.isArray(content);
  return isMessage && roleOf(fields) !== null && own(fields, 'type') === undefined ? 'sure' : 'no';
}

function roleOf(fields: Fields | null): 'user' | 'agent' | null {
  const role = textIn(fields, 'role');
  return role === 'user' ? 'user' : role === 'assistant' ? 'agent' : null;
}

export function readCursor(messages: readonly Member[], list: StepList): void {
  list.losses.add('form-unproven', unproven);
  for (const { place, value } of messages) {
    list.record = place;
    const fields = fieldsOf(value);
    const role = roleOf(fields);
    if (textIn(fields, 'type') === 'turn_ended') readEnd(fields, list);
    else if (role === null) list.losses.add('message-unknown', 'a message without a role that is known');
    else if (role === 'user') readPrompt(wordsOf(fields, list), list);
    else readAnswer(fields, list);
  }
}

function readEnd(fields: Fields | null, list: StepList): void {
  const status = textIn(fields, 'status');
  if (status !== 'error' && status !== 'aborted') return;
  const step = list.begin('system');
  step.mark = status === 'error' ? 'error' : 'interrupted';
  step.texts.push(textIn(fields, 'error') ?? status);
}

const [opening, closing] = ['<user_query>', '</user_query>'];

function readPrompt(text: string, list: StepList): void {
  const from = text.indexOf(opening);
  const to = text.lastIndexOf(closing);
  const isWrapped = from >= 0 && to >= from + opening.length;
  const around = isWrapped ? `${text.slice(0, from)}${text.slice(to + closing.length)}`.trim() : '';
  if (around !== '') {
    const step = list.begin('system');
    step.mark = 'context';
    step.texts.push(around);
  }
  const words = isWrapped ? text.slice(from + opening.length, to).trim() : text;
  if (words !== '') list.begin('user').texts.push(words);
}

function readAnswer(fields: Fields | null, list: StepList): void {
  const step = list.begin('agent');
  const text = wordsOf(fields, list, step);
  if (text !== '') step.texts.push(text);
}

/** Stands where the model thought. */
const redacted = '[REDACTED]';

/** The words of a message; calls go to the step. */
function wordsOf(fields: Fields | null, list: StepList, step?: OpenStep): string {
  const message = partIn(fields, 'message');
  const content = own(message, 'content');
  if (typeof content === 'string') return content;
  const texts: string[] = [];
  for (const block of (listIn(message, 'content') ?? []).map(fieldsOf)) {
    const type = textIn(block, 'type');
    const text = textIn(block, 'text') ?? '';
    if (type === 'text') {
      const isRedacted = text.endsWith(redacted);
      if (isRedacted) list.losses.add('reasoning-encrypted', 'reasoning that only its provider can read');
      texts.push(isRedacted ? text.slice(0, -redacted.length).trimEnd() : text);
    } else if (type === 'tool_use' && step !== undefined)
      list.call(step, {
        id: textIn(block, 'id'),
        tool: textIn(block, 'name') ?? 'unknown',
        input: own(block, 'input'),
      });
    else if (type === 'tool_result')
      list.result(textIn(block, 'tool_use_id'), {
        text: looseText(own(block, 'content') ?? '') ?? '',
        failed: own(block, 'is_error') === true,
      });
    else list.losses.add('part-unknown', 'a part of an unknown type');
  }
  return texts.filter((text) => text !== '').join('\n\n');
}
