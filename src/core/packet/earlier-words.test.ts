import { expect, test } from 'vitest';
import { digestOf } from '../journal/digest.ts';
import { earlierWordsLoss, withEarlierWords } from './earlier-words.ts';
import { limits } from '../base/limits.ts';

const digest = digestOf('packet');
const earlier = {
  claims: { done: ['the parser'], remaining: ['the docs'], next: 'write docs/a.md', command: 'vi docs/a.md' },
  artefacts: [{ path: 'src/a.ts' }],
};

test('what nothing newer was said of is said again, and named as older', () => {
  const words = withEarlierWords({}, earlier, digest);
  expect(words).toEqual({
    ...earlier,
    losses: [
      {
        what: earlierWordsLoss,
        why: `Nothing newer was said of what is done, what remains, the next action, the next command and artefacts: it stands as in the packet before, ${digest}.`,
      },
    ],
  });
});

test('what was said anew stands, and the command goes with the action it was for', () => {
  const said = { claims: { next: 'fix src/a.ts', done: [] }, artefacts: [{ path: 'b' }] };
  expect(withEarlierWords(said, earlier, digest)).toMatchObject({
    claims: { done: ['the parser'], remaining: ['the docs'], next: 'fix src/a.ts' },
    artefacts: [{ path: 'b' }],
    losses: [{ why: expect.stringContaining('of what is done and what remains:') as string }],
  });
  expect(withEarlierWords(said, earlier, digest).claims).not.toHaveProperty('command');
});

test('where all was said anew, or nothing before, nothing is added', () => {
  const said = { claims: { ...earlier.claims, done: ['all'] }, artefacts: [{ path: 'b' }] };
  expect(withEarlierWords(said, earlier, digest)).toBe(said);
  const words = {};
  expect(withEarlierWords(words, { claims: {}, artefacts: [] }, digest)).toBe(words);
});

test('the mark fits into a full list of losses', () => {
  const losses = Array.from({ length: limits.listItemsMax }, () => ({ what: 'x', why: 'y' }));
  const words = withEarlierWords({ losses }, earlier, digest);
  expect(words.losses).toHaveLength(limits.listItemsMax);
  expect(words.losses?.at(-1)?.what).toBe(earlierWordsLoss);
});
