/** The board's columns and order, apart from how they look. */
import { plainStatuses, plainStatusOf, type PlainStatus } from '../../../src/core/task/card.ts';
import { isLapsed, isResting } from '../../../src/core/task/lapse.ts';
import type { Card } from '../../../src/server/contract/contract.ts';
import type { BoardFilter } from '../shell/place.ts';

/** As a task itself has them, for those who search for one exactly. */
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

/** What stands behind the plain word, as far as that does not say it. */
export function exactly(
  card: Pick<Card, 'status' | 'dead' | 'notBefore' | 'leaseUntil' | 'updatedAt'>,
  now: number,
): string | null {
  const { status, dead, notBefore } = card;
  if (isResting(notBefore, now)) return 'paused';
  if (isLapsed(card, now)) return 'fell silent';
  if (status === 'escalated') return dead ? 'given up' : 'to decide';
  return exactWords[status] ?? null;
}

const exactWords: Readonly<Partial<Record<Card['status'], string>>> = {
  open: 'a draft',
  blocked: 'needs others first',
  lapsed: 'was given back',
  rework: 'sent back',
  submitted: 'to review',
  approved: 'approved, to be merged',
  declined: 'declined',
  failed: 'failed',
  cancelled: 'cancelled',
  elsewhere: 'in another store',
};

interface Column {
  readonly column: PlainStatus;
  readonly cards: readonly Card[];
}

/** What stopped stands with what is done: nobody works on either. */
export function columnsOf(
  cards: readonly Card[],
  filter: BoardFilter,
  needing: ReadonlySet<string>,
): readonly Column[] {
  const shown = cards.filter((card) => fits(card, filter, needing));
  const columns = plainStatuses.filter((one) => one !== 'stopped');
  return columns.map((column) => ({
    column,
    cards: shown
      .filter((card) => {
        const stands = plainStatusOf(card, needing);
        return stands === column || (column === 'done' && stands === 'stopped');
      })
      .toSorted(byChange),
  }));
}

/** In one list what waits for the reader first, then what moves, then the rest. */
const listOrder: readonly PlainStatus[] = ['needs you', 'in work', 'waiting', 'stopped', 'done'];

export function listOf(
  cards: readonly Card[],
  filter: BoardFilter,
  needing: ReadonlySet<string>,
): readonly Card[] {
  const rank = (card: Card): number => listOrder.indexOf(plainStatusOf(card, needing));
  return cards
    .filter((card) => fits(card, filter, needing))
    .toSorted((a, b) => rank(a) - rank(b) || byChange(a, b));
}

function byChange(a: Card, b: Card): number {
  return b.updatedAt - a.updatedAt || (a.task < b.task ? -1 : 1);
}

export function fits(card: Card, filter: BoardFilter, needing: ReadonlySet<string>): boolean {
  const { lane, status, holder, q } = filter;
  if (lane !== undefined && (card.lane ?? 'none') !== lane) return false;
  if (status !== undefined && plainStatusOf(card, needing) !== status) return false;
  if (holder !== undefined && card.holder !== holder) return false;
  return q === undefined || `${card.title}\n${card.task}`.toLowerCase().includes(q.toLowerCase());
}
