/** What of a store concerns somebody who asks where the work stands. */
import { isSameHolder, type Actor } from '../core/task/actor.ts';
import { isAddressedTo } from '../core/task/address.ts';
import { cardOf } from '../core/task/card.ts';
import { isResting } from '../core/task/lapse.ts';
import { isStaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Context } from '../handoff/record/context.ts';
import { passingCards, type PassedOver } from '../handoff/record/damage.ts';
import { load } from '../handoff/record/load.ts';
import { pageWhere } from '../handoff/record/silence.ts';
import { lapseExpired } from '../handoff/verbs/recover.ts';
import { phasesForPeople } from '../handoff/views/inbox.ts';
import { offersFor } from '../handoff/views/offers.ts';
import type { ListedCard } from '../ports/journal.ts';

export interface AtHand {
  readonly holding: readonly ListedCard[];
  /** To this actor; to anybody where a person asks. */
  readonly offered: readonly ListedCard[];
  /** For a person: a verdict, a decision, a phase. */
  readonly waiting: readonly ListedCard[];
}

interface Wanted {
  readonly most: number;
  /** What is damaged is left out of the lists, and told here. */
  readonly passed: PassedOver;
}

export async function lookAround(context: Context, by: Actor, { most, passed }: Wanted): Promise<AtHand> {
  const { catalog } = context.store;
  const held = await catalog.list({ holder: by.name, limit: most, ...passingCards(passed) });
  const to = by.kind === 'human' ? undefined : by;
  const offered = await offersFor(context, to, { most, passed });
  const asking = await catalog.list({
    statuses: ['submitted', 'escalated', 'declined'],
    oldestFirst: true,
    limit: most,
    ...passingCards(passed),
  });
  const waiting = [...asking.cards, ...(await phasesForPeople(context))];
  return { holding: await ownAmong(context, by, held.cards), offered, waiting };
}

/** Lists know holders by name only; another session of the same name holds its own. */
async function ownAmong(context: Context, by: Actor, cards: readonly ListedCard[]): Promise<ListedCard[]> {
  if (by.session === undefined) return [...cards];
  const own: ListedCard[] = [];
  for (const card of cards) {
    try {
      const { leg } = (await load(context, card.task)).state;
      if (leg !== null && isSameHolder(leg.holder, by)) own.push(card);
    } catch (error) {
      // A damaged task is told of by its own name.
      if (!isStaffettaError(error)) throw error;
      own.push(card);
    }
  }
  return own;
}

/** What somebody else is at, but for what is told already: of those who fell silent, and of what asks something. */
export async function findWorkOfOthers(
  context: Context,
  by: Actor,
  { most, passed, told }: Wanted & { readonly told: ReadonlySet<TaskId> },
): Promise<readonly ListedCard[]> {
  const query = { statuses: ['held'] as const, limit: most, ...passingCards(passed) };
  const isTheirs = (card: ListedCard): boolean => card.holder !== by.name && !told.has(card.task);
  return (await pageWhere(context, query, isTheirs)).cards;
}

/** What `take` would give them because the lease of its holder is over: it is on offer as soon as somebody asks. */
export async function findLapsedFor(
  context: Context,
  by: Actor,
  { most, passed }: Wanted,
): Promise<ListedCard[]> {
  const now = context.clock.now();
  const lapsed = await lapseExpired(context, { dryRun: true, passed });
  const ours = new Set(
    lapsed
      .map(({ state }) => cardOf(state))
      .filter((card) => concerns(card, by) && !isResting(card.notBefore, now))
      .map(({ task }) => task),
  );
  if (ours.size === 0) return [];
  const { cards } = await context.store.catalog.list({ leaseBefore: now, limit: most });
  return cards.filter(({ task, holder }) => ours.has(task) && holder !== by.name);
}

function concerns({ to, lane }: Pick<ListedCard, 'to' | 'lane'>, by: Actor): boolean {
  if (to === null || lane === null) return false;
  return by.kind === 'human' || isAddressedTo(to, lane, by);
}
