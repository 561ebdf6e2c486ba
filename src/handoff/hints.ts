import type { TaskState } from '../core/state.ts';
import type { Context } from './context.ts';

/** Wakes whoever the standing offer is for. Losing a hint costs time, never work: `recover` sends it again. */
export async function sendHint(context: Context, state: TaskState): Promise<boolean> {
  const { offer } = state;
  if (offer === null || state.unmet.length > 0) return false;
  const due = offer.notBefore ?? offer.at;
  await context.store.mailbox.send({ to: offer.to, task: state.task, offer: offer.offer, due });
  return true;
}
