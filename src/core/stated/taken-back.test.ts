import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { draftContract } from './draft.ts';
import { statementsIn } from './statements.ts';
import { takenBackIn } from './taken-back.ts';

function drafted(...said: readonly string[]): ReturnType<typeof draftContract>['contract'] {
  return draftContract(
    storyOfSteps(said.flatMap((text) => [['user', text] as const, ['agent', 'OK.'] as const])),
  ).contract;
}

describe('a message that takes something back', () => {
  test('is an order, and what it takes back no longer holds', () => {
    const contract = drafted(
      'Move the sessions to Redis. The cookie must stay valid until the summer.',
      'Forget what I said about the summer, drop the cookie at once.',
    );
    expect(contract.nonGoals).toBeUndefined();
    expect(JSON.stringify(contract)).not.toContain('must stay valid');
    expect([contract.goal, ...(contract.constraints ?? [])].join('\n')).toContain('drop the cookie at once');
  });

  test.each([
    ['Disregard my earlier request and skip the index on email.'],
    ['On second thought, remove the index on email.'],
    ['Actually, never mind what I wrote about the index: leave out the one on email.'],
    ['Scratch that, exclude the index on email from the migration.'],
    ['I changed my mind about the index, omit it.'],
  ])('is never something that is not wanted: %s', (text) => {
    const contract = drafted('Write the migration. It must keep the index on email.', text);
    expect(contract.nonGoals).toBeUndefined();
    expect([contract.goal, ...(contract.constraints ?? [])].join('\n')).toContain(text);
  });

  test('takes back what it names, however little of that it repeats', () => {
    const found = statementsIn(
      storyOfSteps([
        ['user', 'Add an export. Reports older than ninety days must be kept in the archive bucket.'],
        ['user', 'Ignore what I said about the archive.'],
      ]).steps,
    );
    expect(found.filter(({ superseded }) => superseded === 2).map(({ text }) => text)).toEqual([
      'Reports older than ninety days must be kept in the archive bucket.',
    ]);
  });

  test('may still say outright that something is not part of the work', () => {
    const contract = drafted('Add an export.', 'I changed my mind, PDF is out of scope.');
    expect(contract.nonGoals).toEqual(['I changed my mind, PDF is out of scope.']);
  });

  test('states nothing where it names nothing and orders nothing', () => {
    expect(drafted('Add an export.', 'On second thought…').constraints).toBeUndefined();
  });
});

test('to drop something is work, unless it is dropped from the work', () => {
  expect(drafted('Tidy the schema.', 'Drop the legacy_users table as well.').nonGoals).toBeUndefined();
  expect(drafted('Tidy the schema.', 'Drop the dashboard idea, it is too big.').nonGoals).toHaveLength(1);
});

test('what is taken back and what is said in its place are told apart', () => {
  expect(takenBackIn('Forget what I said about the limit and use 50.')).toEqual({
    about: 'the limit',
    order: 'use 50.',
  });
  expect(takenBackIn('Do not forget what I said about the limit.')).toBeNull();
});
