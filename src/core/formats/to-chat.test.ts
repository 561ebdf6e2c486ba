import { coerceMessageLikeToMessage, type AIMessage, type ToolMessage } from '@langchain/core/messages';
import { protocol } from '@openai/agents';
import { convertToModelMessages, safeValidateUIMessages, type UIMessage } from 'ai';
import { expect, test } from 'vitest';
import { bareFacts } from '../transcript/bare-facts.ts';
import type { Story, StoryStep } from '../transcript/story.ts';
import { detectShape } from './shapes/detect.ts';
import { toAiSdk } from './to-ai-sdk.ts';
import { messageShapes, toChat } from './to-chat.ts';

function step(ref: number, more: Partial<StoryStep> = {}): StoryStep {
  return { id: ref, ref, session: 0, source: 'user', at: null, text: `t${ref}`, record: 0, ...more };
}

const told: readonly StoryStep[] = [
  step(1, { source: 'system' }),
  step(2),
  step(3, { text: 'gone', aside: 'compacted' }),
  step(4, {
    source: 'agent',
    text: '',
    reasoning: 'why',
    calls: [
      { id: 'a', tool: 'sh', args: { command: 'ls' } },
      { id: 'b', tool: 'sh', args: {}, raw: 'broken {' },
      { id: 'c', tool: 'mcp.look', args: {} },
    ],
    results: [
      { call: 'a', text: 'a.txt', failed: false },
      { call: 'b', text: 'no', failed: true },
    ],
  }),
  step(5, { source: 'agent', text: 'done' }),
];
const story: Story = {
  sessions: [{ facts: bareFacts('codex', 'x'), omissions: [], unanswered: [], rewritten: false }],
  steps: told,
  unread: [],
};

test.each(messageShapes)('what is written for %s is read again as what it was', (shape) => {
  const { messages, omissions } = toChat(story, shape);
  expect(omissions.map(({ kind }) => kind).toSorted()).toEqual(['aside', 'reasoning', 'unanswered']);
  const steps = detectShape(Buffer.from(JSON.stringify(messages)))?.transcript.steps ?? [];
  expect(steps.map(({ source, text }) => [source, text])).toEqual([
    ['system', 't1'],
    ['user', 't2'],
    ['agent', ''],
    ['agent', 'done'],
  ]);
  const acting = steps.find(({ calls }) => calls !== undefined);
  // LangChain lists those that are no JSON apart.
  expect(acting?.calls?.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
    { id: 'a', args: { command: 'ls' } },
    { id: 'b', raw: 'broken {' },
    { id: 'c', args: {} },
  ]);
  expect(acting?.results?.map(({ text }) => text)).toEqual([
    'a.txt',
    'no',
    'No result of this call is on record.',
  ]);
});

test('LangChain takes its messages', () => {
  const taken = toChat(story, 'langchain').messages.map((message) =>
    coerceMessageLikeToMessage(message as never),
  );
  expect(taken.map((message) => message.getType())).toEqual([
    'system',
    'human',
    'ai',
    'tool',
    'tool',
    'tool',
    'ai',
  ]);
  expect((taken[2] as AIMessage).tool_calls?.map(({ id }) => id)).toEqual(['a', 'c']);
  expect((taken[4] as ToolMessage).status).toBe('error');
});

test('the OpenAI Agents SDK takes its items', () => {
  const { messages } = toChat(story, 'openai-agents');
  for (const item of messages) expect(protocol.ModelItem.safeParse(item)).toMatchObject({ success: true });
  expect(messages.map(({ type, role }) => role ?? type)).toEqual([
    'system',
    'user',
    ...Array.from({ length: 3 }, () => 'function_call'),
    ...Array.from({ length: 3 }, () => 'function_call_result'),
    'assistant',
  ]);
});

test('the AI SDK takes its messages, and no call is left without a result', async () => {
  const { messages, omissions } = toAiSdk(story, { answered: true });
  expect(omissions.map(({ kind }) => kind)).toEqual(['aside', 'unanswered']);
  expect(await safeValidateUIMessages({ messages })).toMatchObject({ success: true });
  const converted = await convertToModelMessages(messages as unknown as UIMessage[]);
  const idsOf = (type: string) =>
    converted.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part: { type: string; toolCallId?: string }) =>
            part.type === type ? [part.toolCallId] : [],
          ),
    );
  expect(idsOf('tool-call')).toEqual(['a', 'b', 'c']);
  expect(idsOf('tool-result')).toEqual(['a', 'b', 'c']);
});
