import { describe, expect, test } from 'vitest';
import { detectShape } from './shapes/detect.ts';
import { bareFacts } from '../transcript/bare-facts.ts';
import type { Story, StoryStep } from '../transcript/story.ts';
import { toAiSdk } from './to-ai-sdk.ts';

function step(ref: number, more: Partial<StoryStep> = {}): StoryStep {
  return { id: ref, ref, session: 0, source: 'user', at: null, text: `t${ref}`, record: 0, ...more };
}

function story(...steps: readonly StoryStep[]): Story {
  const facts = bareFacts('codex', 'x');
  return { sessions: [{ facts, omissions: [], unanswered: [], rewritten: false }], steps, unread: [] };
}

const acting: Partial<StoryStep> = {
  source: 'agent',
  at: 5000,
  reasoning: 'why',
  model: 'm',
  usage: { input: 10, output: 2, cached: 4, reasoning: 1 },
  calls: [
    { id: 'a', tool: 'sh', args: { command: 'ls' } },
    { id: 'b', tool: 'sh', args: {}, raw: 'broken {' },
    { id: 'c', tool: 'Task', args: {}, subagent: 'helper' },
  ],
  results: [
    { call: 'a', text: 'a.txt', failed: false, exit: 0 },
    { call: 'b', text: 'no', failed: true },
  ],
};

describe('toAiSdk', () => {
  test('a step of the agent has its parts in the order in which they came about', () => {
    const { messages } = toAiSdk(story(step(3, acting)));
    expect(messages).toEqual([
      {
        id: 's3',
        role: 'assistant',
        metadata: {
          createdAt: 5000,
          model: 'm',
          usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4, reasoningTokens: 1 },
          staffetta: { name: 's3', session: 0, runtime: 'codex' },
        },
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'why', state: 'done' },
          { type: 'text', text: 't3', state: 'done' },
          {
            type: 'dynamic-tool',
            toolName: 'sh',
            toolCallId: 'a',
            state: 'output-available',
            output: 'a.txt',
            input: { command: 'ls' },
            callProviderMetadata: { staffetta: { exit: 0 } },
          },
          {
            type: 'dynamic-tool',
            toolName: 'sh',
            toolCallId: 'b',
            state: 'output-error',
            errorText: 'no',
            input: 'broken {',
          },
          {
            type: 'dynamic-tool',
            toolName: 'Task',
            toolCallId: 'c',
            state: 'input-available',
            input: {},
            callProviderMetadata: { staffetta: { subagent: 'helper' } },
          },
        ],
      },
    ]);
  });

  test('users and programs speak in one part, even if it is empty', () => {
    const { messages } = toAiSdk(story(step(1, { text: '' }), step(2, { source: 'system', mark: 'error' })));
    expect(messages).toMatchObject([
      { role: 'user', parts: [{ type: 'text', text: '' }] },
      { role: 'system', parts: [{ type: 'text', text: 't2' }], metadata: { staffetta: { mark: 'error' } } },
    ]);
  });

  test('ids are unique where one record began several steps', () => {
    const { messages } = toAiSdk(story(step(1), step(1), step(2)));
    expect(messages.map(({ id }) => id)).toEqual(['s1', 's1.2', 's2']);
  });

  test('what the model does not see any more is left out and counted, unless asked for', () => {
    const told = story(step(1, { aside: 'compacted' }), step(2));
    expect(toAiSdk(told).messages.map(({ id }) => id)).toEqual(['s2']);
    expect(toAiSdk(told).omissions).toMatchObject([{ kind: 'aside', count: 1 }]);
    expect(toAiSdk(told, { asides: true }).messages.map(({ id }) => id)).toEqual(['s1', 's2']);
    expect(toAiSdk(told, { asides: true }).omissions).toEqual([]);
  });

  test('calls and reasoning of others, and pictures in results, are counted', () => {
    const results = [{ call: 'a', text: '', failed: false, other: ['image/png'] }];
    const odd = story(step(1, { ...acting, source: 'system' }), step(2, { ...acting, results }));
    expect(toAiSdk(odd).omissions.map(({ kind, count }) => [kind, count])).toEqual([
      ['action-of-others', 6],
      ['media', 1],
    ]);
  });

  test('what it wrote is read back', () => {
    const { messages } = toAiSdk(story(step(1), step(3, acting), step(4, { source: 'system' })));
    const back = detectShape(new TextEncoder().encode(JSON.stringify(messages)));
    expect(back?.shape).toBe('ai-sdk');
    expect(back?.transcript.steps).toMatchObject([
      { source: 'user', text: 't1' },
      {
        ...acting,
        text: 't3',
        calls: [{ id: 'a' }, { id: 'b', args: {}, raw: 'broken {' }, { id: 'c' }],
        results: [
          { call: 'a', text: 'a.txt', failed: false },
          { call: 'b', text: 'no', failed: true },
        ],
      },
      { source: 'system', text: 't4' },
    ]);
  });
});
