/**
 * Items of the OpenAI Agents SDK and of the Responses API, by their shape: `callId` and `function_call_result` there, `call_id` and
 * `function_call_output` here. A run item wraps one in `rawItem`. An item without a type is a message.
 *
 * One answer of the model is several items: reasoning, messages, calls. They are one step until a result comes in, somebody else
 * speaks, or the model says something after it has called or spoken already.
 */
import {
  fieldsOf,
  listIn,
  own,
  partIn,
  partsIn,
  textAt,
  textIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import type { StepSource } from '../../transcript/step.ts';
import type { Fit, Member } from './fit.ts';
import { isOpenAiCall, isResult, readCall, readResult } from './openai-calls.ts';

const roles: Readonly<Record<string, StepSource>> = {
  user: 'user',
  assistant: 'agent',
  system: 'system',
  developer: 'system',
};

const otherItems: Readonly<Record<string, readonly [kind: string, why: string]>> = {
  mcp_list_tools: ['tool-listing', 'a list of the tools of a server'],
  mcp_approval_request: ['approval', 'who allowed a call is not carried in steps'],
  mcp_approval_response: ['approval', 'who allowed a call is not carried in steps'],
  tool_approval_item: ['approval', 'who allowed a call is not carried in steps'],
  item_reference: ['item-reference', 'an item that only its provider has'],
};

const textTypes: ReadonlySet<string> = new Set([
  'input_text',
  'output_text',
  'text',
  'summary_text',
  'reasoning_text',
]);

export function fitsOpenAiAgents(value: unknown): Fit {
  const item = itemOf(value);
  const type = textIn(item, 'type');
  if (item === null) return 'no';
  if (item !== fieldsOf(value)) return 'sure';
  if (type === 'reasoning') return (listIn(item, 'summary') ?? listIn(item, 'content')) ? 'sure' : 'no';
  if (type !== null && (isOpenAiCall(type) || isResult(type) || Object.hasOwn(otherItems, type)))
    return 'sure';
  if (type === 'compaction') return textIn(item, 'encrypted_content') === null ? 'no' : 'sure';
  if (type !== null && type !== 'message') return 'no';
  if (!Object.hasOwn(roles, textIn(item, 'role') ?? '')) return 'no';
  const parts = listIn(item, 'content');
  if (parts === null) return textIn(item, 'content') === null ? 'no' : type === null ? 'maybe' : 'sure';
  const named = parts.some((part) => /^(input|output)_|^refusal$/.test(textIn(fieldsOf(part), 'type') ?? ''));
  return named || type === 'message' ? 'sure' : 'no';
}

/** What a run item wraps, or the item itself. */
function itemOf(value: unknown): Fields | null {
  const fields = fieldsOf(value);
  const raw = partIn(fields, 'rawItem');
  return raw !== null && textIn(fields, 'type')?.endsWith('_item') === true ? raw : fields;
}

export function readOpenAiAgents(items: readonly Member[], list: StepList): void {
  const reading = new ItemReading(list);
  for (const { place, value } of items) {
    list.record = place;
    if (textIn(fieldsOf(value), 'type') === 'tool_approval_item') reading.item(fieldsOf(value));
    else reading.item(itemOf(value));
  }
}

class ItemReading {
  readonly #list: StepList;
  /** The answer of the model that is being read. */
  #answer: OpenStep | null = null;

  constructor(list: StepList) {
    this.#list = list;
  }

  item(item: Fields | null): void {
    const type = textIn(item, 'type') ?? 'message';
    if (item === null) return this.#lose('item-unknown', 'an item of an unknown type');
    if (type === 'message') return this.#message(item);
    if (type === 'reasoning') return this.#reasoning(item);
    if (type === 'compaction') return this.#compaction();
    if (isOpenAiCall(type)) return readCall(item, type, this.#goOn(), this.#list);
    if (isResult(type)) {
      this.#answer = null;
      return readResult(item, type, this.#list);
    }
    const [kind, why] = (Object.hasOwn(otherItems, type) ? otherItems[type] : undefined) ?? [
      'item-unknown',
      'an item of an unknown type',
    ];
    this.#lose(kind, why);
  }

  #message(item: Fields): void {
    const role = textIn(item, 'role') ?? '';
    const source = Object.hasOwn(roles, role) ? roles[role] : undefined;
    if (source === undefined) return this.#lose('message-unknown', 'a message without a role that is known');
    const step = source === 'agent' ? this.#begin() : this.#list.begin(source);
    if (source !== 'agent') this.#answer = null;
    const whole = textIn(item, 'content');
    const texts = whole === null ? partsIn(item, 'content').flatMap((part) => this.#text(part)) : [whole];
    step.texts.push(texts.join(''));
  }

  #text(part: Fields): string[] {
    const type = textIn(part, 'type') ?? '';
    if (textTypes.has(type)) return [textIn(part, 'text') ?? ''];
    if (type === 'refusal') return [textIn(part, 'refusal') ?? ''];
    if (type === 'audio' && textIn(part, 'transcript') !== null) {
      this.#lose('media', 'content that is no text is not carried in steps');
      return [textIn(part, 'transcript') ?? ''];
    }
    const known = /^(input_)?(image|file|audio)$/.test(type);
    this.#lose(
      known ? 'media' : 'part-unknown',
      known ? 'content that is no text is not carried in steps' : 'a part of an unknown type',
    );
    return [];
  }

  /** The raw words if they are there, else the summary that users see. */
  #reasoning(item: Fields): void {
    const words = [partsIn(item, 'rawContent'), partsIn(item, 'content'), partsIn(item, 'summary')].map(
      (parts) => parts.flatMap((part) => textIn(part, 'text') ?? []).join('\n\n'),
    );
    const text = words.find((some) => some !== '');
    const sealed =
      textIn(item, 'encrypted_content') ??
      textAt(partIn(item, 'providerData'), 'encryptedContent', 'encrypted_content');
    if (text !== undefined) {
      const step = this.#answer;
      const open = step !== null && step.texts.length === 0 && step.calls.length === 0 ? step : this.#begin();
      open.reasoning.push(text);
    } else if (sealed !== null)
      this.#lose('reasoning-encrypted', 'reasoning that only its provider can read');
  }

  #compaction(): void {
    this.#answer = null;
    this.#list.begin('system').mark = 'compaction';
    this.#lose('compaction-encrypted', 'a summary that only its provider can read');
  }

  /** A step for new words: the one under way if it has none yet. */
  #begin(): OpenStep {
    const open = this.#answer;
    if (open !== null && open.texts.length === 0 && open.calls.length === 0) return open;
    this.#answer = this.#list.begin('agent');
    return this.#answer;
  }

  #goOn(): OpenStep {
    this.#answer ??= this.#list.begin('agent');
    return this.#answer;
  }

  #lose(kind: string, why: string): void {
    this.#list.losses.add(kind, why);
  }
}

/** What a saved run holds: what it began with, and what came of it. Null where it is none. */
export function itemsOfRun(fields: Fields): readonly unknown[] | null {
  const generated = listIn(fields, 'generatedItems');
  const given = own(fields, 'originalInput');
  if (generated === null || given === undefined) return null;
  const before: readonly unknown[] =
    typeof given === 'string' ? [{ role: 'user', content: given }] : Array.isArray(given) ? given : [];
  return [...before, ...generated];
}
