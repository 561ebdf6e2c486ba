import { expect, test } from 'vitest';
import { storyOfSteps } from '../../../test/support/story.ts';
import { bareFacts } from './bare-facts.ts';
import { notTold, recordCut } from './not-told.ts';
import { storyOf, type Story, type StoryPart } from './story.ts';

const part: StoryPart = {
  runtime: 'codex',
  session: 'a',
  before: 0,
  fromStart: false,
  records: [],
  omissions: [],
};

function told(...parts: readonly StoryPart[]): Story {
  const facts = bareFacts('codex', 'a');
  return storyOf(parts, () => () => ({ facts, steps: [], omissions: [], unanswered: [] }));
}

test('a record that was cut off is missing until the rest of it came', () => {
  const cut = { ...part, omissions: [recordCut] };
  expect(notTold(told(cut))).toEqual([expect.stringContaining('the last record of the session')]);
  expect(notTold(told(cut, part))).toEqual([]);
  expect(notTold(told(part, cut))).toHaveLength(1);
});

test('what was left out by rule, and what agents were started for, is not missing', () => {
  const { sessions } = storyOfSteps([], { parents: [null, 'made-0'] });
  const [main, other] = sessions;
  const lost = { kind: 'unreadable-record', count: 2, why: 'no JSON' };
  const missing = (omissions: readonly (typeof lost)[][]): string[] =>
    notTold({
      sessions: [main, other].flatMap((one, i) =>
        one === undefined ? [] : [{ ...one, omissions: omissions[i] ?? [] }],
      ),
    });
  expect(missing([[{ ...lost, kind: 'request-log' }], [lost]])).toEqual([]);
  expect(missing([[lost], []])).toEqual([
    '2 records of the session: could not be read; what was said there is not here',
  ]);
});
