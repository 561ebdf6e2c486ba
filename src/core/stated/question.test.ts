import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { unansweredQuestion } from './question.ts';

test('the question that the last message ends with waits for an answer', () => {
  const story = storyOfSteps([
    ['user', 'Add an export.'],
    ['agent', 'I looked at the routes. Should I use CSV or JSON?'],
  ]);
  expect(unansweredQuestion(story)).toEqual({ text: 'Should I use CSV or JSON?', ref: 2, at: null });
});

test('a question waits no longer when a user has spoken, or the agent went on', () => {
  const asked = ['agent', 'Should I use CSV or JSON?'] as const;
  expect(unansweredQuestion(storyOfSteps([asked, ['user', 'CSV']]))).toBeNull();
  expect(unansweredQuestion(storyOfSteps([asked, ['agent', 'I took CSV.']]))).toBeNull();
});

test('a question in the middle of a message, or by a subagent, is not put to the user', () => {
  const middle = 'Why is it slow? The cache is cold. It warms up later. That is fine. All good. Done.';
  expect(unansweredQuestion(storyOfSteps([['agent', middle]]))).toBeNull();
  const story = storyOfSteps(
    [
      ['agent', 'All is done.'],
      ['agent', 'Should I go on?', { session: 1 }],
    ],
    { parents: [null, 'made-0'] },
  );
  expect(unansweredQuestion(story)).toBeNull();
});

test('a question by a tool waits until the call has its result', () => {
  const calls = [{ id: 'c', tool: 'AskUserQuestion', args: { questions: [{ question: 'CSV or JSON?' }] } }];
  const waiting = storyOfSteps([['agent', 'One thing.', { calls }]]);
  expect(unansweredQuestion(waiting)?.text).toBe('CSV or JSON?');
  expect(unansweredQuestion(storyOfSteps([['agent', '', { calls }]]))?.text).toBe('CSV or JSON?');
  const results = [{ call: 'c', text: 'CSV', failed: false }];
  expect(unansweredQuestion(storyOfSteps([['agent', 'One thing.', { calls, results }]]))).toBeNull();
});
