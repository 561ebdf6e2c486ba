/** Pages of cards by what no store can list by itself, such as which holders fell silent. */
import { defined } from '../../core/base/defined.ts';
import { isExpired, isLapsed, type HeldCard } from '../../core/task/lapse.ts';
import type { CardPage, CardQuery, ListedCard } from '../../ports/journal.ts';
import type { Context } from './context.ts';

/** A clock that is further off than this from the store's would end leases of others that are in force. */
const clockOffMsMax = 60_000;

export function isClockOff({ store }: Pick<Context, 'store'>): boolean {
  return Math.abs(store.clockAheadMs ?? 0) > clockOffMsMax;
}

/** Whether `recover` would end its leg now: then, and only then, a task is called lapsed. */
export function isSilent(context: Pick<Context, 'store' | 'clock'>, card: HeldCard): boolean {
  const now = context.clock.now();
  return isLapsed(card, now) && !(isClockOff(context) && isExpired(card.leaseUntil ?? now, now));
}

/** A page of them. No store tells leases that are too far ahead, so it is filled from all that are held. */
export async function silentPage(context: Context, query: CardQuery): Promise<CardPage> {
  if (query.statuses?.includes('held') === false) return { cards: [], next: undefined };
  return await pageWhere(context, { ...query, statuses: ['held'] }, (card) => isSilent(context, card));
}

/** A page filled with those that fit. */
export async function pageWhere(
  { store }: Pick<Context, 'store'>,
  query: CardQuery,
  fits: (card: ListedCard) => boolean,
): Promise<CardPage> {
  const cards: ListedCard[] = [];
  let { cursor } = query;
  do {
    const limit = query.limit - cards.length;
    const page = await store.catalog.list({ ...query, ...defined({ cursor }), limit });
    cards.push(...page.cards.filter(fits));
    cursor = page.next;
  } while (cursor !== undefined && cards.length < query.limit);
  return { cards, next: cursor };
}
