import { expect, test } from 'vitest';
import { storyOfSteps } from '../../test/support/story.ts';
import { goalNotStated } from '../core/missing.ts';
import { draftOf } from './draft-session.ts';

test('a contract drafted from a session quotes its users, each line with its step', () => {
  const { contract, evidence } = draftOf(
    storyOfSteps([
      ['user', 'Please add an export. Never log tokens at INFO level.'],
      ['agent', 'Fine.'],
      ['user', 'It is done when npm test passes. PDF output is not what I am after.'],
    ]),
  );
  expect(contract).toEqual({
    title: 'Please add an export.',
    goal: '“Please add an export.” [s1]',
    constraints: ['“Never log tokens at INFO level.” [s1]'],
    acceptance: ['“It is done when npm test passes.” [s3]'],
    nonGoals: ['“PDF output is not what I am after.” [s3]'],
  });
  expect(evidence).toMatchObject({ goal: ['s1'], acceptance: ['s3'] });
});

test('a session that only says what is not wanted has no goal', () => {
  const { contract } = draftOf(storyOfSteps([['user', 'Rewriting the parser is not what this is about.']]));
  expect(contract).toMatchObject({
    goal: goalNotStated,
    nonGoals: ['“Rewriting the parser is not what this is about.” [s1]'],
  });
});
