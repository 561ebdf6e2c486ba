import { expect, test } from 'vitest';
import type { Card } from '../../../src/server/contract/contract.ts';
import { columnsOf, exactly, fits, listOf } from './grouped.ts';

function card(task: string, more: Partial<Card> = {}): Card {
  return {
    task: task as Card['task'],
    title: `Title of ${task}`,
    status: 'held',
    lane: 'execute',
    holder: null,
    generation: 1,
    to: null,
    notBefore: null,
    expiresAt: null,
    openedAt: 0,
    updatedAt: 0,
    seq: 1,
    dead: false,
    waiting: 0,
    leaseUntil: null,
    ...more,
  };
}

const needing = new Set(['asks', 'over']);
const cards = [
  card('offered', { status: 'offered', updatedAt: 1 }),
  card('blocked', { status: 'blocked', updatedAt: 2 }),
  card('works'),
  card('asks'),
  card('stopped', { status: 'escalated' }),
  card('over', { status: 'failed' }),
  card('done', { status: 'done', updatedAt: 5 }),
];

test('a task stands in one column, and where it asks something, in that of its reader', () => {
  const columns = columnsOf(cards, {}, needing);
  expect(
    Object.fromEntries(columns.map(({ column, cards }) => [column, cards.map(({ task }) => task)])),
  ).toEqual({
    waiting: ['blocked', 'offered'],
    'in work': ['works'],
    'needs you': ['asks', 'stopped'],
    done: ['done', 'over'],
  });
  expect(listOf(cards, {}, needing).map(({ task }) => task)).toEqual([
    'asks',
    'stopped',
    'works',
    'blocked',
    'offered',
    'over',
    'done',
  ]);
});

test('filters narrow by lane, plain state, holder and words in any case', () => {
  const one = card('a', { lane: 'plan', title: 'Login race', holder: 'ada' });
  const is = (filter: object): boolean => fits(one, filter, needing);
  expect([{ lane: 'plan' }, { status: 'in work' }, { holder: 'ada' }, { q: 'LOGIN' }].map(is)).not.toContain(
    false,
  );
  expect([{ lane: 'audit' }, { status: 'done' }, { holder: 'bea' }, { q: 'x' }].map(is)).not.toContain(true);
  expect(fits(card('b', { lane: null }), { lane: 'none' }, needing)).toBe(true);
});

test('what stands behind a plain word is said in words', () => {
  expect(exactly(card('a', { leaseUntil: 90 }), 100)).toBe('fell silent');
  expect(exactly(card('a', { leaseUntil: 110 }), 100)).toBeNull();
  expect(exactly(card('a', { status: 'offered', notBefore: 110 }), 100)).toBe('paused');
  expect(exactly(card('a', { status: 'escalated', dead: true }), 100)).toBe('given up');
  expect(exactly(card('a', { status: 'done', leaseUntil: 1 }), 100)).toBeNull();
});
