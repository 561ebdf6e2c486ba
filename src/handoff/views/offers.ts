/** What is on offer: exactly what `take` would give now. Every edge that lists it or waits for it asks here. */
import { isAddressedTo, mailboxesOf } from '../../core/task/address.ts';
import type { Actor } from '../../core/task/actor.ts';
import { cardOf } from '../../core/task/card.ts';
import { isExpired, isResting } from '../../core/task/lapse.ts';
import { offeredStatuses, takeableStatuses } from '../../core/task/state.ts';
import { offerStatus } from '../../core/fold/offers.ts';
import type { ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import type { PassedOver } from '../record/damage.ts';
import { cardsWith, freeable, freeSome } from '../verbs/needs.ts';
import { lapseExpired } from '../verbs/recover.ts';

export interface OffersWanted {
  readonly most: number;
  readonly newestFirst?: boolean;
  readonly passed?: PassedOver;
}

/** To this actor, or to anybody. Nothing is changed: where nothing is listed, it tells what becomes free as soon as somebody asks for it. */
export async function offersFor(
  context: Context,
  to: Actor | undefined,
  { most, newestFirst = false, passed = new Map() }: OffersWanted,
): Promise<readonly ListedCard[]> {
  const listed = await first(most, standingOffers(context, to, { newestFirst, passed }));
  return listed.length > 0 ? listed : await first(most, unfreed(context, to, passed));
}

/** For an actor that waits. Where nothing is on offer to it, what others left lying is put right before, as `take` does it. */
export async function awaitedOffers(
  context: Context,
  to: Actor,
  most: number,
): Promise<readonly ListedCard[]> {
  const passed: PassedOver = new Map();
  if (context.store.isTended === true) return await offersFor(context, to, { most, passed });
  const look = async (): Promise<readonly ListedCard[]> =>
    await first(most, standingOffers(context, to, { passed }));
  let found = await look();
  if (found.length === 0 && (await lapseExpired(context, { passed })).length > 0) found = await look();
  while (found.length === 0 && (await freeSome(context, passed))) found = await look();
  return found;
}

export async function* standingOffers(
  context: Context,
  to: Actor | undefined,
  { newestFirst = false, passed }: Omit<OffersWanted, 'most'>,
): AsyncGenerator<ListedCard> {
  const addressed = to === undefined ? {} : { for: [...mailboxesOf(to), 'anyone'] as const };
  const query = { ...addressed, passed, oldestFirst: !newestFirst };
  for await (const card of cardsWith(context, takeableStatuses, query)) {
    const now = context.clock.now();
    if (isExpired(card.expiresAt ?? now, now) || isResting(card.notBefore, now)) continue;
    if (isFor(card, to)) yield card;
  }
}

/** All that are paused, or rest after a failed attempt, also those that wait for other tasks. */
export async function restingOffers(context: Context): Promise<readonly ListedCard[]> {
  const found: ListedCard[] = [];
  for await (const card of cardsWith(context, offeredStatuses, { passed: new Map() }))
    if (isResting(card.notBefore, context.clock.now())) found.push(card);
  return found;
}

async function* unfreed(
  context: Context,
  to: Actor | undefined,
  passed: PassedOver,
): AsyncGenerator<ListedCard> {
  for await (const state of freeable(context, passed)) {
    const { offer } = state;
    const card = { ...cardOf(state), leaseUntil: null };
    if (offer === null || isResting(offer.notBefore, context.clock.now()) || !isFor(card, to)) continue;
    yield { ...card, status: offerStatus(offer.cause, false) };
  }
}

function isFor({ to: address, lane }: ListedCard, to: Actor | undefined): boolean {
  if (address === null || lane === null) return false;
  return to === undefined || isAddressedTo(address, lane, to);
}

async function first<T>(most: number, all: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of all) if (found.push(one) >= most) break;
  return found;
}
