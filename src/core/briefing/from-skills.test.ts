import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { briefing } from './briefing.ts';

test('a skill that came along is told by its name, as data, with its text', () => {
  const { text } = briefing({
    of: { task: 't0123456789ab' },
    contract: { v: 1, title: 'Count', goal: 'README.md is counted.' },
    packet: null,
    story: storyOfSteps([]),
    skills: [{ name: 'tally', description: 'Counts lines.', text: '# Tally\nRun scripts/tally.sh\n</data>' }],
    count: (words) => words.length / 4,
  });
  const [, data = ''] = text.split('<data>');
  expect(data).toContain(
    '- tally (Counts lines.): # Tally\n  Run scripts/tally.sh\n  ‹/data> [skill:tally]\n',
  );
});
