import { expect, test } from 'vitest';
import { chartOf, kindsIn, legWords, markWords, workedWords, type Leg, type Mark } from './chart.ts';

const hour = 3_600_000;

function leg(from: number, until: number | null, more: Partial<Leg> = {}): Leg {
  return {
    generation: 1,
    agent: 'code',
    lane: 'execute',
    from,
    until,
    ended: until === null ? null : 'handed-off',
    why: null,
    notes: 0,
    packets: 0,
    ...more,
  };
}

function mark(at: number, more: Partial<Mark> = {}): Mark {
  return { seq: 1, at, by: 'code', kind: 'checkpoint', lane: 'execute', text: null, ...more };
}

test('later is further to the right, and only lanes in use are rows', () => {
  const legs = [leg(0, 1000), leg(2000, 3000, { lane: 'audit', agent: 'qa' })];
  const { bars, rows } = chartOf({ legs, marks: [mark(500)], now: 9000 });
  expect(rows.map(({ lane }) => lane)).toEqual(['execute', 'audit']);
  expect(bars[1]?.x).toBeGreaterThan((bars[0]?.x ?? 0) + (bars[0]?.width ?? 0));
  expect(bars[1]?.y).toBeGreaterThan(bars[0]?.y ?? 0);
});

test('a long idle gap is folded, and says how long it was', () => {
  const minutes = [0, 1, 2, 3, 4].map((n) => n * 60_000);
  const marks = [...minutes, ...minutes.map((at) => at + 20 * hour)].map((at) => mark(at));
  const { folds, width } = chartOf({ legs: [], marks, now: 0 });
  expect(folds).toHaveLength(1);
  expect(folds[0]?.said).toBe('19h 56m');
  expect(width).toBeLessThan(600);
});

test('marks of neighbouring moments never lie on each other', () => {
  const marks = Array.from({ length: 50 }, (_, n) => mark(n * n, { seq: n }));
  const { marks: drawn } = chartOf({ legs: [], marks, now: 0 });
  const apart = drawn.slice(1).map(({ x }, n) => x - (drawn[n]?.x ?? 0));
  expect(Math.min(...apart)).toBeGreaterThan(6);
});

test('several marks of one moment stand above each other', () => {
  const { marks } = chartOf({ legs: [], marks: [mark(5), mark(5, { kind: 'offer' })], now: 5 });
  expect(marks[0]?.x).toBe(marks[1]?.x);
  expect(marks[0]?.y).not.toBe(marks[1]?.y);
});

test('the legend has each kind of mark once', () => {
  expect(kindsIn([mark(1, { kind: 'opened' }), mark(2), mark(3), mark(4, { kind: 'offer' })])).toEqual([
    'opened',
    'checkpoint',
    'offer',
  ]);
});

test('a session that ran for hours is drawn as long as it ran, though sealing it took a moment', () => {
  const sealing = leg(3 * hour, 3 * hour + 133, {
    worked: { from: 0, until: 2 * hour, ms: 2 * hour },
  });
  const { bars, marks } = chartOf({ legs: [sealing], marks: [mark(3 * hour)], now: 4 * hour });
  expect(bars[0]?.width).toBeGreaterThan(20);
  // It stands where it ran, and ends before it was taken.
  expect((bars[0]?.x ?? 0) + (bars[0]?.width ?? 0)).toBeLessThan(marks[0]?.x ?? 0);
  expect(legWords(sealing, 0)).toContain('its session ran for 2h');
});

test('a session that goes on while its leg is held is one bar with it, and counts as far as it is sealed', () => {
  const held = leg(hour, null, { worked: { from: 0, until: 2 * hour, ms: 2 * hour } });
  const { bars, ticks } = chartOf({ legs: [held], marks: [mark(hour), mark(hour + 1)], now: 4 * hour }, 900);
  expect(bars[0]?.width).toBeGreaterThan(600);
  expect(workedWords(held, 4 * hour)).toBe('3h');
  const said = ticks.map((tick) => tick.said);
  expect(new Set(said).size).toBe(said.length);
});

test('a mark is named beside it where there is room, and what happens at once is named together', () => {
  const twice = [0, hour].flatMap((at) => [mark(at), mark(at, { kind: 'offer' })]);
  expect(chartOf({ legs: [], marks: twice, now: 0 }, 900).marks.map(({ label }) => label)).toEqual([
    'sealed, offered',
    null,
    'sealed, offered',
    null,
  ]);
  const many = Array.from({ length: 50 }, (_, n) => mark(n));
  expect(
    chartOf({ legs: [], marks: many, now: 0 })
      .marks.slice(0, -1)
      .some(({ label }) => label !== null),
  ).toBe(false);
});

test('a leg that is on reaches up to now', () => {
  const { bars } = chartOf({ legs: [leg(0, null)], marks: [], now: 5000 });
  expect(bars[0]?.width).toBeGreaterThan(6);
  expect(legWords(leg(0, null), 5000)).toBe('Leg 1, code in execute: holds it for 5s');
});

test('five hundred legs have their places, in order', () => {
  const legs = Array.from({ length: 500 }, (_, n) =>
    leg(n * 1000, n * 1000 + 900, { generation: n + 1, agent: `agent-${n % 9}` }),
  );
  const { bars, width } = chartOf({ legs, marks: [], now: 0 });
  expect(bars).toHaveLength(500);
  expect(bars.every((bar, n) => n === 0 || bar.x > (bars[n - 1]?.x ?? 0))).toBe(true);
  expect(width).toBeLessThan(40_000);
});

test('a task of which nothing is known has an empty chart', () => {
  expect(chartOf({ legs: [], marks: [], now: 0 })).toMatchObject({
    bars: [],
    marks: [],
    folds: [],
    ticks: [],
  });
});

test('a mark says what happened, and by whom', () => {
  expect(markWords(mark(0, { seq: 7, text: 'ready' }))).toBe('j7: sealed by code (ready)');
});

test('a short chart fills the place there is for it, but for the words beside its last mark', () => {
  const marks = [mark(0), mark(1000), mark(2000)];
  const { width, marks: drawn } = chartOf({ legs: [], marks, now: 2000 }, 900);
  expect(width).toBe(900);
  expect(drawn[2]?.x).toBeGreaterThan(700);
  expect(drawn[2]?.label).toBe('sealed');
});
