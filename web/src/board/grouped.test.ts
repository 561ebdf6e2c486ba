import { expect, test } from 'vitest';
import type { Card } from '../../../src/server/contract/contract.ts';
import { grouped, shownStatus, silentOf } from './grouped.ts';

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

const names = (cards: readonly Card[], filter = {}) =>
  grouped(cards, filter, 100).map(({ lane, cards }) => [lane, ...cards.map(({ task }) => task)]);

test('lanes come in the order of the work, tasks without one last', () => {
  const cards = [card('a', { lane: null }), card('b', { lane: 'audit' }), card('c', { lane: 'plan' })];
  expect(names(cards)).toEqual([
    ['plan', 'c'],
    ['audit', 'b'],
    [null, 'a'],
  ]);
});

test('what wants a person comes before what moves, and the newest first among equals', () => {
  const cards = [
    card('old', { updatedAt: 1 }),
    card('new', { updatedAt: 2 }),
    card('stopped', { status: 'escalated' }),
    card('waits', { status: 'offered', updatedAt: 9 }),
  ];
  expect(names(cards)).toEqual([['execute', 'stopped', 'new', 'old', 'waits']]);
});

test('a holder who fell silent comes before those who work, the longest silent first, and has a filter of its own', () => {
  const cards = [
    card('works', { leaseUntil: 200, updatedAt: 9 }),
    card('silent', { leaseUntil: 90, updatedAt: 8 }),
    card('mute', { leaseUntil: 10, updatedAt: 7 }),
    card('waits', { status: 'submitted' }),
    card('stopped', { status: 'escalated' }),
    card('spent', { status: 'escalated', dead: true }),
  ];
  expect(names(cards)).toEqual([['execute', 'spent', 'stopped', 'mute', 'silent', 'waits', 'works']]);
  expect(names(cards, { status: 'lapsed' })).toEqual([['execute', 'mute', 'silent']]);
  expect(names(cards, { status: 'held' })).toEqual([['execute', 'works']]);
  expect(names(cards, { status: 'dead' })).toEqual([['execute', 'spent']]);
  expect([silentOf(cards, 100), silentOf(cards, 9), silentOf(cards, 201)]).toEqual([2, 0, 3]);
  expect(shownStatus(card('done', { status: 'done', leaseUntil: 1 }), 100)).toBe('done');
});

test('what is over is shown when it is asked for', () => {
  const cards = [card('a', { status: 'done' }), card('b')];
  expect(names(cards)).toEqual([['execute', 'b']]);
  expect(names(cards, { all: true })).toEqual([['execute', 'b', 'a']]);
  expect(names(cards, { status: 'done' })).toEqual([['execute', 'a']]);
});

test('filters narrow by lane, state, holder and words in any case', () => {
  const cards = [
    card('a', { lane: 'plan', title: 'Login race' }),
    card('b', { holder: 'ada' }),
    card('c', { status: 'offered' }),
    card('d', { lane: null }),
  ];
  expect(names(cards, { lane: 'plan' })).toEqual([['plan', 'a']]);
  expect(names(cards, { lane: 'none' })).toEqual([[null, 'd']]);
  expect(names(cards, { holder: 'ada' })).toEqual([['execute', 'b']]);
  expect(names(cards, { status: 'offered' })).toEqual([['execute', 'c']]);
  expect(names(cards, { q: 'LOGIN' })).toEqual([['plan', 'a']]);
});
