import type { Omission } from './step.ts';

/** Counts what was left out, by kind, in the order of first appearance. */
export class Tally {
  readonly #kinds = new Map<string, { count: number; why: string }>();

  add(kind: string, why: string, count = 1): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, { count, why });
    else known.count += count;
  }

  omissions(): Omission[] {
    return [...this.#kinds].map(([kind, { count, why }]) => ({ kind, count, why }));
  }
}
