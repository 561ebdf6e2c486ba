import { expect, test } from 'vitest';
import { packetOf } from '../../../test/support/packet.ts';
import { called, storyOfSteps } from '../../../test/support/story.ts';
import type { Claims } from '../packet.ts';
import type { Story } from '../transcript/story.ts';
import { briefing } from './briefing.ts';

function nextOf(claims: Claims, story: Story, spoken?: string): string[] {
  const { text } = briefing({
    task: 't0123456789ab',
    contract: { v: 1, title: 'Locks', goal: 'Jobs take a lock.' },
    packet: packetOf(claims, 'usage-limit'),
    ...(spoken === undefined
      ? {}
      : {
          learned: {
            remarks: [],
            packets: [{ by: 'dana', generation: 1, trigger: 'planned', claims: { next: spoken } }],
          },
        }),
    story,
    count: (words) => words.split(' ').length,
  });
  const [, section = ''] = text.split('## Next, and what was about to run\n');
  const [lines = ''] = section.split(/\n(?:##|<|$)/m);
  return lines.split('\n').filter((line) => line.startsWith('- '));
}

test('what is next is told once, whoever said it', () => {
  const words = 'Next I will write test/lock.test.js.';
  const story = storyOfSteps([
    ['user', 'Add a lock.'],
    ['agent', words],
  ]);
  expect(nextOf({ next: words }, story, words)).toEqual([`- ${words} [unverified]`]);
});

test('the newest step is next, and neither an older one nor what was done is', () => {
  const ok = { text: '', failed: false };
  const story = storyOfSteps([
    ['user', 'Add a lock.'],
    ['agent', 'Next step: take the lock before reading the job row.'],
    ['agent', 'Next step: write test/lock.test.js.'],
    ['agent', 'Step 0: calling the test runner.', called('Bash', { command: 'npm test' }, ok)],
  ]);
  expect(nextOf({}, story)).toEqual(['- Next step: write test/lock.test.js. [s3]']);
});

test('a command that was running is not told as one to run', () => {
  const call = { id: 'c', tool: 'Bash', args: { command: 'npm run migrate' } };
  const story = storyOfSteps([['agent', '', { calls: [call] }]], { unanswered: [call] });
  expect(nextOf({ command: 'npm run migrate' }, story)).toEqual([
    '- Was running when it stopped, outcome unknown: npm run migrate [s1]',
  ]);
});
