import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { turnsIn } from '../reasoning/messages.ts';
import { notTold } from '../transcript/not-told.ts';
import type { Story } from '../transcript/story.ts';
import { briefing } from './briefing.ts';
import { pendingItems, turnItems } from './from-story.ts';
import { lineOf, type BriefingItem } from './item.ts';

function shown(items: readonly BriefingItem[]): [string, string][] {
  return items.map((item) => [item.section, lineOf(item, item.text.length)]);
}

function told(story: Story): string {
  return briefing({
    of: { session: 'codex:made' },
    contract: { v: 1, title: 'Export', goal: 'There is an export.' },
    packet: null,
    story,
    count: (text) => text.length / 4,
  }).text;
}

test('what is answered is told by the order of what was said, also where one record says it all', () => {
  const story = storyOfSteps([
    ['user', 'Add an export of the audit table, as CSV.', { ref: 1 }],
    ['agent', 'The export is there.', { ref: 1 }],
    ['user', 'Now add the import, from the same files.', { ref: 1 }],
    ['agent', 'The import is there too.', { ref: 1 }],
  ]);
  const turns = turnsIn(story);
  expect(shown(pendingItems(story, turns))).toEqual([
    ['answered', '- Now add the import, from the same files. [s1]\n'],
    ['stopped', '- The import is there too. [s1]\n'],
  ]);
  expect(shown(turnItems(turns))).toEqual([['turns', '- The export is there. [s1]\n']]);
});

test.each(['record-cut', 'unreadable-record', 'unknown-record', 'record-too-large'])(
  'what could not be read (%s) is missing, and no message is claimed as the last without it',
  (kind) => {
    const whole = storyOfSteps([
      ['user', 'Add an export of the audit table, as CSV.'],
      ['agent', 'The export is there.'],
    ]);
    const sessions = whole.sessions.map((one) => ({ ...one, omissions: [{ kind, count: 1, why: 'cut' }] }));
    const text = told({ ...whole, sessions });
    expect(text).toContain(`## Missing\n- ${notTold({ sessions })[0] ?? ''}\n`);
    const remark = 'The last that could be read, and not all could: ';
    const before = kind === 'record-cut' ? remark : '';
    expect(text).toContain(`answered it below\n- ${before}Add an export of the audit table, as CSV. [s1]\n`);
    expect(text).toContain(`its last message\n- ${before}The export is there. [s2]\n`);
    expect(told(whole)).not.toContain('could be read');
  },
);

test('what a user stopped the agent at is not told as answered', () => {
  const story = storyOfSteps([
    ['user', 'Find unused code in the reader of the audit table.'],
    ['agent', 'I look through the reader.'],
    ['system', '[Request interrupted by user]', { mark: 'interrupted' }],
    ['user', 'Write a test for the export first, and run it.'],
    ['agent', 'I begin with the test.'],
    ['system', '[Request interrupted by user]', { mark: 'interrupted' }],
  ]);
  const text = told(story);
  const stopped = 'The user stopped the agent at this: ';
  expect(text).toContain(
    `no agent has answered\n- ${stopped}Write a test for the export first, and run it. [s4]\n`,
  );
  expect(text).toContain(`- ${stopped}Find unused code in the reader of the audit table. [s1]\n`);
});
