/** The board's order, apart from how it looks. */
import type { Card } from '../../../src/server/contract.ts';
import type { BoardFilter } from '../shell/place.ts';

export const laneOrder = ['supervise', 'plan', 'execute', 'audit'] as const;

/** What wants a person comes first, then what moves, then what waits, then what is over. */
export const statusOrder = [
  'escalated',
  'lapsed',
  'declined',
  'submitted',
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

export const overStatuses: readonly string[] = ['done', 'failed', 'cancelled', 'elsewhere'];

export interface LaneGroup {
  readonly lane: string | null;
  readonly cards: readonly Card[];
}

export function grouped(cards: readonly Card[], filter: BoardFilter): readonly LaneGroup[] {
  const shown = cards.filter((card) => isShown(card, filter));
  const lanes = [...laneOrder, null];
  return lanes.flatMap((lane) => {
    const own = shown.filter((card) => card.lane === lane).toSorted(byUrgency);
    return own.length === 0 ? [] : [{ lane, cards: own }];
  });
}

function isShown(card: Card, { lane, status, holder, q, all }: BoardFilter): boolean {
  if (lane !== undefined && (card.lane ?? 'none') !== lane) return false;
  if (status !== undefined && card.status !== status) return false;
  if (holder !== undefined && card.holder !== holder) return false;
  if (all !== true && status === undefined && overStatuses.includes(card.status)) return false;
  return q === undefined || `${card.title}\n${card.task}`.toLowerCase().includes(q.toLowerCase());
}

function byUrgency(a: Card, b: Card): number {
  return rank(a) - rank(b) || b.updatedAt - a.updatedAt || (a.task < b.task ? -1 : 1);
}

function rank({ status }: Card): number {
  const at = statusOrder.findIndex((one) => one === status);
  return at === -1 ? statusOrder.length : at;
}
