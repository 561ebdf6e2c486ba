/**
 * One event of Copilot CLI 1.0.102, a JSON object on a line: type, data, id, parentId, timestamp; agentId where an agent did it that a call
 * of the session started.
 *
 *   session.start                 sessionId, copilotVersion, startTime, context {cwd, branch}, selectedModel
 *   user.message                  content is what was said, transformedContent what the model was told of it. With a `source`, or as a
 *                                 continuation of the autopilot, nobody said it
 *   assistant.message             content, reasoningText, toolRequests {toolCallId, name, arguments}, model, apiCallId
 *   session.usage_record          the usage of an answer, by its apiCallId; comes before it
 *   tool.execution_complete       toolCallId, success, result {content}, error {message}, shellExecution {exitCode}
 *   hook.end                      output.additionalContext is what a hook told the model
 *   session.compaction_complete   summaryContent stands for all that was before
 *   session.context_cleared, session.snapshot_rewind   what the model does not see any more
 *   session.error, abort          how a turn came to its end
 *
 * system.message is the system prompt, and some of `model.` are whole requests: both are left out of a capture.
 */
import { filled } from '../../../core/base/defined.ts';
import {
  countIn,
  fieldsOf,
  jsonObject,
  listIn,
  looseText,
  own,
  partIn,
  partsIn,
  textIn,
  timeIn,
  type Fields,
} from '../../../core/transcript/loose-json.ts';
import type { Result, StepMark, ToolCall, Usage } from '../../../core/transcript/step.ts';
import { saysSpent, saysTooLong } from '../../limit-words.ts';

export interface CopilotEvent {
  readonly type: string;
  readonly data: Fields;
  readonly id: string;
  readonly at: number | null;
  /** Not of the session itself, but of an agent that a call of it started. */
  readonly isAgents: boolean;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Null where the bytes are no event. */
export function eventIn(bytes: Uint8Array): CopilotEvent | null {
  let fields: Fields | null;
  try {
    fields = fieldsOf(JSON.parse(decoder.decode(bytes)));
  } catch {
    return null;
  }
  const type = textIn(fields, 'type');
  const data = partIn(fields, 'data');
  if (type === null || data === null) return null;
  return {
    type,
    data,
    id: textIn(fields, 'id') ?? '',
    at: timeIn(fields, 'timestamp'),
    isAgents: textIn(fields, 'agentId') !== null,
  };
}

export const leftOut: Readonly<Record<string, string>> = {
  'system.message': 'system-prompt',
  'model.model_call_success': 'request-log',
  'model.messages_snapshot': 'request-log',
};

/** What a person said. Empty for what the program said in a user's name. */
export function promptIn(data: Fields): string {
  const isOwn = textIn(data, 'source') !== null || own(data, 'isAutopilotContinuation') === true;
  return isOwn ? '' : (textIn(data, 'content') ?? '');
}

/** `lost` counts arguments that cannot be handed on. */
export function callsIn(data: Fields, event: string): { readonly calls: ToolCall[]; readonly lost: number } {
  let lost = 0;
  const within = textIn(data, 'parentToolCallId');
  const calls = partsIn(data, 'toolRequests').map((request, place): ToolCall => {
    const given = own(request, 'arguments');
    const args = jsonObject(given ?? {});
    // Tools with a grammar of their own take a text.
    const raw = args === null && typeof given === 'string' ? { raw: given } : {};
    if (args === null && typeof given !== 'string') lost += 1;
    return {
      id: textIn(request, 'toolCallId') ?? `${event}-${place}`,
      tool: textIn(request, 'name') ?? 'unknown',
      args: args ?? {},
      ...raw,
      ...filled({ within }),
    };
  });
  return { calls, lost };
}

/** Null where it is none that can be understood. */
export function resultIn(data: Fields): Result | null {
  const call = textIn(data, 'toolCallId');
  const result = partIn(data, 'result');
  const failed = own(data, 'success') !== true;
  const exit = countIn(partIn(data, 'shellExecution'), 'exitCode');
  const text = looseText(own(result, 'content') ?? own(partIn(data, 'error'), 'message') ?? '');
  if (call === null || text === null) return null;
  const other = (listIn(result, 'binaryResultsForLlm') ?? []).map(
    (one) => textIn(fieldsOf(one), 'mimeType') ?? 'unknown',
  );
  return {
    call,
    text,
    failed,
    ...(!failed && (exit ?? 0) === 0 ? { passed: true } : {}),
    ...filled({ exit, other }),
  };
}

export function usageIn(data: Fields): { readonly answer: string; readonly usage: Usage } | null {
  const told = partIn(data, 'usage');
  const answer = textIn(told, 'apiCallId');
  if (told === null || answer === null) return null;
  const counts = {
    input: countIn(told, 'inputTokens'),
    output: countIn(told, 'outputTokens'),
    cached: countIn(told, 'cacheReadTokens'),
    window: countIn(told, 'inputTokens'),
    windowMax: countIn(told, 'maxPromptTokens'),
  };
  return { answer, usage: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null)) };
}

/** Limits that last for days, by the code of the service. */
const longLimits: ReadonlySet<string> = new Set(['user_weekly_rate_limited', 'user_monthly_rate_limited']);

export function failureIn(data: Fields): { readonly text: string; readonly mark: StepMark } {
  const text = textIn(data, 'message') ?? '';
  const type = textIn(data, 'errorType');
  const isSpent =
    type === 'quota' ||
    countIn(data, 'statusCode') === 402 ||
    longLimits.has(textIn(data, 'errorCode') ?? '') ||
    saysSpent(text);
  if (isSpent) return { text, mark: 'usage-limit' };
  if (type === 'context_limit' || saysTooLong(text)) return { text, mark: 'context-limit' };
  return {
    text,
    mark: type === 'rate_limit' || countIn(data, 'statusCode') === 429 ? 'rate-limited' : 'error',
  };
}
