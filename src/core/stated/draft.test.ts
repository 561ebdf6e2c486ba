import { describe, expect, test } from 'vitest';
import { called, ran, storyOfSteps } from '../../../test/support/story.ts';
import { Contract } from '../contract.ts';
import { draftClaims } from './claims.ts';
import { draftContract } from './draft.ts';

const ok = { text: '', failed: false };

describe('a drafted contract', () => {
  test('holds the words of the user with the steps that say them', () => {
    const story = storyOfSteps([
      ['user', 'I want a dry-run mode for the importer. Never touch src/api.ts.'],
      ['agent', 'Writing it.', called('Write', { file_path: 'src/import.ts', content: '' }, ok)],
      ['agent', '', ran('npm test -- import 2>&1 | tail -3', 0)],
      [
        'user',
        'It is done when two imports leave no duplicates. The installer is out of scope. @mkowalski reviews this.',
      ],
    ]);
    const { contract, evidence, missing } = draftContract(story);
    expect(contract).toEqual({
      title: 'I want a dry-run mode for the importer.',
      goal: 'I want a dry-run mode for the importer.',
      kind: 'code',
      acceptance: ['It is done when two imports leave no duplicates.'],
      constraints: ['Never touch src/api.ts.', '@mkowalski reviews this.'],
      nonGoals: ['The installer is out of scope.'],
      validation: [{ run: ['npm', 'test', '--', 'import'] }],
      review: { human: true },
    });
    expect(evidence).toEqual({
      title: ['s1'],
      goal: ['s1'],
      kind: ['s2'],
      acceptance: ['s4'],
      constraints: ['s1', 's4'],
      nonGoals: ['s4'],
      validation: ['s3'],
      review: ['s4'],
    });
    expect(missing).toEqual([]);
    expect(Contract.safeParse({ v: 1, ...contract }).success).toBe(true);
  });

  test('makes nothing up: what nobody said is missing, with an example', () => {
    const { contract, missing } = draftContract(storyOfSteps([['agent', 'Hello.']]));
    expect(contract).toEqual({});
    expect(missing.map(({ field }) => field)).toEqual([
      'goal',
      'acceptance',
      'constraints',
      'nonGoals',
      'validation',
      'review',
      'kind',
    ]);
    expect(missing.every(({ why, example }) => why !== '' && example !== '')).toBe(true);
  });

  test('leaves out what was taken back, and what agents want', () => {
    const { contract } = draftContract(
      storyOfSteps([
        ['user', 'Add an export. Never use the cache.'],
        ['agent', 'You must never touch the schema.'],
        ['user', 'Scratch that.'],
      ]),
    );
    expect(contract.constraints).toBeUndefined();
  });

  test('keeps a command that needs a shell as one line for it', () => {
    const { contract } = draftContract(storyOfSteps([['agent', '', ran('cd api && npm test', 0)]]));
    expect(contract.validation).toEqual([{ run: ['cd api && npm test'], shell: true }]);
  });

  test('names no reviewer that no agent could be', () => {
    const { contract } = draftContract(
      storyOfSteps([['user', 'Add an export. The security team has to sign off on it.']]),
    );
    expect(contract.review).toBeUndefined();
  });
});

describe('drafted claims', () => {
  test('are what the agent said, each with its step, and what was under way', () => {
    const story = storyOfSteps(
      [
        ['user', 'Add an export.'],
        ['agent', 'I decided to use cursors instead of page numbers because rows move.'],
        ['agent', 'I tried a global mutex, but two requests wait for each other forever.'],
        ['agent', 'I am blocked: I need the staging password.'],
        [
          'agent',
          'Next step: wire the reader in.',
          { calls: [{ id: 'c', tool: 'Bash', args: { command: 'npm test' } }] },
        ],
      ],
      { unanswered: [{ id: 'c', tool: 'Bash', args: { command: 'npm test' } }] },
    );
    expect(draftClaims(story)).toEqual({
      decisions: [
        { text: 'I decided to use cursors instead of page numbers because rows move.', evidence: ['s2'] },
      ],
      failed: [
        {
          what: 'I tried a global mutex, but two requests wait for each other forever.',
          why: 'as the agent said in s3',
          evidence: ['s3'],
        },
      ],
      blockers: [{ text: 'I am blocked: I need the staging password.', evidence: ['s4'] }],
      doing: [{ text: 'Was running when it stopped, outcome unknown: npm test', evidence: ['s5'] }],
      next: 'Next step: wire the reader in.',
    });
  });

  test('are none where nothing was said', () => {
    expect(draftClaims(storyOfSteps([['user', 'Add an export.']]))).toEqual({});
  });
});

test.each([
  'The nightly report takes 4 hours. I want it under 30 minutes.',
  'Our importer chokes on files with a mark at their beginning. Please fix it so that spreadsheets load.',
  'Hi! Our importer chokes on files with a mark at their beginning. Please fix it so that spreadsheets load.',
])('a goal that leans on the sentence before it quotes both: %s', (text) => {
  const { contract } = draftContract(storyOfSteps([['user', text]]));
  expect(contract.goal).toBe(text.replace('Hi! ', ''));
});

test('a request to make it so that something holds stands alone', () => {
  const story = storyOfSteps([['user', 'Morning all. I am new here. Make it so that drafts are kept.']]);
  expect(draftContract(story).contract.goal).toBe('Make it so that drafts are kept.');
});
