import { mailboxFor } from '../../core/task/address.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Hint } from '../../ports/mailbox.ts';

/** What wakes those the standing offer is for. Losing a hint costs time, never work: `recover` sends it again. */
export function hintFor({ task, offer, unmet }: TaskState): Hint | undefined {
  if (offer === null || unmet.length > 0) return undefined;
  return { to: mailboxFor(offer.to, offer.lane), task, offer: offer.offer, due: offer.notBefore ?? offer.at };
}
