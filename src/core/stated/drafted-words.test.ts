/** What a draft makes of whole messages: labels, lists, questions, reviewers, and what was pasted beside a request. */
import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { draftContract } from './draft.ts';
import { statementsIn } from './statements.ts';

function drafted(...said: readonly string[]): ReturnType<typeof draftContract>['contract'] {
  return draftContract(
    storyOfSteps(said.flatMap((text) => [['user', text] as const, ['agent', 'OK.'] as const])),
  ).contract;
}

describe('a message with labels', () => {
  test('has no heading among what it states', () => {
    const { acceptance, constraints, nonGoals } = drafted(
      'Port the CLI to click.\n\nDefinition of done:\n- pytest is green\n\nNot now:\n- shell completion\n\nRules:\n- Python 3.9 still has to work',
    );
    expect([acceptance, constraints, nonGoals]).toEqual([
      ['pytest is green'],
      ['Python 3.9 still has to work'],
      ['shell completion'],
    ]);
  });

  test('states each part for itself, with and without empty lines between them', () => {
    const { goal, acceptance, constraints, nonGoals } = drafted(
      'Implement error bodies everywhere.\nAcceptance criteria:\n1. every answer has a title\n2. contract tests pass\nConstraints: keep the old field; no breaking change for clients\nOut of scope: GraphQL; the old pages',
    );
    expect(goal).toBe('Implement error bodies everywhere.');
    expect(acceptance).toEqual(['every answer has a title', 'contract tests pass']);
    expect(constraints).toEqual(['Constraints: keep the old field', 'no breaking change for clients']);
    expect(nonGoals).toEqual(['Out of scope: GraphQL', 'the old pages']);
  });

  test('keeps a heading with items that say nothing without it', () => {
    expect(drafted("Tidy the schema.\n\nDon't touch:\n- src/a.ts").constraints).toEqual([
      "Don't touch: src/a.ts",
    ]);
  });
});

describe('a goal', () => {
  test('that is asked for by a question has what follows as its content', () => {
    const { goal, constraints, nonGoals } = drafted(
      'can we get dark mode on the settings page? toggle in the top right, remembers across reloads. no redux pls. i dont care about IE.',
    );
    expect(goal).toBe(
      'can we get dark mode on the settings page? toggle in the top right, remembers across reloads.',
    );
    expect([constraints, nonGoals]).toEqual([['no redux pls.'], ['i dont care about IE.']]);
  });

  test('that asks only for an answer has no content', () => {
    expect(drafted('What is in src/billing? The invoices look odd.').goal).toBe('What is in src/billing?');
  });

  test.each([
    [
      "I'm thinking about splitting the monolith. For today only extract the mailer into its own package.",
      'For today only extract the mailer into its own package.',
    ],
    [
      "The README is wrong about ports; correct it. I'd like the table sorted too.",
      "The README is wrong about ports correct it.\nI'd like the table sorted too.",
    ],
    [
      'We have a memory leak in the websocket hub. Hunt it down.',
      'We have a memory leak in the websocket hub. Hunt it down.',
    ],
  ])('is what was asked for, and all of it: %s', (text, goal) => {
    expect(drafted(text).goal).toBe(goal);
  });

  test('is told with the words that say which thing was meant', () => {
    expect(drafted("let's do the CSV thing we discussed", 'the one where empty cells become null').goal).toBe(
      "let's do the CSV thing we discussed\nthe one where empty cells become null",
    );
  });
});

test.each([
  ['Caching at the edge is a no-no.', 'constraints'],
  ["Anything else would need legal's okay first.", 'constraints'],
  ['Ohne dabei die Snapshot-Tests anzufassen', 'constraints'],
  ["That'll do it when a newcomer can start the stack with one command.", 'acceptance'],
  ['Grün heißt: pnpm build und pnpm e2e laufen durch', 'acceptance'],
  ['Storybook machen wir separat', 'nonGoals'],
  ['Das Logging lassen wir erstmal so.', 'nonGoals'],
] as const)('“%s” is one of %s', (text, field) => {
  expect(drafted('Replace the spinner.', text)[field]).toEqual([text]);
});

describe('whoever is named to review', () => {
  test('is a person, and the words that name them are a rule', () => {
    const { review, constraints } = drafted("Add it here. Maria has to sign off before it's merged.");
    expect([review, constraints]).toEqual([{ human: true }, ["Maria has to sign off before it's merged."]]);
  });

  test.each([
    ['The agent dana has to approve it.', 'agent:dana'],
    ['Codex reviews the result before it is merged.', 'agent:codex'],
  ])('is an agent where the user says so: %s', (text, owner) => {
    expect(drafted(`Add it here. ${text}`).review).toEqual({ owner });
  });
});

describe('a request beside what was pasted', () => {
  test.each([
    [
      'src/upload.ts(41,7): error TS2322: Type string must not be null.\nsrc/upload.ts(42,7): error TS2322: you should never use any here\n\nfix those two',
      'fix those two',
    ],
    [
      'warning: unused variable `x` should never be read\n --> src/main.rs:4:9\nerror[E0382]: value must not be used after move\n --> src/main.rs:9:9\nmake it compile',
      'make it compile',
    ],
    ['ESLint: src/a.ts:3:5 error You must not use any  no-explicit-any\nplease clean up', 'please clean up'],
    [
      '$ git push\nremote: error: GH006: Protected branch update failed. Changes must be made through a pull request.\nfix that',
      'fix that',
    ],
    ['npm ERR! code ERESOLVE\nnpm ERR! You must not use --force here\nany idea?', 'any idea?'],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: x must not be negative\nplease fix',
      'please fix',
    ],
  ])('is told apart from it, and the rest binds nobody: %s', (text, request) => {
    const contract = drafted('Add an export.', text);
    expect([contract.constraints, contract.review]).toEqual([undefined, undefined]);
    const stated = statementsIn(storyOfSteps([['user', text]]).steps);
    expect(stated.filter(({ pasted }) => pasted !== true).map((one) => one.text)).toEqual([request]);
  });

  test('is all that a message says whose context an editor put before it', () => {
    const contract = drafted(
      '# Context from my IDE setup:\n\n## Active file: src/pay.ts\n\n## Open tabs:\n- pay.ts: src/pay.ts\n- never.md: docs/never.md\n\n## My request for Codex:\nMake refunds idempotent. Do not touch the ledger table.\n',
    );
    expect([contract.goal, contract.constraints]).toEqual([
      'Make refunds idempotent.',
      ['Do not touch the ledger table.'],
    ]);
  });
});
