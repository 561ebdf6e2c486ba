import type { Clock } from '../ports/clock.ts';
import type { Entropy } from '../ports/entropy.ts';
import type { Reached } from '../ports/step.ts';
import type { Store } from '../ports/store.ts';

/** What every verb works with. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly reached: Reached;
}
