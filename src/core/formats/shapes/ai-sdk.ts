/**
 * Messages of the AI SDK (versions 5 to 7), by their shape.
 *
 *   UIMessage     {id, role, parts, metadata?}: a message of the assistant is a whole turn, in which `step-start` begins each
 *                 answer of the model; a tool's part (`tool-NAME`, `dynamic-tool`) has the call and, by its state, the result
 *   ModelMessage  {role, content}: content is a text or a list of parts; results come in messages of the role `tool`
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
  timeIn,
  type Fields,
} from '../../transcript/loose-json.ts';
import type { OpenStep, StepList } from '../../transcript/step-list.ts';
import type { Result, StepSource, Usage } from '../../transcript/step.ts';
import type { Fit, Member } from './fit.ts';

const roles: Readonly<Record<string, StepSource>> = { user: 'user', assistant: 'agent', system: 'system' };

export function fitsAiSdk(value: unknown): Fit {
  const fields = fieldsOf(value);
  const role = textIn(fields, 'role') ?? '';
  const parts = listIn(fields, 'parts');
  if (parts !== null) return Object.hasOwn(roles, role) && typed(parts) ? 'sure' : 'no';
  if (!Object.hasOwn(roles, role) && role !== 'tool') return 'no';
  const content = own(fields, 'content');
  if (typeof content === 'string') return role === 'tool' ? 'no' : 'maybe';
  if (!Array.isArray(content) || !typed(content)) return 'no';
  return content.some((part) => telling.has(textIn(fieldsOf(part), 'type') ?? '')) ? 'sure' : 'maybe';
}

/** Parts that no other shape has under these names. */
const telling: ReadonlySet<string> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning-file',
]);

function typed(parts: readonly unknown[]): boolean {
  return parts.every((part) => textIn(fieldsOf(part), 'type') !== null);
}

export function readAiSdk(messages: readonly Member[], list: StepList): void {
  for (const { place, value } of messages) {
    list.record = place;
    const fields = fieldsOf(value);
    const role = textIn(fields, 'role') ?? '';
    if (fields === null || !(Object.hasOwn(roles, role) || role === 'tool'))
      list.losses.add('message-unknown', 'a message without a role that is known');
    else new MessageReading(list, fields, roles[role] ?? null).read();
  }
}

class MessageReading {
  readonly #list: StepList;
  readonly #fields: Fields;
  /** Null for a message that has results only. */
  readonly #source: StepSource | null;
  #open: OpenStep | null = null;
  #first = true;

  constructor(list: StepList, fields: Fields, source: StepSource | null) {
    this.#list = list;
    this.#fields = fields;
    this.#source = source;
  }

