/**
 * One record of Qwen Code 0.24.4, a JSON object on a line. All have uuid, parentUuid, sessionId, timestamp, type, cwd and version.
 *
 *   user          message.parts; provenance `real_user` for what somebody said. What hooks and the program added are parts of their own, in
 *                 tags of the program's. Words from standard input end with two line ends of the program's
 *   assistant     message.parts: text, thoughts (`thought`), functionCall; model, usageMetadata
 *   tool_result   message.parts: functionResponse; toolCallResult has how it ended
 *   system        by subtype: chat_compression has the history in place of the one before it; ui_telemetry tells of failed requests; the
 *                 others are no part of the conversation
 */
import type { ToolCall, StepMark, Result, Usage } from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';
import {
  countIn,
  fieldsOf,
  jsonObject,
  looseText,
  listIn,
  own,
  textIn,
  type Fields,
} from '../../../core/transcript/loose-json.ts';
import { contentParts } from '../../content-parts.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Null where the bytes are no JSON object. */
export function fieldsIn(bytes: Uint8Array): Fields | null {
  try {
    return fieldsOf(JSON.parse(decoder.decode(bytes)));
  } catch {
    return null;
  }
}

function partsIn(fields: Fields): Fields[] {
  const message = fieldsOf(own(fields, 'message'));
  return message === null ? [] : contentParts(own(message, 'parts') ?? []);
}

const knownParts = ['functionCall', 'functionResponse', 'thoughtSignature'] as const;
const mediaParts = ['inlineData', 'fileData'] as const;

/** What no step can say: content that is no text, and what nothing here knows. A message without parts is one. */
export function unsaidIn(fields: Fields): { readonly media: number; readonly strange: number } {
  const message = fieldsOf(own(fields, 'message'));
  const parts = message === null ? null : listIn(message, 'parts');
  if (parts === null) return { media: 0, strange: 1 };
  const kinds = parts.map((part) => {
    const known = fieldsOf(part);
    if (known === null) return 'strange';
    if (mediaParts.some((name) => own(known, name) !== undefined)) return 'media';
    const isKnown =
      textIn(known, 'text') !== null || knownParts.some((name) => own(known, name) !== undefined);
    return isKnown && !isTooDeep(known) ? 'said' : 'strange';
  });
  const count = (kind: string): number => kinds.filter((one) => one === kind).length;
  return { media: count('media'), strange: count('strange') };
}

function isTooDeep(part: Fields): boolean {
  const response = fieldsOf(own(part, 'functionResponse'));
  return response !== null && looseText(own(response, 'response') ?? '') === null;
}

/** Stands before words that would otherwise be taken for the program's: by us, where a session is written. */
export const guard = 'These are the words of the user:\n';

const block = /^\s*<(system-reminder|qwen:[a-z-]+|task-notification)\b[^]*<\/\1>\s*$/;
const filesBegin = '\n--- Content from referenced files ---';
const filesEnd = '\n--- End of content ---';

export function needsGuard(text: string): boolean {
  return block.test(text) || text.endsWith('\n\n') || [guard, filesBegin, filesEnd].includes(text);
}

/** What a person said, and what the program put beside it: hook output, reminders, and files that were named with an @. */
export function saidIn(fields: Fields): { readonly user: string; readonly context: string } {
  const texts = partsIn(fields).flatMap((part) => textIn(part, 'text') ?? []);
  const provenance = textIn(fields, 'provenance');
  const isOwn = (provenance !== null && provenance !== 'real_user') || own(fields, 'subtype') !== undefined;
  if (isOwn) return { user: '', context: texts.join('\n') };
  if (texts[0] === guard) return { user: texts.slice(1).join(''), context: '' };
  const user: string[] = [];
  const context: string[] = [];
  let isFile = false;
  for (const text of texts) {
    isFile ||= text === filesBegin;
    (isFile || block.test(text) ? context : user).push(text);
    if (text === filesEnd) isFile = false;
  }
  return { user: user.join('').replace(/\n\n$/, ''), context: context.join('\n') };
}

