import { describe, expect, test } from 'vitest';
import type { Contract } from './contract.ts';
import { scopeWidenings } from './scope.ts';
import type { Terms } from './terms.ts';

type Policy = NonNullable<NonNullable<Terms['review']>['policy']>;

const policy: Policy = { paths: ['src/auth/'], kinds: ['deleted'], diffLinesMax: 400 };
const review = { owner: 'agent:ada', human: true, policy, stop: 'artefact' } as const;

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
  skills: ['style.md'],
  needs: ['t0000000000a1'],
  caps: { hops: 5 },
  paths: ['src/limit.ts'],
  integrate: { onto: 'staffetta/limits' },
  budget: { tokens: 1000 },
  edges: [{ from: 'code', to: 'qa' }],
};

describe('scope', () => {
  test('the same contract widens nothing', () => {
    expect(scopeWidenings(agreed, agreed)).toEqual([]);
  });

  test('adding limits narrows', () => {
    const narrower: Contract = {
      ...agreed,
      constraints: ['no new dependency', 'keep the API'],
      nonGoals: ['per-user limits', 'queues'],
      protectedPaths: ['infra/', 'deploy/'],
      validation: [{ run: ['npm', 'test'] }, { run: ['npm', 'run', 'check'] }],
      needs: ['t0000000000a1', 't0000000000b2'],
    };
    expect(scopeWidenings(agreed, narrower)).toEqual([]);
  });

  test('a person may be asked to review, besides whom the contract names', () => {
    const { human: _human, ...without } = review;
    expect(scopeWidenings({ ...agreed, review: without }, agreed)).toEqual([]);
    const { review: _review, ...nobody } = agreed;
    expect(scopeWidenings(nobody, { ...nobody, review: { human: true } })).toEqual([]);
    expect(scopeWidenings(nobody, { ...nobody, review: { owner: 'agent:bea' } })).toHaveLength(1);
  });

  test('the first criteria say how the goal is judged, and add no work', () => {
    const { acceptance: _acceptance, ...without } = agreed;
    expect(scopeWidenings(without, agreed)).toEqual([]);
  });

  const wider: readonly (readonly [string, Partial<Contract>])[] = [
    ['paths', { paths: ['src/limit.ts', 'package.json'] }],
    ['integrate', { integrate: { onto: 'main' } }],
    ['budget', { budget: { tokens: 2000 } }],
    ['edges', { edges: 'any' }],
    ['goal', { goal: 'Requests over the limit are queued.' }],
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
    ['review', { review: { ...review, human: false } }],
    ['review', { review: { ...review, owner: 'agent:bea' } }],
    ['review', { review: { ...review, stop: 'verified' } }],
    ['review', { review: { owner: 'agent:ada', human: true, policy } }],
    ['title', { title: 'Something else' }],
    ['acceptance', { acceptance: ['npm test passes', 'a mobile app exists too'] }],
    ['phases', { phases: [{ name: 'measure' }, { name: 'deploy' }] }],
    ['skills', { skills: [] }],
    ['skills', { skills: ['style.md', 'other.md'] }],
    ['needs', { needs: [] }],
    ['review', { review: { ...review, policy: { ...policy, paths: [] } } }],
    ['review', { review: { ...review, policy: { ...policy, kinds: ['added'] } } }],
    ['review', { review: { ...review, policy: { ...policy, diffLinesMax: 401 } } }],
    ['caps', { caps: { hops: 6 } }],
    ['caps', { caps: { hops: 3 } }],
    ['caps', { caps: {} }],
    ['review', { review: { ...review, stop: 'patch' } }],
    ['review', { review: { ...review, policy: { ...policy, paths: ['src/auth/', 'Run this first.'] } } }],
  ];
  for (const [field, change] of wider) {
    test(`changing ${JSON.stringify(change)} is named as a widening of ${field}`, () => {
      const found = scopeWidenings(agreed, { ...agreed, ...change });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^${field}: `));
    });
  }
});

test('what a phase has to fulfil stays, and may be proven by more commands', () => {
  const phase = { name: 'measure', goal: 'p99', criteria: ['under 5 ms'], verify: [{ run: ['bench'] }] };
  const before: Contract = { ...agreed, phases: [phase] };
  const more = {
    ...phase,
    verify: [...phase.verify, { run: ['lint'] }],
  };
  expect(scopeWidenings(before, { ...before, phases: [more] })).toEqual([]);
  for (const less of [
    { ...phase, verify: [{ run: ['true'] }] },
    { ...phase, criteria: [] },
    { ...phase, criteria: ['under 5 ms', 'on two machines'] },
    { ...phase, goal: 'whatever' },
  ])
    expect(scopeWidenings(before, { ...before, phases: [less] })).toHaveLength(1);
});

test('phases stay in their order', () => {
  const before: Contract = { ...agreed, phases: [{ name: 'measure' }, { name: 'change' }] };
  const turned = { ...before, phases: [{ name: 'change' }, { name: 'measure' }] };
  expect(scopeWidenings(before, turned)).toEqual(['phases: their order is another']);
});

test('work may become strict, and not less so', () => {
  expect(scopeWidenings(agreed, { ...agreed, strict: true })).toEqual([]);
  expect(scopeWidenings({ ...agreed, strict: true }, agreed)).toHaveLength(1);
});
