import { describe, expect, test } from 'vitest';
import { bareFacts } from './bare-facts.ts';
import { conditionOf } from './condition.ts';
import type { ToolCall, Step, Transcript } from './step.ts';

const call: ToolCall = { id: 'c', tool: 'shell', args: {} };

function of(steps: readonly Partial<Step>[], unanswered: readonly ToolCall[] = []): Transcript {
  return {
    facts: bareFacts('gemini-cli', 's'),
    steps: steps.map((step, index) => ({
      id: index + 1,
      source: 'agent',
      at: null,
      text: '',
      record: index,
      ...step,
    })),
    omissions: [],
    unanswered,
  };
}

const prompt = { source: 'user', text: 'Measure it.' } as const;

describe('whose turn it is', () => {
  test('the person’s, once the model has answered', () => {
    expect(conditionOf(of([prompt, { text: 'It takes a second.' }]))).toMatchObject({
      settled: true,
      turn: 'person',
    });
  });

  test('the person’s, after a command that only steers the program', () => {
    const exit = { source: 'user', text: '/exit', mark: 'command' } as const;
    expect(conditionOf(of([prompt, { text: 'It takes a second.' }, exit]))).toMatchObject({ turn: 'person' });
  });

  test('the model’s, as long as it has not', () => {
    expect(conditionOf(of([prompt]))).toMatchObject({ settled: false, turn: 'model' });
    const answered = { calls: [call], results: [{ call: 'c', text: '1 s', failed: false }] };
    expect(conditionOf(of([prompt, { text: 'I measure it.', ...answered }]))).toMatchObject({
      settled: false,
      turn: 'model',
    });
  });

  test('the tool’s, while a call has no result', () => {
    expect(conditionOf(of([prompt, { calls: [call] }], [call]))).toMatchObject({
      settled: false,
      turn: 'tool',
      calls: [call],
    });
  });

  test('an answer that thinks and says nothing is none yet', () => {
    expect(conditionOf(of([prompt, { reasoning: 'It has to be measured.' }]))).toMatchObject({
      settled: false,
      turn: 'model',
    });
  });

  test('nobody’s in a session that has not begun, or that was stopped', () => {
    expect(conditionOf(of([]))).toMatchObject({ settled: true, stopped: null });
    const limit = { source: 'system', text: 'Quota exceeded.', mark: 'usage-limit' } as const;
    expect(conditionOf(of([prompt, limit]))).toMatchObject({ settled: true, stopped: 'usage-limit' });
  });
});
