import { describe, expect, test } from 'vitest';
import type { Contract } from './contract.ts';
import { scopeWidenings } from './scope.ts';
import type { Review } from './terms.ts';

type Policy = NonNullable<Review['policy']>;

const policy: Policy = { paths: ['src/auth/'], kinds: ['deleted'], diffLinesMax: 400 };
const review = { owner: 'agent:ada', human: true, policy } as const;

const agreed: Contract = {
  v: 1,
  title: 'Limits',
  goal: 'Requests over the limit get 429.',
  acceptance: ['npm test passes'],
  constraints: ['no new dependency'],
  nonGoals: ['per-user limits'],
  protectedPaths: ['infra/'],
  validation: [{ run: ['npm', 'test'] }],
  review,
  phases: [{ name: 'measure' }],
  caps: { hops: 5 },
};

describe('scope', () => {
  test('the same contract widens nothing', () => {
    expect(scopeWidenings(agreed, agreed)).toEqual([]);
  });

  test('adding limits narrows', () => {
    const narrower = { ...agreed, constraints: ['no new dependency', 'keep the API'], caps: { hops: 3 } };
    expect(scopeWidenings(agreed, narrower)).toEqual([]);
  });

  const wider: readonly (readonly [string, Partial<Contract>])[] = [
    ['goal', { goal: 'Requests over the limit are queued.' }],
    ['kind', { kind: 'research' }],
    ['phases', { phases: [] }],
    ['phases', { phases: [{ name: 'measure', goal: 'whatever' }] }],
    ['validation', { validation: [{ run: ['npm test'], shell: true }] }],
    ['caps', { caps: { hops: 5, rework: 99 } }],
    ['caps', { caps: { hops: 5, attempts: 99 } }],
    ['acceptance', { acceptance: [] }],
    ['constraints', { constraints: [] }],
    ['nonGoals', { nonGoals: ['other things'] }],
    ['protectedPaths', { protectedPaths: [] }],
    ['validation', { validation: [{ run: ['true'] }] }],
    ['phases', { phases: [] }],
    ['review', { review: { owner: 'agent:ada', policy } }],
    ['review', { review: { owner: 'agent:bea', human: true, policy } }],
    ['review', { review: { ...review, policy: { ...policy, paths: [] } } }],
    ['review', { review: { ...review, policy: { ...policy, kinds: ['added'] } } }],
    ['review', { review: { ...review, policy: { ...policy, diffLinesMax: 401 } } }],
    ['caps', { caps: { hops: 6 } }],
    ['caps', { caps: {} }],
  ];
  for (const [field, change] of wider) {
    test(`changing ${JSON.stringify(change)} is named as a widening of ${field}`, () => {
      const found = scopeWidenings(agreed, { ...agreed, ...change });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^${field}: `));
    });
  }
});

test('what a phase has to fulfil stays, and may grow', () => {
  const phase = { name: 'measure', goal: 'p99', criteria: ['under 5 ms'], verify: [{ run: ['bench'] }] };
  const before: Contract = { ...agreed, phases: [phase] };
  const more = {
    ...phase,
    criteria: ['under 5 ms', 'on two machines'],
    verify: [...phase.verify, { run: ['lint'] }],
  };
  expect(scopeWidenings(before, { ...before, phases: [more, { name: 'change' }] })).toEqual([]);
  for (const less of [
    { ...phase, verify: [{ run: ['true'] }] },
    { ...phase, criteria: [] },
    { ...phase, goal: 'whatever' },
  ])
    expect(scopeWidenings(before, { ...before, phases: [less] })).toHaveLength(1);
});

test('a kind that is taken away leaves the strictest rules, and is no widening', () => {
  const { kind: _kind, ...strict } = { ...agreed, kind: 'docs' };
  expect(scopeWidenings({ ...agreed, kind: 'docs' }, strict)).toEqual([]);
  expect(scopeWidenings(strict, { ...agreed, kind: 'docs' })).toHaveLength(1);
});
