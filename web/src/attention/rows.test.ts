import { expect, test } from 'vitest';
import { rowsOf, type Stuck } from './rows.ts';

const stuck = (task: string, kind: Stuck['kind']): Stuck =>
  ({ kind, card: { task }, since: 0, reason: null, why: '' }) as unknown as Stuck;

const shown = (all: readonly Stuck[], writing?: Stuck) =>
  rowsOf(all, writing).map(({ card, kind, gone }) => [card.task, kind, gone]);

test('what somebody writes about stays where it is when it is stuck no longer, or in another way', () => {
  const [a, b] = [stuck('a', 'dead'), stuck('b', 'lapsed')];
  expect(shown([a, b], a)).toEqual(shown([a, b]));
  expect(shown([b], a)).toEqual([
    ['b', 'lapsed', false],
    ['a', 'dead', true],
  ]);
  expect(shown([stuck('a', 'failed'), b], a)).toEqual([
    ['b', 'lapsed', false],
    ['a', 'dead', true],
  ]);
});
