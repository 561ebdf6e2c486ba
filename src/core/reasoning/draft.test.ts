import { describe, expect, test } from 'vitest';
import { called, ran, storyOfSteps } from '../../../test/support/story.ts';
import {
  draftClaims,
  draftContract,
  goalNotStated,
  isDrafted,
  isNextByDefault,
  personLooks,
} from './draft.ts';

const first = 'Please add an export of the audit table, one file a day.';
const latest = 'Actually, make it one file an hour, and gzip it before it is uploaded.';

function answered(text: string, question: string): ReturnType<typeof called> {
  return called('AskUserQuestion', {}, { text: 'Answered.', failed: false, said: [{ text, question }] });
}

describe('a drafted contract', () => {
  test('quotes the latest request as the goal and the title, with the first and the last words beside it', () => {
    const { contract, evidence } = draftContract(
      storyOfSteps([
        ['user', first],
        ['agent', 'Done. Anything else?'],
        ['user', latest],
        ['agent', 'Done.'],
        ['user', 'STOP! Revert it.'],
        ['user', '/exit'],
      ]),
    );
    expect(contract).toEqual({
      title: `${latest} – said last: STOP! Revert it.`,
      goal: `“${latest}” [s3]\nIt began with: “${first}” [s1]\nSaid last: “STOP! Revert it.” [s5]`,
      acceptance: [personLooks],
      review: { human: true },
    });
    expect(evidence).toEqual({ title: ['s3'], goal: ['s3', 's1', 's5'] });
    expect(isDrafted(contract)).toBe(true);
  });

  test('makes terms only of what a user set under a heading, or answered to a tool since', () => {
    const plan = `Implement this:\n\n## Constraints\n- use Redis\n\n${'- a step of a plan\n'.repeat(200)}`;
    const { contract } = draftContract(
      storyOfSteps([
        [
          'user',
          `${first} Never log tokens.\n\n## Acceptance criteria\n- npm test passes\n- a file is there\n\nOut of scope: the old pages\n\nThanks!\n- just a list`,
        ],
        ['user', plan],
        ['agent', '', answered('Yes, push', 'Force-push now?')],
        ['user', 'Look at this:\n```\n## Constraints\n- pasted\n```\n> Constraints: quoted'],
        ['agent', '', answered('Postgres', 'Which database?')],
      ]),
    );
    expect(contract).toMatchObject({
      acceptance: ['“npm test passes” [s1]', '“a file is there” [s1]'],
      nonGoals: ['“the old pages” [s1]'],
      constraints: ['Asked “Which database?”: “Postgres” [s5]'],
    });
    expect(contract).not.toHaveProperty('review');
  });

  test('says that nobody said what it is for, where no user spoke', () => {
    expect(draftContract(storyOfSteps([['agent', 'Hello.']])).contract.goal).toBe(goalNotStated);
  });

  test('of a message of 5 MB is short, and made at once', () => {
    const { contract } = draftContract(storyOfSteps([['user', `Fix it. ${'log line\n'.repeat(600_000)}`]]));
    expect(contract.goal.length).toBeLessThan(2100);
    expect(contract.title.length).toBeLessThanOrEqual(200);
  });
});

describe('drafted claims', () => {
  test('name the last order as the next step, and that nobody else did', () => {
    const { next } = draftClaims(
      storyOfSteps([
        ['user', first],
        ['agent', 'The export is there. Shall I push?'],
        ['user', 'yes'],
      ]),
    );
    expect(next).toBe(
      'Nobody named a next step; the last order of a user stands: “yes” [s3], in answer to “The export is there. Shall I push?”',
    );
    expect(isNextByDefault(next)).toBe(true);
  });

  test('say what was under way, what is left and what was asked, by the record alone', () => {
    const call = { id: 'c', tool: 'ask_user', args: { question: 'CSV or JSON?' } };
    const plan = {
      plan: [
        { step: 'port the reader', status: 'in_progress' },
        { step: 'ship', status: 'pending' },
      ],
    };
    const claims = draftClaims(
      storyOfSteps(
        [
          ['user', first],
          [
            'agent',
            'I decided to use cursors. I am blocked.',
            called('update_plan', plan, { text: '', failed: false }),
          ],
          ['agent', '', ran('npm test', 1, 'no')],
          ['agent', '', { calls: [call] }],
        ],
        { unanswered: [call] },
      ),
    );
    expect(claims).toEqual({
      questions: [{ text: 'CSV or JSON?', owner: 'human', evidence: ['s4'] }],
      doing: [
        {
          text: 'Was running when it stopped, outcome unknown: ask_user {"question":"CSV or JSON?"}',
          evidence: ['s4'],
        },
        { text: 'port the reader', evidence: ['s2'] },
      ],
      remaining: [{ text: 'ship', evidence: ['s2'] }],
      next: expect.stringContaining('“Please add an export'),
    });
  });
});
