import { expect, test } from 'vitest';
import { laidOut, node } from './layout.ts';

const fence = [
  { name: 'paint', needs: ['gate', 'rails', 'gate', 'gone'] },
  { name: 'posts', needs: [] },
  { name: 'gate', needs: ['posts'] },
  { name: 'rails', needs: ['posts'] },
];

test('a task stands behind all that it needs, each need has one line, and no two stand in one place', () => {
  for (const isNarrow of [false, true]) {
    const { nodes, lines, width, height } = laidOut(fence, isNarrow);
    const at = (name: string) => nodes.findIndex(({ row }) => row.name === name);
    for (const { name, needs } of fence)
      // One that is not in the plan has no place, and stands before all.
      for (const need of needs) expect(at(need)).toBeLessThan(at(name));
    expect(lines.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual([
      'gate paint',
      'posts gate',
      'posts rails',
      'rails paint',
    ]);
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
    for (const { x, y } of nodes) {
      expect(x + node.width).toBeLessThanOrEqual(width);
      expect(y + node.height).toBeLessThanOrEqual(height);
    }
  }
});

test('a chain of thousands is laid out, and so is nothing', () => {
  const chain = Array.from({ length: 5000 }, (_, i) => ({
    name: `t${i}`,
    needs: i === 0 ? [] : [`t${i - 1}`],
  }));
  expect(laidOut(chain, false).nodes.at(-1)?.x).toBe(4999 * 256);
  expect(laidOut([], true).nodes).toEqual([]);
});
