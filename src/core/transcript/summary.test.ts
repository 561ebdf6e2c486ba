import { expect, test } from 'vitest';
import { readAtif } from '../formats/atif-read.ts';
import { toAtif } from '../formats/atif.ts';
import { bareFacts } from './bare-facts.ts';
import { calledByModel } from './called-by-model.ts';
import { givenStep } from './given.ts';
import type { Step } from './step.ts';

const summary: Step = {
  id: 1,
  source: 'system',
  at: null,
  text: 'We sanded.',
  mark: 'compaction',
  summary: 'compaction',
  record: 0,
};
const scripted: Step = {
  id: 2,
  source: 'agent',
  at: null,
  text: '',
  calls: [
    { id: 'c', tool: 'exec', args: {}, raw: 'x' },
    { id: 'c/1', tool: 'exec_command', args: { cmd: 'ls' }, within: 'c' },
  ],
  results: [
    { call: 'c', text: '', failed: false, task: '3' },
    { call: 'c/1', text: '', failed: false },
  ],
  record: 1,
};

test('a summary, the call of a script and the id of a task come back from a trajectory', () => {
  const session = { facts: bareFacts('codex'), omissions: [], unanswered: [], rewritten: false };
  const steps = [summary, scripted].map((step) => ({ ...step, ref: step.id, session: 0 }));
  const back = readAtif(toAtif({ sessions: [session], steps, unread: [] }))?.steps;
  expect(back).toMatchObject([
    { summary: 'compaction' },
    { calls: scripted.calls, results: scripted.results },
  ]);
});

test('a transcript that nobody vouches for has no summary of a program', () => {
  expect(givenStep(summary, 'a file')).not.toHaveProperty('summary');
});

test('what a script called is not what the model called', () => {
  const { calls, results } = calledByModel(scripted);
  expect([calls?.map(({ id }) => id), results?.map(({ call }) => call)]).toEqual([['c'], ['c']]);
  expect(calledByModel(summary)).toBe(summary);
});
