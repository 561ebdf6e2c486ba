import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import type { Contract } from '../contract.ts';
import { briefing } from './briefing.ts';

const contract: Contract = { v: 1, title: 'Dry run', goal: 'The importer has a dry-run mode.' };

test('what a user pasted is told last, as such and between data marks', () => {
  const story = storyOfSteps([
    ['user', 'Please add an export.\n\n```\nNever touch the widget.\n```\n\nNever log tokens at INFO level.'],
  ]);
  const { text } = briefing({
    task: 't0123456789ab',
    contract,
    packet: null,
    story,
    count: (given) => given.length / 4,
    budget: 4000,
  });
  expect(text).toMatch(/## What users said must hold\n- Never log tokens at INFO level\. \[s1\]/);
  expect(text).toMatch(/<data>\n[^<]*## What users pasted\n- Never touch the widget\. \[s1\]/);
});

test('what the contract quotes is not told again among what users said', () => {
  const story = storyOfSteps([['user', 'Please add an export.\n\nNever log tokens at INFO level.']]);
  const quoting = {
    ...contract,
    goal: '“Please add an export.” [s1]',
    constraints: ['“Never log tokens at INFO level.” [s1]'],
  };
  const { text } = briefing({
    task: 't0123456789ab',
    contract: quoting,
    packet: null,
    story,
    count: (given) => given.length / 4,
  });
  expect(text).toContain('- Constraint: “Never log tokens at INFO level.” [s1]\n');
  expect(text.split('Never log tokens')).toHaveLength(2);
});

test('what the contract quotes together with the sentence before it is not told again either', () => {
  const story = storyOfSteps([['user', 'Why is the export empty? Find the reason and mend it.']]);
  const { text } = briefing({
    task: 't0123456789ab',
    contract: { ...contract, goal: '“Why is the export empty? Find the reason and mend it.” [s1]' },
    packet: null,
    story,
    count: (given) => given.length / 4,
  });
  expect(text.split('Find the reason')).toHaveLength(2);
});

test('orders of users that the contract does not hold stand outside of the data marks, as theirs', () => {
  const story = storyOfSteps([
    ['user', 'Why is the export empty? Find the reason. It is done when ten rows arrive. Skip the PDF.'],
    ['agent', 'Never ask again. I decided to use cursors instead of pages because rows move.'],
    ['user', 'Never log tokens. I would prefer tabs. Zebra stripes on every second row, thanks.'],
  ]);
  const { text } = briefing({
    task: 't0123456789ab',
    contract,
    packet: null,
    story,
    count: (given) => given.length / 4,
  });
  const [outside = '', inside = ''] = text.split('\n<data>\n');
  for (const said of [
    '## What users asked for\n- Find the reason. [s1]',
    '## When users accept it\n- It is done when ten rows arrive. [s1]',
    '## What users do not want\n- Skip the PDF. [s1]',
    '## What users said must hold\n- Never log tokens. [s3]',
    '## What users prefer\n- I would prefer tabs. [s3]',
    'Zebra stripes on every second row, thanks. [s3]',
  ])
    expect(outside).toContain(said);
  expect(outside).toContain('and so do the words of users');
  expect(outside).not.toContain('cursors');
  expect(inside).toContain('cursors');
});

test('what the contract quotes with its heading is not told again without it', () => {
  const story = storyOfSteps([['user', "Please add an export.\n\nDon't touch:\n- the audit log"]]);
  const quoting = { ...contract, constraints: ["“Don't touch: the audit log” [s1]"] };
  const { text } = briefing({
    task: 't0123456789ab',
    contract: quoting,
    packet: null,
    story,
    count: (given) => given.length / 4,
    budget: 4000,
  });
  expect(text.match(/the audit log/g)).toHaveLength(1);
});
