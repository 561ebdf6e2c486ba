import { describe, expect, test } from 'vitest';
import { Contract, sealContract, termsOf } from './contract.ts';
import { termsShape } from './terms.ts';
import { digestOf } from '../journal/digest.ts';
import { limits } from '../base/limits.ts';

const least: Contract = { v: 1, title: 'Mend the fence', goal: 'The fence stands.' };
const whole: Contract = {
  ...least,
  kind: 'repair',
  acceptance: ['No gap is wider than a hand.'],
  constraints: ['Use the old posts.'],
  nonGoals: ['Painting.'],
  protectedPaths: ['gate/'],
  validation: [{ run: ['npm', 'test'], name: 'Tests', timeoutMs: 1000 }],
  review: { owner: 'lane:audit', human: false, stop: 'verified' },
  needs: ['t0000000000a1'],
  caps: { hops: 3, rework: 2, attempts: 4 },
};

describe('reading a contract', () => {
  test('a title and a goal are enough, and everything else is optional', () => {
    expect(Contract.parse(least)).toEqual(least);
    expect(Contract.parse(whole)).toEqual(whole);
  });

  test.each([
    ['another version', { v: 2 }],
    ['no goal', { goal: undefined }],
    ['a blank goal', { goal: '  ' }],
    ['a title of two lines', { title: 'a\nb' }],
    ['a need that is no task', { needs: ['fence'] }],
    ['a reviewer that is no address', { review: { owner: 'quinn' } }],
    ['a cap of nothing', { caps: { hops: 0 } }],
    ['a cap with a fraction', { caps: { attempts: 1.5 } }],
    ['an empty command', { validation: [{ run: [] }] }],
    ['a shell line for a command', { validation: [{ run: 'npm test' }] }],
    ['too many criteria', { acceptance: Array.from({ length: limits.listItemsMax + 1 }, () => 'x') }],
    ['an unknown stop', { review: { stop: 'whenever' } }],
  ])('a contract with %s is refused', (_what, change) => {
    expect(Contract.safeParse({ ...least, ...change }).success).toBe(false);
  });
});

describe('the terms that the journal carries', () => {
  test('what a contract leaves open gets the defaults', () => {
    expect(termsOf(least)).toEqual({
      title: 'Mend the fence',
      needs: [],
      review: null,
      hopsMax: null,
      reworkMax: limits.reworkMaxDefault,
      attemptsMax: limits.attemptsMaxDefault,
    });
  });

  test('what a contract says is taken over, and nothing else', () => {
    const terms = termsOf(whole);
    expect(terms).toEqual({
      title: 'Mend the fence',
      needs: ['t0000000000a1'],
      review: { owner: 'lane:audit', human: false, stop: 'verified' },
      hopsMax: 3,
      reworkMax: 2,
      attemptsMax: 4,
    });
    expect(termsShape().parse(terms)).toEqual(terms);
  });

  test('a need named twice is one need', () => {
    expect(termsOf({ ...least, needs: ['t0000000000a1', 't0000000000a1'] }).needs).toEqual(['t0000000000a1']);
  });
});

test('P11: equal contracts have equal bytes, however they were written down', () => {
  const { bytes, digest } = sealContract(whole);
  const turned = Object.fromEntries(Object.entries(whole).toReversed()) as Contract;
  expect(sealContract(turned).digest).toBe(digest);
  expect(digestOf(bytes)).toBe(digest);
  expect(sealContract({ ...whole, goal: 'The fence stands!' }).digest).not.toBe(digest);
});
