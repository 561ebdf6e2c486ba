import type { Clock } from '../../ports/clock.ts';
import { HttpRefusal } from '../problem.ts';

const keysMax = 10_000;

/** A bucket for each caller: it starts full, every request takes one out, and it fills again with time. */
export class Rate {
  readonly #buckets = new Map<string, { left: number; at: number }>();
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;

  constructor(clock: Clock, { burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Throws where nothing is left. */
  take(key: string): void {
    const bucket = this.#filled(key);
    if (bucket.left < 1) throw this.#refused(bucket.left);
    bucket.left -= 1;
  }

  /** The same without taking. */
  check(key: string): void {
    const { left } = this.#filled(key);
    if (left < 1) throw this.#refused(left);
  }

  #refused(left: number): HttpRefusal {
    const retryAfter = Math.max(1, Math.ceil((1 - left) / this.#perSecond));
    return new HttpRefusal('rate-limited', 'Too many requests.', {
      hint: `Try again after ${retryAfter} s.`,
      retryAfter,
    });
  }

  #filled(key: string): { left: number; at: number } {
    const now = this.#clock.now();
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: this.#burst, at: now };
    const passed = Math.max(0, now - bucket.at);
    bucket.left = Math.min(this.#burst, bucket.left + (passed / 1000) * this.#perSecond);
    bucket.at = now;
    if (known === undefined) {
      // The one that was made first is most likely to be full again.
      if (this.#buckets.size >= keysMax) this.#buckets.delete(this.#buckets.keys().next().value ?? '');
      this.#buckets.set(key, bucket);
    }
    return bucket;
  }
}
