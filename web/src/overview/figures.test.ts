import { expect, test } from 'vitest';
import type { FiguresAnswer } from '../../../src/server/contract/contract-looks.ts';
import { figuresOf } from './figures.ts';

const quiet: FiguresAnswer = {
  now: 0,
  tasks: {},
  offers: {},
  oldestOfferMs: null,
  lapsed: 0,
  dead: 0,
  unheard: 0,
  conflicts: 0,
  runs: [],
};

test('of a store in which nothing is stuck it says so by saying little', () => {
  expect(figuresOf(quiet).map(({ text, isBad }) => [text, isBad])).toEqual([
    ['Nothing waits to be taken', false],
  ]);
});

test('what is stuck stands out, and each run says what it has room for, what waits and what it used', () => {
  const run = {
    run: 'docs',
    task: 't000000000001',
    parallel: 4,
    working: 2,
    ready: 3,
    queue: 1,
    needing: 2,
  } as const;
  const spent = { tokens: 1200, costs: [{ amount: 0.5, unit: 'USD' }] };
  const shown = figuresOf({
    ...quiet,
    offers: { execute: 3, audit: 1 },
    oldestOfferMs: 180_000,
    lapsed: 1,
    dead: 2,
    unheard: 1,
    conflicts: 7,
    runs: [
      { ...run, isStalled: false, spent },
      { ...run, ready: 0, queue: 0, needing: 0, isStalled: true, spent: { tokens: 0, costs: [] } },
    ],
  });
  expect(shown.filter(({ isBad }) => !isBad).map(({ text }) => text)).toEqual([
    '4 tasks can be taken (3 in execute, 1 in audit), the oldest for 3m 0s',
    '7 writes had to be tried again, since the server started',
    'Run docs: 2 of 4 slots used, 3 could start, 1 to integrate, 2 need you, 1200 tokens, 0.50 USD',
  ]);
  expect(shown.filter(({ isBad }) => isBad).map(({ text }) => text)).toEqual([
    '1 holder fell silent',
    '2 tasks used up all attempts',
    '1 offer called for again and again in vain',
    'Run docs: 2 of 4 slots used, waits for somebody outside',
  ]);
});
