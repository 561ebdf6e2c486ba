import { expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import { storyOfSteps } from '../../../test/support/story.ts';
import { draftClaims } from '../stated/claims.ts';
import { briefing } from './briefing.ts';

const calls = [{ id: 'c', tool: 'Bash', args: { command: 'npm run migrate' } }];
const story = storyOfSteps([['agent', 'Running it.', { calls }]], { unanswered: calls });

test.each([
  ['drafted from the session', draftClaims(story)],
  ['claimed as the next command', { command: 'npm run migrate' }],
])('what was running is told once, and not as something to be run: %s', (_how, claims) => {
  const { text } = briefing({
    task: 't0123456789ab',
    contract: { v: 1, title: 'Dry run', goal: 'The importer has a dry-run mode.' },
    packet: packetOf(claims, 'crash'),
    story,
    count: (words) => words.length / 4,
    budget: 2000,
  });
  expect(text.split('npm run migrate')).toHaveLength(2);
  expect(text).toContain('- Was running when it stopped, outcome unknown: npm run migrate [s1]');
  expect(text).not.toContain('About to run');
  expect(text).toContain('- the state of the work: the giver did not say');
});