export function wordsIn(fields: Fields, isThought: boolean): string {
  return partsIn(fields)
    .filter((part) => (own(part, 'thought') === true) === isThought)
    .map((part) => textIn(part, 'text') ?? '')
    .join('');
}

/** `other` counts arguments that cannot be handed on. */
export function callsIn(fields: Fields, uuid: string): { readonly calls: ToolCall[]; readonly lost: number } {
  let lost = 0;
  const calls = partsIn(fields).flatMap((part, place): ToolCall[] => {
    const call = fieldsOf(own(part, 'functionCall'));
    if (call === null) return [];
    const args = jsonObject(own(call, 'args') ?? {});
    if (args === null) lost += 1;
    return [
      {
        id: textIn(call, 'id') ?? `${uuid}-${place}`,
        tool: textIn(call, 'name') ?? 'unknown',
        args: args ?? {},
      },
    ];
  });
  return { calls, lost };
}

export function resultsIn(fields: Fields): Result[] {
  const ended = fieldsOf(own(fields, 'toolCallResult')) ?? {};
  return partsIn(fields).flatMap((part): Result[] => {
    const response = fieldsOf(own(part, 'functionResponse'));
    const call = response === null ? null : textIn(response, 'id');
    if (response === null || call === null) return [];
    const body = fieldsOf(own(response, 'response')) ?? {};
    const error = own(body, 'error');
    const text = looseText(own(body, 'output') ?? error ?? '') ?? '';
    const exit = exitIn(ended);
    const failed = error !== undefined || textIn(ended, 'status') === 'error';
    const isOver = !failed && textIn(ended, 'status') === 'success' && (exit ?? 0) === 0;
    return [{ call, text, failed, ...(isOver ? { passed: true } : {}), ...(exit === null ? {} : { exit }) }];
  });
}

function exitIn(ended: Fields): number | null {
  const display = fieldsOf(own(ended, 'resultDisplay'));
  return display === null ? null : countIn(display, 'exitCode');
}

const usageNames = [
  ['input', 'promptTokenCount'],
  ['output', 'candidatesTokenCount'],
  ['cached', 'cachedContentTokenCount'],
  ['reasoning', 'thoughtsTokenCount'],
  ['window', 'totalTokenCount'],
] as const;

export function usageIn(fields: Fields): Usage | null {
  const told = fieldsOf(own(fields, 'usageMetadata'));
  if (told === null) return null;
  const counts = usageNames.flatMap(([ours, theirs]) => {
    const count = countIn(told, theirs);
    return count === null ? [] : [[ours, count] as const];
  });
  return Object.fromEntries(counts);
}

/** The summary that a compaction put in place of what was before it, and whatever it kept. */
export function compactedIn(fields: Fields): string | null {
  const payload = fieldsOf(own(fields, 'systemPayload'));
  const history = payload === null ? null : listIn(payload, 'compressedHistory');
  if (history === null) return null;
  const first = history.map(fieldsOf).find((one) => one !== null && textIn(one, 'role') === 'user');
  const texts = first === undefined || first === null ? [] : contentParts(own(first, 'parts') ?? []);
  return texts.map((part) => textIn(part, 'text') ?? '').join('');
}

/** The name that somebody gave to the session. */
export function titleIn(fields: Fields): string | null {
  const payload = fieldsOf(own(fields, 'systemPayload'));
  if (payload === null || textIn(fields, 'subtype') !== 'custom_title') return null;
  return textIn(payload, 'customTitle');
}

export interface Failed {
  readonly text: string;
  readonly mark: StepMark;
}

/** A request that the service refused. */
export function failureIn(fields: Fields): Failed | null {
  const payload = fieldsOf(own(fields, 'systemPayload'));
  const event = payload === null ? null : fieldsOf(own(payload, 'uiEvent'));
  if (event === null || textIn(event, 'event.name') !== 'qwen-code.api_error') return null;
  const text = textIn(event, 'error_message') ?? textIn(event, 'error') ?? '';
  const status = Number(own(event, 'status_code'));
  const mark =
    status === 402 || saysSpent(text)
      ? 'usage-limit'
      : saysTooLong(text)
        ? 'context-limit'
        : status === 429
          ? 'rate-limited'
          : 'error';
  return { text, mark };
}
