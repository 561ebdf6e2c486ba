/** Chance that repeats itself, and processes that can be killed. */
import { StaffettaError } from '../../src/core/base/error.ts';
import type { Context } from '../../src/handoff/record/context.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Store } from '../../src/ports/store.ts';
import { seededEntropy, type Stage } from '../support/world.ts';

export class Chance {
  readonly #fraction: () => number;

  constructor(seed: number) {
    const entropy = seededEntropy(Math.imul(seed + 1, 0x9e3779b1));
    this.#fraction = () => entropy.fraction();
    // Neighbouring seeds begin alike.
    for (let n = 0; n < 8; n += 1) this.#fraction();
  }

  is(share: number): boolean {
    return this.#fraction() < share;
  }

  upTo(most: number): number {
    return Math.floor(this.#fraction() * (most + 1));
  }

  one<T>(of: readonly T[]): T {
    const chosen = of[Math.floor(this.#fraction() * of.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }
}

/** A supervisor's process: once it is killed none of its calls is answered, and no time passes for it. Now and then the store is too busy for it. */
export class SimProcess {
  readonly number: number;
  readonly context: Context;
  isDead = false;

  constructor(at: Stage, number: number, isBusy: () => boolean) {
    this.number = number;
    const { store, clock } = at;
    const wrap = <T extends object>(part: T): T =>
      new Proxy(part, {
        get: (target, name): unknown => {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== 'function') return method;
          return async (...args: unknown[]): Promise<unknown> => {
            if (this.isDead) return await never();
            if (isBusy()) throw new StaffettaError('store-busy', 'The store is busy.');
            const answer: unknown = await (Reflect.apply(method, target, args) as Promise<unknown>);
            // The store did it, and nobody was told.
            return this.isDead ? await never() : answer;
          };
        },
      });
    const own: Store = {
      ...store,
      journal: wrap(store.journal),
      catalog: wrap(store.catalog),
      blobs: wrap(store.blobs),
      mailbox: wrap(store.mailbox),
    };
    const ticking: Clock = {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        if (this.isDead) await never();
      },
    };
    this.context = { ...at.context, store: own, clock: ticking };
  }

  kill(): void {
    this.isDead = true;
  }
}

async function never(): Promise<never> {
  return await new Promise<never>(() => {});
}
