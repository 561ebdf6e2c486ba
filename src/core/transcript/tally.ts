import type { Omission } from './step.ts';

/** Counts what was left out, by kind, in the order of first appearance. */
export class Tally {
  /** Made when it is needed: there may be a tally for every message, and most of them count nothing. */
  #kinds: Map<string, { count: number; why: string }> | null = null;

  add(kind: string, why: string, count = 1): void {
    this.#kinds ??= new Map();
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, { count, why });
    else known.count += count;
  }

  omissions(): Omission[] {
    return [...(this.#kinds ?? [])].map(([kind, { count, why }]) => ({ kind, count, why }));
  }
}
