/**
 * Calls and results. A call stands in `toolCalls` of the agent's message, with its result, once it was answered; a session that
 * was resumed or compacted has calls as `functionCall` parts as well, or only so. A result stands a second time in the `user`
 * message that follows. After a rewrite of the history `toolCalls[].result` holds *all* results of that turn, also those of
 * other calls: only the part with the id of the call is its own.
 */
import { filled } from '../../../core/base/defined.ts';
import type { ToolCall, Result } from '../../../core/transcript/step.ts';
import { repliesIn } from './replies.ts';
import type { Fields } from '../../../core/transcript/loose-json.ts';
import { fieldsOf, jsonObject, looseText, listIn, own, textIn } from '../../../core/transcript/loose-json.ts';
import { contentParts } from '../../content-parts.ts';
import type { Tally } from '../../../core/transcript/tally.ts';

/** Of what is neither text nor a part that is known. */
export const unknownContent = 'content of a kind this version does not know; its bytes are kept';

export interface CallSeen {
  readonly call: ToolCall;
  readonly result: Result | null;
}

export function callsIn(message: string, fields: Fields, parts: readonly Fields[], tally: Tally): CallSeen[] {
  const seen = new Map<string, CallSeen>();
  for (const [i, value] of (listIn(fields, 'toolCalls') ?? []).entries()) {
    const call = recordedCall(`${message}/${i}`, value, tally);
    if (call === null) tally.add('unknown-content', unknownContent);
    else seen.set(call.call.id, call);
  }
  for (const [i, part] of parts.entries()) {
    const inner = fieldsOf(own(part, 'functionCall'));
    if (inner === null) continue;
    const call = callOf(`${message}/part-${i}`, inner, tally);
    if (!seen.has(call.id) && !(textIn(inner, 'id') === null && seen.size > 0))
      seen.set(call.id, { call, result: null });
  }
  return [...seen.values()];
}

export function responsesIn(parts: readonly Fields[], tally: Tally): Result[] {
  return parts.flatMap((part) => {
    const response = fieldsOf(own(part, 'functionResponse'));
    const id = response === null ? null : textIn(response, 'id');
    return response === null || id === null
      ? []
      : [responseOf(id, response, { beside: [], status: null, tally })];
  });
}

function recordedCall(fallback: string, value: unknown, tally: Tally): CallSeen | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const agent = textIn(fields, 'agentId');
  const call = callOf(fallback, fields, tally);
  const result = resultIn(call.id, fields, tally);
  return {
    call: agent === null ? call : { ...call, subagent: agent },
    result: result === null ? null : { ...result, ...repliesIn(call, fields, result.text) },
  };
}

function callOf(fallback: string, fields: Fields, tally: Tally): ToolCall {
  const id = textIn(fields, 'id') ?? fallback;
  const tool = textIn(fields, 'name') ?? 'unknown';
  const given = own(fields, 'args');
  const args = jsonObject(given);
  if (args !== null) return { id, tool, args };
  const raw = given === undefined || given === null ? undefined : looseText(given);
  if (raw === null) tally.add('arguments', 'arguments nested too deeply to be written down again');
  return { id, tool, args: {}, ...(typeof raw === 'string' ? { raw } : {}) };
}

function resultIn(call: string, fields: Fields, tally: Tally): Result | null {
  const status = textIn(fields, 'status');
  const result = own(fields, 'result');
  if (result === undefined || result === null) return null;
  if (typeof result === 'string') return { call, text: result, ...endedBy(status) };
  const parts = contentParts(result);
  const responses = parts
    .map((part) => fieldsOf(own(part, 'functionResponse')))
    .filter((response) => response !== null);
  const mine = responses.find((response) => textIn(response, 'id') === call) ?? responses[0];
  if (mine === undefined) return { call, text: textsIn(parts), ...endedBy(status), ...others(parts) };
  return responseOf(call, mine, { beside: responses.length === 1 ? parts : [], status, tally });
}

interface Around {
  /** Parts that stand with it. */
  readonly beside: readonly Fields[];
  /** What the program says became of the call; null where it does not. */
  readonly status: string | null;
  readonly tally: Tally;
}

function responseOf(call: string, response: Fields, { beside, status, tally }: Around): Result {
  const body = own(response, 'response');
  const inner = fieldsOf(body);
  const output = inner === null ? body : own(inner, 'output');
  const error = inner === null ? undefined : own(inner, 'error');
  const value = output ?? error ?? (inner === null || Object.keys(inner).length === 0 ? '' : inner);
  const written = looseText(value);
  if (written === null) tally.add('result', 'a result nested too deeply to be written down again');
  const text = [written ?? '', textsIn(beside)].filter((one) => one !== '').join('\n');
  const exit = exitIn(textIn(response, 'name'), text);
  return {
    call,
    text,
    ...(output === undefined && error !== undefined ? { failed: true } : endedBy(status, exit)),
    ...filled({ exit }),
    ...others([...beside, ...contentParts(own(response, 'parts') ?? [])]),
  };
}

function endedBy(status: string | null, exit: number | null = null): Pick<Result, 'failed' | 'passed'> {
  if (status === 'error' || status === 'cancelled') return { failed: true };
  return status === 'success' && (exit ?? 0) === 0 ? { failed: false, passed: true } : { failed: false };
}

/** The shell tool states the code on a line of its own behind what was printed; newer versions only where it is not 0. */
function exitIn(tool: string | null, text: string): number | null {
  if (tool !== 'run_shell_command') return null;
  const at = text.lastIndexOf('\nExit Code: ') + 1;
  const match =
    at === 0 && !text.startsWith('Exit Code: ')
      ? null
      : /^Exit Code: (\d{1,9})(?:\n|$)/.exec(text.slice(at, at + 32));
  return match === null ? null : Number(match[1]);
}

function textsIn(parts: readonly Fields[]): string {
  return parts.map((part) => textIn(part, 'text') ?? '').join('');
}

function others(parts: readonly Fields[]): { other?: readonly string[] } {
  const kinds = parts.flatMap((part) => {
    const data = fieldsOf(own(part, 'inlineData')) ?? fieldsOf(own(part, 'fileData'));
    return data === null ? [] : [textIn(data, 'mimeType') ?? 'unknown'];
  });
  return kinds.length === 0 ? {} : { other: kinds };
}
