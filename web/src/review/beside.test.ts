import { describe, expect, test } from 'vitest';
import { claimsOf, findingsAt, resultsOf } from './beside.ts';
import { nextAfter } from './decision.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}` as const;

describe('a finding of the gate', () => {
  test('stands beside what its path leads to', () => {
    const findings = [
      'contract.acceptance',
      'contract.acceptance[2]',
      'contract.acceptances',
      'claims.next',
    ].map((path) => ({ path }));
    expect(findingsAt(findings, 'contract.acceptance').map(({ path }) => path)).toEqual([
      'contract.acceptance',
      'contract.acceptance[2]',
    ]);
    expect(findingsAt(findings, 'claims').map(({ path }) => path)).toEqual(['claims.next']);
  });
});

describe('claims', () => {
  test('say what they rest on, or that they rest on nothing', () => {
    const lists = claimsOf({
      done: ['plain', { text: 'seen', evidence: ['r3', 'file:a.ts'] }, { text: 'bare', evidence: [] }],
      failed: [{ what: 'a cache', why: 'it grew' }],
      next: 'look',
    });
    const texts = Object.fromEntries(lists.map((list) => [list.name, list.texts]));
    expect(texts).toMatchObject({
      done: ['plain (unverified)', 'seen (r3, file:a.ts)', 'bare (unverified)'],
      failed: ['a cache: it grew'],
      next: ['look'],
      remaining: [],
    });
  });
});

describe('a command of the contract', () => {
  const contract = { validation: [{ run: ['npm', 'test'] }, { run: ['true'] }] } as never;
  const passed = { entry: 3, at: 5, exit: 0, workspace: digest('a') };

  function facts(on: string): never {
    return { workspace: { digest: on }, runs: [{ run: ['npm', 'test'], passed }] } as never;
  }

  test('is fresh where it passed on the work that was handed in', () => {
    expect(resultsOf(contract, facts(digest('a'))).map(({ standing }) => standing)).toEqual([
      'bound',
      'not-run',
    ]);
    expect(resultsOf(contract, facts(digest('b')))[0]).toMatchObject({
      outcome: 'passed',
      standing: 'stale',
    });
    expect(resultsOf(contract, undefined).map(({ standing }) => standing)).toEqual(['not-run', 'not-run']);
  });

  test('counts as failed where it failed last', () => {
    const failed = { ...passed, entry: 4, exit: 1 };
    const both = {
      workspace: { digest: digest('a') },
      runs: [{ run: ['npm', 'test'], passed, failed }],
    } as never;
    expect(resultsOf(contract, both)[0]).toMatchObject({ outcome: 'failed', exit: 1 });
  });
});

describe('the next in the queue', () => {
  const queue = ['a', 'b', 'c'].map((task, n) => ({ card: { task }, at: n * 10 })) as never;

  test('is the one submitted after, then the oldest, then none', () => {
    expect(nextAfter(queue, 'b', 10)).toBe('c');
    expect(nextAfter(queue, 'c', 20)).toBe('a');
    expect(nextAfter(queue, 'gone', 5)).toBe('b');
    expect(nextAfter([], 'a', 0)).toBe(undefined);
  });
});
