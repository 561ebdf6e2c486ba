import { expect, test } from 'vitest';
import { storyOfSteps } from '../../test/support/story.ts';
import { goalNotStated } from '../core/reasoning/not-stated.ts';
import { draftOf, hurriedDraftOf } from './draft-session.ts';

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

test('a request after a question is the goal, with the question before it', () => {
  const { contract } = draftOf(
    storyOfSteps([
      [
        'user',
        'Why does the checkout page hang on Safari? Track it down and make it load again. Ship no polyfill.',
      ],
    ]),
  );
  expect(contract.goal).toBe(
    '“Why does the checkout page hang on Safari? Track it down and make it load again.” [s1]',
  );
});

test('a question that was answered is where it began once something is asked for', () => {
  const { contract } = draftOf(
    storyOfSteps([
      ['user', 'how are the thumbnails made?'],
      ['agent', 'By sharp, on upload.'],
      ['user', 'I see. Please move that to a queue, so that uploads return at once.'],
      ['agent', 'Moving it.'],
      ['user', 'run the tests again'],
    ]),
  );
  expect(contract.title).toBe('Please move that to a queue, so that uploads return at once.');
  expect(contract.goal).toBe(
    '“Please move that to a queue, so that uploads return at once.” [s3]\nIt began with: “how are the thumbnails made?” [s1]',
  );
});

test('a question that nothing followed stays the goal', () => {
  const { contract } = draftOf(
    storyOfSteps([
      ['user', 'how are the thumbnails made?'],
      ['agent', 'By sharp, on upload.'],
    ]),
  );
  expect(contract.goal).toBe('“how are the thumbnails made?” [s1]');
});

test.each([
  [
    'Sign-up mails arrive twice. I need that fixed by noon.',
    'Sign-up mails arrive twice. I need that fixed by noon.',
  ],
  [
    'We have a script that rotates the logs. It dies on Sundays. Please repair it.',
    'We have a script that rotates the logs. It dies on Sundays. Please repair it.',
  ],
  [
    'Search is slow. Nobody uses it any more. Build an index for titles.',
    'Search is slow. … Build an index for titles.',
  ],
  ['Hello there. Add a dry-run mode to the importer.', 'Add a dry-run mode to the importer.'],
])('a goal says what it is about: %s', (text, goal) => {
  expect(draftOf(storyOfSteps([['user', text]])).contract.goal).toBe(`“${goal}” [s1]`);
});

test('a command to the program is no goal', () => {
  const { contract } = draftOf(
    storyOfSteps([
      ['user', '/model haiku'],
      ['user', 'Add a dry-run mode to the importer.'],
    ]),
  );
  expect(contract.goal).toBe('“Add a dry-run mode to the importer.” [s2]');
});

test('a goal that was replaced is where it began', () => {
  const { contract } = draftOf(
    storyOfSteps([
      ['user', 'Write the report as PDF.'],
      ['user', 'Actually, write the report as CSV instead.'],
    ]),
  );
  expect(contract.goal).toBe(
    '“Actually, write the report as CSV instead.” [s2]\nIt began with: “Write the report as PDF.” [s1]',
  );
});

test('what replaced a request comes before the question that the session began with', () => {
  const { contract } = draftOf(
    storyOfSteps([
      ['user', 'Is there a reason why we have two loggers?'],
      ['user', "Let's get rid of winston."],
      ['user', 'Sorry, forget that, get rid of pino instead.'],
    ]),
  );
  expect(contract.title).toBe('Sorry, forget that, get rid of pino instead.');
});

test('a goal that was taken back and not replaced is not stated', () => {
  const { contract } = draftOf(
    storyOfSteps([
      ['user', 'Write the report as PDF.'],
      ['user', 'Scratch that.'],
    ]),
  );
  expect(contract.goal).toBe(goalNotStated);
});

test('in a hurry the contract is the same, and claims of a very long session are of how it ended', () => {
  const story = storyOfSteps([
    ['user', 'Please add an export. Never log tokens at INFO level.'],
    ['agent', 'I decided to stream the rows, because the table does not fit into memory.'],
    ...Array.from({ length: 400 }, () => ['agent', 'The table is read. '.repeat(150)] as const),
    ['user', 'It is done when npm test passes.'],
    ['agent', 'I decided to write CSV, because every program reads it.'],
    ['agent', 'Next I will write the header.'],
  ]);
  const [whole, hurried] = [draftOf(story), hurriedDraftOf(story)];
  expect(hurried.contract()).toEqual(whole.contract);
  expect(whole.claims.decisions?.map(({ evidence }) => evidence)).toEqual([['s2'], ['s404']]);
  expect(hurried.claims()).toEqual({ ...whole.claims, decisions: whole.claims.decisions?.slice(1) });
  expect(hurried.claims().next).toBe('Next I will write the header.');
});

test('a command that was run in a folder of the workspace is drafted as it runs from the root', () => {
  const ran = { id: 'c1', tool: 'Bash', args: { command: 'npm test' } };
  const story = storyOfSteps([
    ['user', 'Please add an export.'],
    ['agent', '', { calls: [ran], results: [{ call: 'c1', text: 'ok', failed: false }] }],
  ]);
  const validation = [{ run: ['cd pkg/a && npm test'], shell: true }];
  expect(draftOf(story, { within: 'pkg/a' }).contract).toMatchObject({ validation });
  expect(hurriedDraftOf(story, { within: 'pkg/a' }).contract()).toMatchObject({ validation });
  expect(draftOf(story).contract).toMatchObject({ validation: [{ run: ['npm', 'test'] }] });
});
