/** Chance that can be had again: the same seed gives the same numbers (mulberry32). */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

export function randomFrom(seed: number): Random {
  let a = seed >>> 0;
  const next = (): number => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { next, below, pick: (items) => items[below(items.length)] ?? items[0] };
}

/** From the environment, to replay a run; else the one given, or a new one. Tests print it. */
export function seedFrom(name: string, otherwise = Math.floor(Math.random() * 2 ** 31) + 1): number {
  const given = Number(process.env[name]);
  return Number.isSafeInteger(given) && given > 0 ? given : otherwise;
}
