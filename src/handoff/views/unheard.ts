/** Work that was called for again and again, and that nobody could take, though its offer still stands. */
import { isStaffettaError } from '../../core/base/error.ts';
import type { Offer, TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { findState } from '../record/load.ts';

export type OnOffer = TaskState & { readonly offer: Offer };

export async function unheardOffers(context: Context): Promise<readonly OnOffer[]> {
  const found: OnOffer[] = [];
  for (const { task, offer } of (await context.store.bell?.dead?.list()) ?? []) {
    const state = await findState(context, task).catch((error: unknown) => {
      // One that is damaged must not hide the others.
      if (!isStaffettaError(error)) throw error;
    });
    if (state !== undefined && state.offer?.offer === offer && state.unmet.length === 0)
      found.push({ ...state, offer: state.offer });
  }
  return found;
}

export function unheardWords({ offer }: OnOffer): string {
  return `${offer.to} was called again and again, and nobody could take it.`;
}
