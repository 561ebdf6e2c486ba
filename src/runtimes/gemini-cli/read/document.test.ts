/** Sessions of older versions: one document, on many lines. */
import { expect, test } from 'vitest';
import type { Step } from '../../../core/transcript/step.ts';
import { recordsIn } from './document.ts';
import { read as readSession } from './read.ts';

function stepsOf(...messages: readonly object[]): readonly Step[] {
  const at = '2026-01-10T02:08:26.108Z';
  const document = {
    sessionId: 'd1',
    projectHash: 'h',
    startTime: at,
    lastUpdated: at,
    messages: messages.map((message, place) => ({ id: `m${place}`, timestamp: at, ...message })),
  };
  const text = Buffer.from(JSON.stringify(document, null, 2));
  const { steps } = readSession(recordsIn(text));
  // Older captures have it as one record.
  const whole = readSession([text]).steps;
  expect(whole.map(({ record: _record, ...step }) => step)).toEqual(
    steps.map(({ record: _record, ...step }) => step),
  );
  return steps;
}

test('a session in one document is read as any other', () => {
  const ran = {
    functionResponse: { id: 't', name: 'run_shell_command', response: { output: 'Output: x\nExit Code: 0' } },
  };
  const steps = stepsOf(
    { type: 'user', content: 'sand the table' },
    {
      type: 'gemini',
      content: 'I will.',
      toolCalls: [
        { id: 't', name: 'run_shell_command', args: { command: 'sand' }, result: [ran], status: 'success' },
      ],
    },
    { type: 'gemini', content: 'Done.' },
  );
  expect(steps.map(({ source, text }) => [source, text])).toEqual([
    ['user', 'sand the table'],
    ['agent', 'I will.'],
    ['agent', 'Done.'],
  ]);
  expect(steps.map(({ record }) => record)).toEqual([1, 2, 3]);
  expect(steps[1]?.results).toMatchObject([{ call: 't', passed: true, exit: 0 }]);
});

test('what the program says to let the model go on is not a person’s', () => {
  const steps = stepsOf(
    { type: 'user', content: 'System: Please continue.' },
    { type: 'user', content: 'Please continue.' },
  );
  expect(steps.map(({ source }) => source)).toEqual(['system', 'user']);
});

test('the exit code is the one that the tool states, and not one that a command printed', () => {
  const output = 'Output: log\nExit Code: 0\nmore\nError: (none)\nExit Code: 3\nSignal: (none)';
  const ran = { functionResponse: { id: 't', name: 'run_shell_command', response: { output } } };
  const steps = stepsOf({
    type: 'gemini',
    content: '',
    toolCalls: [{ id: 't', name: 'run_shell_command', args: {}, result: [ran], status: 'success' }],
  });
  expect(steps[0]?.results?.[0]).toMatchObject({ exit: 3 });
  expect(steps[0]?.results?.[0]).not.toHaveProperty('passed');
});

test('the summary that took the place of the history is told as one', () => {
  const [step] = stepsOf({ type: 'user', content: '<state_snapshot>We sanded.</state_snapshot>' });
  expect(step).toMatchObject({ source: 'system', mark: 'compaction', summary: 'compaction' });
});
