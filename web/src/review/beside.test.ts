import { describe, expect, test } from 'vitest';
import { claimsOf, findingsAt } from './beside.ts';
import { nextAfter } from './decision.ts';

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
    const texts = Object.fromEntries(
      lists.map(({ name, claims }) => [name, claims.map(({ text, grounds }) => [text, grounds])]),
    );
    expect(texts).toMatchObject({
      done: [
        ['plain', 'unverified'],
        ['seen', 'r3, file:a.ts'],
        ['bare', 'unverified'],
      ],
      failed: [['a cache: it grew', null]],
      next: [['look', null]],
      remaining: [],
    });
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
