import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { personLooks } from '../../core/reasoning/draft.ts';
import { sessionDraft } from './draft-session.ts';
import type { Earlier } from './same-session.ts';

const asked = 'Please add an export of the audit table, one file a day.';
const later = 'Now move the import to a queue, so that uploads return at once.';

test('commands of a session that worked in a folder are drafted as they run from the root', () => {
  const run = { command: 'npm test' };
  const call = { id: 'c', tool: 'Bash', args: run };
  const story = storyOfSteps([
    ['user', asked],
    ['agent', '', { calls: [call], results: [{ call: 'c', text: '', failed: false, exit: 0 }] }],
  ]);
  expect(sessionDraft(story, { within: 'web' }).contract.validation).toEqual([
    { run: ['cd web && npm test'], shell: true },
  ]);
});

const whole = storyOfSteps([
  ['user', `${asked}\n\nConstraints:\n- tokens are never logged`],
  ['agent', 'It is there.'],
  ['user', later],
  ['agent', 'Half of it is there.'],
]);

function earlier(contract: Partial<Earlier['contract']> = {}): Earlier {
  return {
    whole,
    contract: { v: 1, title: 'Export', goal: 'The audit table is exported daily.', ...contract },
    tasks: [{ task: 't0123456789ab', status: 'offered', holder: null, offeredTo: 'anyone' }],
  };
}

function since(from: number): typeof whole {
  return { ...whole, steps: whole.steps.slice(from) };
}

test('after a session gave its work away, the goal is what was asked for since, under the rules of all of it', () => {
  const { contract, evidence } = sessionDraft(since(2), { earlier: earlier() });
  expect(contract).toMatchObject({
    title: later,
    goal: `“${later}” [s3]\nIt began with: “${asked} Constraints: - tokens are never logged” [s1]\nAgreed for the work before it: The audit table is exported daily.`,
    acceptance: [personLooks],
    constraints: [
      expect.stringContaining('t0123456789ab is of the same session'),
      '“tokens are never logged” [s1]',
    ],
  });
  expect(evidence['goal']).toEqual(['s3', 's1']);
});

test('where nothing was asked for since, what people had agreed on goes on', () => {
  const { contract, evidence } = sessionDraft(since(3), {
    earlier: earlier({ acceptance: ['A file is there each day.'], validation: [{ run: ['npm', 'test'] }] }),
  });
  expect(contract).toMatchObject({
    title: 'Export',
    goal: 'The audit table is exported daily.',
    acceptance: ['A file is there each day.'],
    validation: [{ run: ['npm', 'test'] }],
  });
  expect(evidence).not.toHaveProperty('goal');
});
