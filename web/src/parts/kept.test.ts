import { describe, expect, test, vi } from 'vitest';
import { forget, keep, kept, type Shelf } from './kept.ts';

function emptyShelf(): Shelf {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (n) => [...items.keys()][n] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

describe('what a browser keeps', () => {
  test('comes back by kind and name until it is forgotten', () => {
    const on = emptyShelf();
    keep({ kind: 'draft', name: 'a', most: 5 }, { text: 'x' }, on);
    expect(kept('draft', 'a', on)).toEqual({ text: 'x' });
    expect(kept('viewed', 'a', on)).toBe(undefined);
    forget('draft', 'a', on);
    expect(kept('draft', 'a', on)).toBe(undefined);
  });

  test('is thinned by kind, the oldest first', () => {
    vi.useFakeTimers();
    try {
      const on = emptyShelf();
      keep({ kind: 'other', name: 'x', most: 1 }, 0, on);
      for (const [n, name] of ['a', 'b', 'c'].entries()) {
        vi.setSystemTime(1000 + n);
        keep({ kind: 'draft', name, most: 2 }, n, on);
      }
      expect(['a', 'b', 'c'].map((name) => kept('draft', name, on))).toEqual([undefined, 1, 2]);
      expect(kept('other', 'x', on)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is nothing where it cannot be read or written', () => {
    const full: Shelf = {
      ...emptyShelf(),
      getItem: () => '{broken',
      setItem: () => {
        throw new Error('full');
      },
    };
    keep({ kind: 'draft', name: 'a', most: 5 }, 1, full);
    expect(kept('draft', 'a', full)).toBe(undefined);
    expect(kept('draft', 'a', undefined)).toBe(undefined);
  });
});
