import { expect, test } from 'vitest';
import { called, storyOfSteps } from '../../../test/support/story.ts';
import { draftClaims } from './claims.ts';
import { planIn } from './plan.ts';

const done = { text: 'ok', failed: false };

test.each([
  ['TodoWrite', 'todos', 'content'],
  ['update_plan', 'plan', 'step'],
  ['write_todos', 'todos', 'description'],
  ['todowrite', 'todos', 'content'],
])('the list of %s is read as it stood last', (tool, list, text) => {
  const plan = (...items: readonly (readonly [string, string])[]): ReturnType<typeof called> =>
    called(tool, { [list]: items.map(([words, status]) => ({ [text]: words, status })) }, done);
  const story = storyOfSteps([
    ['agent', '', plan(['read the schema', 'in_progress'], ['port the reader', 'pending'])],
    [
      'agent',
      '',
      plan(['read the schema', 'completed'], ['port the reader', 'in_progress'], ['ship', 'pending']),
    ],
  ]);
  expect(planIn(story)).toEqual({ ref: 2, doing: ['port the reader'], open: ['ship'] });
});

test('a list that is done, that failed, or that a subagent made is no plan', () => {
  const todo = { todos: [{ content: 'a', status: 'pending' }] };
  const finished = { todos: [{ content: 'a', status: 'completed' }] };
  expect(planIn(storyOfSteps([['agent', '', called('TodoWrite', finished, done)]]))).toBeNull();
  const failed = storyOfSteps([['agent', '', called('TodoWrite', todo, { text: '', failed: true })]]);
  expect(planIn(failed)).toBeNull();
  const said = { ...called('TodoWrite', todo, done), session: 1 };
  expect(planIn(storyOfSteps([['agent', '', said]], { parents: [null, 'made-0'] }))).toBeNull();
  expect(planIn(storyOfSteps([['agent', '', called('TodoWrite', { todos: 'none' }, done)]]))).toBeNull();
});

test('claims take the newer of a list and a sentence for the next action', () => {
  const list = called('update_plan', { plan: [{ step: 'port the reader', status: 'in_progress' }] }, done);
  const before = storyOfSteps([
    ['agent', 'Next step: add the migration.'],
    ['agent', '', list],
  ]);
  expect(draftClaims(before)).toMatchObject({
    next: 'port the reader',
    doing: [{ text: 'port the reader', evidence: ['s2'] }],
  });
  const after = storyOfSteps([
    ['agent', '', list],
    ['agent', 'Next step: add the migration.'],
  ]);
  expect(draftClaims(after).next).toBe('Next step: add the migration.');
});
