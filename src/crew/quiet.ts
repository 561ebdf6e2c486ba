/** Notices when nothing moves in a run. It says so after a minute, and then less and less often: work that takes hours is no news. */
import type { Clock } from '../ports/clock.ts';
import type { RunEars, RunSight } from './run-sight.ts';

const firstMs = 60_000;

export class Quiet {
  readonly #clock: Clock;
  readonly #tell: NonNullable<RunEars['onQuiet']>;
  #sight: RunSight | undefined;
  #since: number;
  #nextMs = firstMs;

  constructor(clock: Clock, { onQuiet = () => {} }: RunEars) {
    this.#clock = clock;
    this.#tell = onQuiet;
    this.#since = clock.now();
  }

  see(sight: RunSight): void {
    this.#sight = sight;
    if (sight.changed.length === 0) return;
    this.#since = this.#clock.now();
    this.#nextMs = firstMs;
  }

  look(): void {
    const ms = this.#clock.now() - this.#since;
    if (ms < this.#nextMs || this.#sight === undefined) return;
    this.#nextMs = 2 * ms;
    this.#tell(this.#sight, ms);
  }
}