  read(): void {
    const content = own(this.#fields, 'content');
    if (typeof content === 'string' && listIn(this.#fields, 'parts') === null) {
      this.#step().texts.push(content);
      return;
    }
    const parts = listIn(this.#fields, 'parts') ?? listIn(this.#fields, 'content');
    if (parts === null) return this.#lose('message-unknown', 'a message without a role that is known');
    if (parts.length === 0 && this.#source !== null) this.#step();
    for (const part of parts) this.#part(fieldsOf(part));
  }

  /** The step that is being said; times and counts are of the message, and stand in the first one. */
  #step(): OpenStep {
    if (this.#open !== null) return this.#open;
    const step = this.#list.begin(this.#source ?? 'agent');
    const metadata = partIn(this.#fields, 'metadata');
    step.at = timeIn(this.#fields, 'createdAt') ?? timeIn(metadata, 'createdAt');
    if (step.source === 'agent') step.model = textAt(metadata, 'model', 'modelId');
    if (step.source === 'agent' && this.#first) step.usage = usageOf(partIn(metadata, 'usage'));
    this.#first = false;
    this.#open = step;
    return step;
  }

  #part(part: Fields | null): void {
    const type = textIn(part, 'type') ?? '';
    if (part === null || type === '') return this.#lose('part-unknown', 'a part of an unknown type');
    switch (type) {
      case 'text':
        this.#step().texts.push(textIn(part, 'text') ?? '');
        return;
      case 'step-start':
        this.#open = null;
        return;
      case 'reasoning':
        return this.#reasoning(part);
      case 'tool-call':
        return this.#call(part, textIn(part, 'toolName'), own(part, 'input') ?? own(part, 'args'));
      case 'tool-result':
        this.#list.result(textIn(part, 'toolCallId'), resultOf(part));
        return;
      case 'dynamic-tool':
        return this.#tool(part, textIn(part, 'toolName'));
      default:
        if (type.startsWith('tool-') && !type.startsWith('tool-approval-'))
          return this.#tool(part, type.slice('tool-'.length));
        this.#other(type);
    }
  }

  #reasoning(part: Fields): void {
    const text = textIn(part, 'text') ?? '';
    if (text !== '') this.#step().reasoning.push(text);
    else this.#lose('reasoning-encrypted', 'reasoning that only its provider can read');
  }

  #call(part: Fields, tool: string | null, input: unknown): void {
    this.#list.call(this.#step(), { id: textIn(part, 'toolCallId'), tool: tool ?? 'unknown', input });
  }

  /** A call with its result, as far as it came. */
  #tool(part: Fields, tool: string | null): void {
    this.#call(part, tool, own(part, 'input') ?? own(part, 'rawInput'));
    const id = textIn(part, 'toolCallId');
    const state = textIn(part, 'state');
    if (state === 'output-available' && own(part, 'preliminary') === true)
      this.#lose('result-preliminary', 'a result that was still coming in');
    else if (state === 'output-available')
      this.#list.result(id, { ...outputOf(own(part, 'output')), failed: false });
    else if (state === 'output-error')
      this.#list.result(id, { text: textIn(part, 'errorText') ?? '', failed: true });
    else if (state === 'output-denied') {
      const reason = textIn(partIn(part, 'approval'), 'reason');
      this.#list.result(id, { text: reason ?? denied, failed: true });
    }
  }

  #other(type: string): void {
    if (this.#source === 'user' && (type === 'file' || type === 'image')) this.#step();
    if (['file', 'image', 'reasoning-file'].includes(type))
      this.#lose('media', 'content that is no text is not carried in steps');
    else if (type.startsWith('data-')) this.#lose('data-part', 'data that a program streamed to its page');
    else if (type.startsWith('source-')) this.#lose('source', 'a source that the model named');
    else if (type.startsWith('tool-approval-'))
      this.#lose('approval', 'who allowed a call is not carried in steps');
    else this.#lose('part-unknown', 'a part of an unknown type');
  }

  #lose(kind: string, why: string): void {
    this.#list.losses.add(kind, why);
  }
}

const denied = 'The call was denied.';

function outputOf(output: unknown): Omit<Result, 'call' | 'failed'> {
  return { text: output === undefined || output === null ? '' : (looseText(output) ?? '') };
}

/** The output says itself what it is; before version 5 it was bare. */
function resultOf(part: Fields): Omit<Result, 'call'> {
  const output = partIn(part, 'output');
  const type = textIn(output, 'type');
  const value = own(output, 'value');
  switch (type) {
    case 'text':
    case 'json':
      return { ...outputOf(value), failed: false };
    case 'error-text':
    case 'error-json':
      return { ...outputOf(value), failed: true };
    case 'execution-denied':
      return { text: textIn(output, 'reason') ?? denied, failed: true };
    case 'content':
      return { ...contentOf(partsIn(output, 'value')), failed: false };
    default:
      return {
        ...outputOf(own(part, 'output') ?? own(part, 'result')),
        failed: own(part, 'isError') === true,
      };
  }
}

function contentOf(parts: readonly Fields[]): Omit<Result, 'call' | 'failed'> {
  const texts = parts.flatMap((part) => textIn(part, 'text') ?? []);
  const other = parts
    .filter((part) => textIn(part, 'text') === null)
    .map((part) => textAt(part, 'mediaType', 'type') ?? 'unknown');
  return { text: texts.join('\n\n'), ...(other.length === 0 ? {} : { other }) };
}

function usageOf(usage: Fields | null): Usage | null {
  if (usage === null) return null;
  const counts = {
    input: countIn(usage, 'inputTokens'),
    output: countIn(usage, 'outputTokens'),
    cached:
      countIn(usage, 'cachedInputTokens') ?? countIn(partIn(usage, 'inputTokenDetails'), 'cacheReadTokens'),
    reasoning:
      countIn(usage, 'reasoningTokens') ?? countIn(partIn(usage, 'outputTokenDetails'), 'reasoningTokens'),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
}
