/**
 * What a new session is made of: for each thing one record for the model and one event for the screen, without which its history
 * would show empty. The model's record is what counts; the event carries exit codes besides.
 */
import { defined } from '../../core/base/defined.ts';
import type { Result } from '../../core/transcript/step.ts';
import { pathToFileURL } from 'node:url';
import { summaryKind } from './read/context.ts';
import { shellTool, type Mapped } from './tools.ts';

export interface NewRecord {
  readonly type: 'session_meta' | 'response_item' | 'event_msg';
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface WrittenTurn {
  readonly thread: string;
  readonly turn: string;
  readonly folder: string;
  readonly at: number;
}

export function taskStarted({ turn, at }: WrittenTurn): NewRecord {
  const payload = {
    type: 'task_started',
    turn_id: turn,
    started_at: Math.trunc(at / 1000),
    model_context_window: null,
    collaboration_mode_kind: 'default',
  };
  return { type: 'event_msg', payload };
}

export function taskComplete({ turn }: WrittenTurn, last: string | null): NewRecord {
  return { type: 'event_msg', payload: { type: 'task_complete', turn_id: turn, last_agent_message: last } };
}

export function userSaid(turn: WrittenTurn, text: string, id: string): NewRecord[] {
  const content = [{ type: 'text', text, text_elements: [] }];
  return [
    message('user', 'input_text', { text, kind: 'user.text', turn: turn.turn }),
    completed(turn, { type: 'UserMessage', id, content }),
  ];
}

export function agentSaid(turn: WrittenTurn, text: string, id: string): NewRecord[] {
  return [
    message('assistant', 'output_text', { text, kind: null, turn: turn.turn }),
    completed(turn, { type: 'AgentMessage', id, content: [{ type: 'Text', text }] }),
  ];
}

/** A summary of what came before is a user's message to the model, and none to the reader. */
export function summary(turn: string, text: string): NewRecord {
  return message('user', 'input_text', { text, kind: summaryKind, turn });
}

export function called(id: string, { tool, args, raw }: Mapped): NewRecord {
  return raw === undefined
    ? item({ type: 'function_call', name: tool, arguments: JSON.stringify(args), call_id: id })
    : item({ type: 'custom_tool_call', name: tool, input: raw, call_id: id, status: 'completed' });
}

export function answered(
  turn: WrittenTurn,
  id: string,
  { mapped, result }: { mapped: Mapped; result: Result },
): NewRecord[] {
  const type = mapped.raw === undefined ? 'function_call_output' : 'custom_tool_call_output';
  return [
    completed(
      turn,
      mapped.tool === shellTool ? command(turn, id, { mapped, result }) : toolCall(id, { mapped, result }),
    ),
    item({ type, call_id: id, output: result.text }),
  ];
}

const instant = { secs: 0, nanos: 0 };

function command(
  { folder }: WrittenTurn,
  id: string,
  { mapped, result }: { mapped: Mapped; result: Result },
): object {
  const cmd = typeof mapped.args['cmd'] === 'string' ? mapped.args['cmd'] : '';
  return {
    type: 'CommandExecution',
    id,
    process_id: null,
    command: ['bash', '-lc', cmd],
    cwd: pathToFileURL(folder).href,
    parsed_cmd: [{ type: 'unknown', cmd }],
    source: 'agent',
    status: result.failed ? 'failed' : 'completed',
    aggregated_output: result.text,
    exit_code: result.exit ?? null,
    duration: instant,
  };
}

function toolCall(id: string, { mapped, result }: { mapped: Mapped; result: Result }): object {
  return {
    type: 'DynamicToolCall',
    id,
    namespace: null,
    tool: mapped.tool,
    arguments: mapped.raw === undefined ? mapped.args : { input: mapped.raw },
    status: result.failed ? 'failed' : 'completed',
    content_items: [{ type: 'inputText', text: result.text }],
    success: !result.failed,
    ...defined({ exit_code: result.exit }),
    duration: instant,
  };
}

function completed({ thread, turn, at }: WrittenTurn, what: object): NewRecord {
  const times = { started_at_ms: at, completed_at_ms: at };
  return {
    type: 'event_msg',
    payload: { type: 'item_completed', thread_id: thread, turn_id: turn, item: what, ...times },
  };
}

function message(
  role: string,
  type: string,
  { text, kind, turn }: { readonly text: string; readonly kind: string | null; readonly turn: string },
): NewRecord {
  const kinds = kind === null ? {} : { content_item_kinds: [kind] };
  return item({
    type: 'message',
    role,
    content: [{ type, text }],
    internal_chat_message_metadata_passthrough: { turn_id: turn, ...kinds },
  });
}

function item(payload: Readonly<Record<string, unknown>>): NewRecord {
  return { type: 'response_item', payload };
}
