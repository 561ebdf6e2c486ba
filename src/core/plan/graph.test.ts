import { describe, expect, test } from 'vitest';
import { comesAfter, cyclesIn, graphOf, needsFirst, remainingPaths } from './graph.ts';

/** `a: b c` for a task with its needs. */
function graph(...lines: string[]): ReturnType<typeof graphOf> {
  return graphOf(
    lines.map((line) => {
      const [name = '', needs = ''] = line.split(':');
      return { name, needs: needs.trim().split(/\s+/).filter(Boolean) };
    }),
  );
}

describe('a graph of needs', () => {
  test('goes from needs to those that wait, otherwise as in the plan', () => {
    const given = graph('c: a b', 'a', 'b: a', 'd');
    expect(needsFirst(given).map((task) => given.names[task])).toEqual(['a', 'd', 'b', 'c']);
  });

  test('names each cycle once, in order, without those that only wait for it', () => {
    const given = graph('in: y', 'z: x', 'x: y', 'y: z in2', 'in2', 'self: self', 'free');
    const named = cyclesIn(given).map((cycle) => cycle.map((task) => given.names[task]));
    expect(named).toEqual([['z', 'x', 'y'], ['self']]);
  });

  test('names a cycle whose tasks wait for another cycle too', () => {
    const given = graph('x: c y', 'y: x', 'c: c', 'w: x');
    const named = cyclesIn(given).map((cycle) => cycle.map((task) => given.names[task]));
    expect(named).toEqual([['x', 'y'], ['c']]);
  });

  test('knows the longest way that is left, through the slowest tasks', () => {
    const given = graph('a', 'b: a', 'c: a', 'd: b c', 'e');
    expect([...remainingPaths(given, [1, 5, 1, 2, 3])]).toEqual([8, 7, 3, 2, 3]);
  });

  test('knows who comes after whom, over any number of needs', () => {
    const chain = Array.from({ length: 100 }, (_, i) => (i === 0 ? 't0' : `t${i}: t${i - 1}`));
    const after = comesAfter(graph(...chain));
    expect(after(99, 0)).toBe(true);
    expect(after(64, 31)).toBe(true);
    expect(after(31, 64)).toBe(false);
    expect(after(5, 5)).toBe(false);
  });

  test('is walked without recursion, however long its longest chain', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => (i === 0 ? 't0: t19999' : `t${i}: t${i - 1}`));
    expect(cyclesIn(graph(...lines))).toHaveLength(1);
  });
});
