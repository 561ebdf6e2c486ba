import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { briefing } from './briefing.ts';

const goal = 'The importer has a dry-run mode.';

function opening(said: string): string {
  return briefing({
    task: 't0123456789ab',
    contract: { v: 1, title: 'Dry run', goal: said },
    packet: null,
    story: storyOfSteps([]),
    count: (text) => Math.ceil(text.length / 4),
  }).text;
}

test('a contract that rules drafted is said to be one, and does not overrule what users said', () => {
  expect(opening('“Make it fast.” [s1]\nIt began with: “Why is it slow?” [s1]')).toContain(
    'nobody has confirmed it',
  );
  expect(opening('“Make it fast.” [s1]\nIn under a second.')).toContain('as far as it allows');
  expect(opening(goal)).toContain('as far as it allows');
});
