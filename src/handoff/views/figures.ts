/** A store in numbers: what waits and for how long, who is at work, and what is stuck. One look at the cards; journals are not read. */
import type { Lane } from '../../core/task/actor.ts';
import { isResting } from '../../core/task/lapse.ts';
import { finalStatuses, statuses, takeableStatuses, type Status } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { isSilent } from '../record/silence.ts';
import { conflictsAt } from '../record/record.ts';
import { cardsWith } from '../verbs/needs.ts';
import { unheardOffers } from './unheard.ts';

export interface StoreFigures {
  readonly now: number;
  /** Tasks by status. Those that are over are counted where that costs nothing: not in a store that is paid by the look. */
  readonly tasks: Readonly<Partial<Record<Status, number>>>;
  /** Work that can be taken at this moment, by its lane. */
  readonly offers: Readonly<Partial<Record<Lane, number>>>;
  /** How long the oldest of it has waited; null where nothing waits. */
  readonly oldestOfferMs: number | null;
  /** Held tasks whose lease is over. */
  readonly lapsed: number;
  /** Tasks that used up their attempts. */
  readonly dead: number;
  /** Work on offer that was called for again and again, and that nobody could take. */
  readonly unheard: number;
  /** Appends of this process that met a journal which had moved, since it began. */
  readonly conflicts: number;
}

export async function storeFigures(context: Context): Promise<StoreFigures> {
  const now = context.clock.now();
  const isPaidFor = context.store.pollMs !== undefined;
  const counted = statuses.filter((status) => !isPaidFor || !finalStatuses.includes(status));
  const tasks = new Map<Status, number>(counted.map((status) => [status, 0]));
  const offers = new Map<Lane, number>();
  const found = { lapsed: 0, dead: 0, oldest: Infinity };
  for await (const card of cardsWith(context, counted, { passed: new Map() })) {
    tasks.set(card.status, (tasks.get(card.status) ?? 0) + 1);
    if (card.dead) found.dead += 1;
    if (isSilent(context, card)) found.lapsed += 1;
    const since = Math.max(card.updatedAt, card.notBefore ?? 0);
    if (!takeableStatuses.includes(card.status) || card.lane === null || isResting(since, now)) continue;
    offers.set(card.lane, (offers.get(card.lane) ?? 0) + 1);
    found.oldest = Math.min(found.oldest, since);
  }
  return {
    now,
    tasks: Object.fromEntries(tasks),
    offers: Object.fromEntries(offers),
    oldestOfferMs: found.oldest === Infinity ? null : now - found.oldest,
    lapsed: found.lapsed,
    dead: found.dead,
    unheard: (await unheardOffers(context)).length,
    conflicts: conflictsAt(context.store),
  };
}
