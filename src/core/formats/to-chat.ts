/**
 * A story as messages for OpenAI's chat completions and for LangChain, and as items of the OpenAI Agents SDK: what the user and the agent
 * said, calls, and their results in messages of their own. What the model does not see any more is left out. A provider refuses a call that nothing answers, so one
 * without a result is answered by saying so.
 */
import { defined } from '../base/defined.ts';
import type { JsonObject, Omission, Result, ToolCall } from '../transcript/step.ts';
import type { Story, StoryStep } from '../transcript/story.ts';
import { Tally } from '../transcript/tally.ts';

export const messageShapes = ['openai', 'openai-agents', 'langchain'] as const;
export type MessageShape = (typeof messageShapes)[number];

export interface ChatMessages {
  readonly messages: readonly JsonObject[];
  readonly omissions: readonly Omission[];
}

export const unansweredWords = 'No result of this call is on record.';

export function toChat(story: Story, shape: MessageShape): ChatMessages {
  const losses = new Tally();
  const messages = story.steps.flatMap((step) => {
    if (step.aside === undefined) return messagesOf(step, writers[shape], losses);
    losses.add('aside', 'a step that the model does not see any more');
    return [];
  });
  return { messages, omissions: losses.omissions() };
}

interface Writer {
  readonly said: (by: 'user' | 'system', text: string) => JsonObject;
  readonly acted: (text: string, calls: readonly ToolCall[]) => JsonObject | readonly JsonObject[];
  readonly answered: (call: ToolCall, result: Pick<Result, 'text' | 'failed'>) => JsonObject;
}

const writers: Readonly<Record<MessageShape, Writer>> = {
  openai: {
    said: (role, content) => ({ role, content }),
    acted: (text, calls) => ({
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, tool, args, raw }) => ({
              id,
              type: 'function',
              function: { name: functionName(tool), arguments: raw ?? JSON.stringify(args) },
            })),
          }),
    }),
    answered: ({ id }, { text }) => ({ role: 'tool', tool_call_id: id, content: text }),
  },
  'openai-agents': {
    said: (role, content) => ({ type: 'message', role, content }),
    acted: (text, calls) => [
      ...(text === '' && calls.length > 0 ? [] : [spoken(text)]),
      ...calls.map(({ id, tool, args, raw }) => ({
        type: 'function_call',
        callId: id,
        name: functionName(tool),
        status: 'completed',
        arguments: raw ?? JSON.stringify(args),
      })),
    ],
    answered: ({ id, tool }, { text, failed }) => ({
      type: 'function_call_result',
      callId: id,
      name: functionName(tool),
      status: failed ? 'incomplete' : 'completed',
      output: { type: 'text', text },
    }),
  },
  langchain: {
    said: (by, content) => ({ type: by === 'user' ? 'human' : 'system', content }),
    acted: (content, calls) => ({
      type: 'ai',
      content,
      // Those that are no JSON have a place of their own there.
      ...defined({
        tool_calls: listed(calls, ({ raw }) => raw === undefined)?.map(({ id, tool, args }) => ({
          type: 'tool_call',
          id,
          name: tool,
          args,
        })),
        invalid_tool_calls: listed(calls, ({ raw }) => raw !== undefined)?.map(({ id, tool, raw = '' }) => ({
          type: 'invalid_tool_call',
          id,
          name: tool,
          args: raw,
        })),
      }),
    }),
    answered: ({ id, tool }, { text, failed }) => ({
      type: 'tool',
      content: text,
      tool_call_id: id,
      name: tool,
      status: failed ? 'error' : 'success',
    }),
  },
};

function spoken(text: string): JsonObject {
  const content = [{ type: 'output_text', text }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

function listed(calls: readonly ToolCall[], is: (call: ToolCall) => boolean): ToolCall[] | undefined {
  const some = calls.filter(is);
  return some.length === 0 ? undefined : some;
}

/** OpenAI takes letters, digits, underscores and dashes. */
function functionName(tool: string): string {
  return tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
}

function messagesOf(step: StoryStep, write: Writer, losses: Tally): JsonObject[] {
  const { source, text, reasoning, given, calls = [], results = [] } = step;
  if (source !== 'agent') {
    if (calls.length > 0) losses.add('action-of-others', 'only the assistant makes calls', calls.length);
    // Data in a user's place: a message of the system would be obeyed all the more.
    return [write.said(given === undefined && source === 'system' ? 'system' : 'user', text)];
  }
  if (reasoning !== undefined) losses.add('reasoning', 'these messages have no place for reasoning');
  if (results.some(({ other }) => other !== undefined))
    losses.add('media', 'content of results that is no text is only named');
  const byCall = new Map(results.map((result) => [result.call, result]));
  return [
    ...[write.acted(text, calls)].flat(),
    ...calls.map((call) => {
      const result = byCall.get(call.id);
      if (result === undefined) losses.add('unanswered', 'a call whose result is not on record');
      return write.answered(call, result ?? { text: unansweredWords, failed: true });
    }),
  ];
}
