/** The board's order, apart from how it looks. */
import { isLapsed } from '../../../src/core/task/lapse.ts';
import type { Card } from '../../../src/server/contract/contract.ts';
import type { BoardFilter } from '../shell/place.ts';

export const laneOrder = ['supervise', 'plan', 'execute', 'audit'] as const;

/** As a task itself has them. What wants a person comes first, then what moves, then what waits, then what is over. */
export const statusOrder = [
  'escalated',
  'lapsed',
  'declined',
  'submitted',
  'approved',
  'held',
  'rework',
  'offered',
  'blocked',
  'open',
  'failed',
  'done',
  'cancelled',
  'elsewhere',
] as const;

/** As a row says it. */
export type Shown = (typeof statusOrder)[number] | 'dead';
export const shownOrder: readonly Shown[] = ['dead', ...statusOrder];

/** A holder whose lease is over holds it only in name, and what used up its attempts waits for nobody's answer. */
export function shownStatus(card: Card, now: number): Shown {
  if (card.dead && card.status === 'escalated') return 'dead';
  return isLapsed(card, now) ? 'lapsed' : card.status;
}

/** How many rows say lapsed without a word from the server: the board is put in order again when it changes. */
export function silentOf(cards: readonly Card[], now: number): number {
  return cards.filter((card) => card.status === 'held' && shownStatus(card, now) === 'lapsed').length;
}

export const overStatuses: readonly string[] = ['done', 'failed', 'cancelled', 'elsewhere'];

export interface LaneGroup {
  readonly lane: string | null;
  readonly cards: readonly Card[];
}

export function grouped(cards: readonly Card[], filter: BoardFilter, now: number): readonly LaneGroup[] {
  const shown = cards.filter((card) => fits(card, filter, now));
  const lanes = [...laneOrder, null];
  return lanes.flatMap((lane) => {
    const own = shown.filter((card) => card.lane === lane).toSorted(byUrgency(now));
    return own.length === 0 ? [] : [{ lane, cards: own }];
  });
}

export function fits(card: Card, { lane, status, holder, q, all }: BoardFilter, now: number): boolean {
  if (lane !== undefined && (card.lane ?? 'none') !== lane) return false;
  if (status !== undefined && shownStatus(card, now) !== status) return false;
  if (holder !== undefined && card.holder !== holder) return false;
  if (all !== true && status === undefined && overStatuses.includes(card.status)) return false;
  return q === undefined || `${card.title}\n${card.task}`.toLowerCase().includes(q.toLowerCase());
}

function byUrgency(now: number): (a: Card, b: Card) => number {
  return (a, b) => {
    const [one, other] = [shownStatus(a, now), shownStatus(b, now)];
    if (one !== other) return shownOrder.indexOf(one) - shownOrder.indexOf(other);
    // Who is silent for longest first; of the others, what changed last.
    const silence = one === 'lapsed' ? (a.leaseUntil ?? 0) - (b.leaseUntil ?? 0) : 0;
    return silence || b.updatedAt - a.updatedAt || (a.task < b.task ? -1 : 1);
  };
}
