import { isLane, type Lane } from '../../core/task/actor.ts';
import { addressedLane, type Address } from '../../core/task/address.ts';
import type { Values } from '../frame/spec.ts';
import { UsageError } from '../frame/usage.ts';
import { text } from '../frame/values.ts';

/** What the next leg is for, as `--to-lane` says it. `--lane` is taken: it says in which lane one speaks. */
export function offerLane(values: Values, to: Address): Lane | undefined {
  const given = text(values, 'to-lane');
  const addressed = addressedLane(to);
  if (given === undefined || !isLane(given)) return addressed;
  if (addressed === undefined || addressed === given) return given;
  throw new UsageError(
    `--to ${to} and --to-lane ${given} contradict each other.`,
    'Leave --to-lane out, or address an agent, a runtime or anyone.',
  );
}
