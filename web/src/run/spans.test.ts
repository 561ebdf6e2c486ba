import { expect, test } from 'vitest';
import { linesOf, periodOf } from './spans.ts';

type Row = Parameters<typeof linesOf>[0][number];

function row(name: string, legs: readonly [string, number, number | null][]): Row {
  return {
    name,
    title: name,
    task: 't000000000001',
    status: 'held',
    stands: 'in work',
    needs: [],
    lane: 'execute',
    holder: null,
    runtime: null,
    wait: null,
    until: null,
    startsWith: null,
    progress: null,
    spent: { tokens: 0, costs: [] },
    commit: null,
    legs: legs.map(([agent, from, until], n) => ({
      generation: n + 1,
      agent,
      lane: 'execute' as const,
      from,
      until,
      ended: null,
    })),
    verdicts: [{ at: 9, by: 'qa', approve: true }],
  };
}

test('each agent has a line, and another for what it does at the same time; verdicts stand in the audit lane', () => {
  const lines = linesOf([
    row('a', [
      ['code', 5, 10],
      ['code', 20, null],
    ]),
    row('b', [['code', 8, 20]]),
  ]);
  expect(
    lines.map(({ lane, agent, bars, ticks }) => [lane, agent, bars.map(({ from }) => from), ticks.length]),
  ).toEqual([
    ['execute', 'code', [5, 20], 0],
    ['execute', 'code', [8], 0],
    ['audit', 'qa', [], 2],
  ]);
  expect(periodOf(lines, 30)).toEqual({ from: 5, until: 30 });
  expect(periodOf([], 30)).toBeNull();
});
