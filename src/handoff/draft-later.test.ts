import { describe, expect, test } from 'vitest';
import { storyOfSteps } from '../../test/support/story.ts';
import { draftOf, hurriedDraftOf, type SessionDraft } from './draft-session.ts';
import type { Earlier } from './same-session.ts';

const opened = 'Migrate the users table. Never drop the legacy column. Done when npm test passes.';
const other: Earlier['tasks'][number] = {
  task: 't19ac3yatm1em',
  status: 'held',
  holder: 'codex',
  offeredTo: null,
};

interface Given {
  /** Of the task that was given away, whose steps may have other names. */
  readonly goal?: string;
  readonly agreed?: Partial<Earlier['contract']>;
}

/** What is drafted where a user said all this after the work was given away. */
function drafted(later: readonly string[], given: Given = {}): SessionDraft {
  const { goal = '“Migrate the users table.” [s40]', agreed = {} } = given;
  const whole = storyOfSteps([
    ['user', opened],
    ['agent', 'Half of it is migrated.'],
    ...later.map((text): ['user', string] => ['user', text]),
  ]);
  const work = { ...whole, steps: whole.steps.slice(2) };
  const contract = { v: 1 as const, title: 'Migrate the users table.', goal, ...agreed };
  const earlier = { whole, contract, tasks: [other] };
  expect(hurriedDraftOf(work, { earlier }).contract()).toEqual(draftOf(work, { earlier }).contract);
  return draftOf(work, { earlier });
}

describe('after the work of a session was given away', () => {
  test.each([
    'go on, and keep the index on email as it is',
    'go on',
    'One more thing: never touch the LICENSE file, and the changelog must be in Italian instead.',
    'ok, weiter so',
    'why did it fail?',
    'Wait, the button should be blue',
    'Keep going until npm test passes',
    'resume the migration',
  ])('its goal stands where none is stated: %s', (words) => {
    const { contract, evidence } = drafted([words]);
    expect(contract).toMatchObject({
      title: 'Migrate the users table.',
      goal: '“Migrate the users table.” [s1]',
    });
    expect(evidence.goal).toEqual(['s1']);
  });

  test.each([
    'Now something else: write more.txt for the pangolin.',
    'Now write the docs for the importer.',
    'Fix the flaky login test',
    'do the same for orders',
  ])('what is asked for then is the goal: %s', (words) => {
    const { contract, evidence } = drafted([words, 'Never push to main.']);
    expect(contract).toMatchObject({ title: words, goal: `“${words}” [s3]` });
    expect(evidence.goal).toEqual(['s3']);
  });

  test('a rule that is said first does not hide it', () => {
    const { contract } = drafted(['Never push to main.', 'Now write the docs for the importer.']);
    expect(contract.goal).toBe('“Now write the docs for the importer.” [s4]');
  });

  test('what users stated before holds, with its steps, and what they add joins it', () => {
    const { contract, evidence } = drafted(['Now write the docs. Keep the old names.']);
    expect(contract.acceptance).toEqual(['“Done when npm test passes.” [s1]']);
    expect(contract.constraints?.slice(1)).toEqual([
      '“Never drop the legacy column.” [s1]',
      '“Keep the old names.” [s3]',
    ]);
    expect(evidence).toMatchObject({ acceptance: ['s1'], constraints: ['s1', 's3'] });
  });

  test('what was taken back since does not hold', () => {
    const { contract } = drafted(['Never mind the legacy column, you may drop it.']);
    expect(contract.constraints?.join(' ')).not.toContain('Never drop');
  });

  test('who has it is named in the contract of what comes after', () => {
    const [rule] = drafted(['Now write the docs.']).contract.constraints ?? [];
    expect(rule).toContain(
      'Task t19ac3yatm1em is of the same session and was held by codex when this was opened',
    );
  });

  test('what people agreed on stands where it only goes on, and not for other work', () => {
    const people = {
      goal: 'All users are in the new table.',
      agreed: { acceptance: ['npm run audit passes'], validation: [{ run: ['npm', 'test'] }] },
    };
    const { contract, evidence } = drafted(['go on'], people);
    expect(contract).toMatchObject({
      goal: 'All users are in the new table.',
      acceptance: ['npm run audit passes', '“Done when npm test passes.” [s1]'],
      validation: [{ run: ['npm', 'test'] }],
    });
    expect(evidence.goal).toBeUndefined();
    expect(drafted(['Now write the docs.'], people).contract).toMatchObject({
      goal: '“Now write the docs.” [s3]',
      acceptance: ['“Done when npm test passes.” [s1]'],
    });
  });
});
