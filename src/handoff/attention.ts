/** Work that got stuck or went wrong, and why: what a person or a supervisor looks at first. */
import type { Event } from '../core/event.ts';
import { openEntry } from '../core/sealed.ts';
import { isStaffettaError } from '../core/error.ts';
import { shownCard, type TaskState } from '../core/state.ts';
import type { ListedCard } from '../ports/journal.ts';
import type { Context } from './context.ts';
import { load } from './load.ts';

export const stuckKinds = ['dead', 'escalated', 'lapsed', 'declined', 'failed'] as const;
export type StuckKind = (typeof stuckKinds)[number];

export interface Stuck {
  readonly kind: StuckKind;
  readonly card: ListedCard;
  readonly since: number;
  /** The rule that stopped it, where one did. */
  readonly reason: string | null;
  readonly why: string;
}

export interface Attention {
  readonly stuck: readonly Stuck[];
  /** Of one kind at least there are more than are listed. */
  readonly more: boolean;
}

/** By kind, the oldest first; of what failed, the newest. */
export async function attention(context: Context, limit: number): Promise<Attention> {
  const now = context.clock.now();
  const lists = [
    { statuses: ['escalated'], oldestFirst: true },
    { statuses: ['held'], leaseBefore: now, oldestFirst: true },
    { statuses: ['lapsed'], oldestFirst: true },
    { statuses: ['declined'], oldestFirst: true },
    { statuses: ['failed'] },
  ] as const;
  const stuck: Stuck[] = [];
  let more = false;
  for (const list of lists) {
    const page = await context.store.catalog.list({ ...list, limit, onDamaged: () => {} });
    more ||= page.next !== undefined;
    for (const card of page.cards) {
      const one = await explained(context, card, now);
      if (one !== undefined) stuck.push(one);
    }
  }
  return { stuck: stuck.toSorted((a, b) => rank(a) - rank(b)), more };
}

function rank({ kind }: Stuck): number {
  return stuckKinds.indexOf(kind);
}

async function explained(context: Context, card: ListedCard, now: number): Promise<Stuck | undefined> {
  try {
    const { state, lease } = await load(context, card.task);
    const why = await whyOf(context, state, { until: lease?.until ?? null, now });
    return why === undefined ? undefined : { ...why, card: shownCard(card) };
  } catch (error) {
    // One that is gone or damaged must not hide the others; the list of tasks names it.
    if (!isStaffettaError(error)) throw error;
    return undefined;
  }
}

/** Undefined where it has moved on since the list was made. */
async function whyOf(
  context: Context,
  state: TaskState,
  { until, now }: { readonly until: number | null; readonly now: number },
): Promise<Omit<Stuck, 'card'> | undefined> {
  const { status, dead, escalation, leg, updatedAt } = state;
  if (status === 'escalated' && dead !== null)
    return { kind: 'dead', since: dead.at, reason: escalation?.reason ?? null, why: dead.why };
  if (status === 'escalated' && escalation !== null)
    return { kind: 'escalated', since: escalation.at, reason: escalation.reason, why: escalation.text };
  if (status === 'held' && leg !== null && until !== null && until <= now) {
    const why = `${leg.holder.name} fell silent: its lease is over, and nobody has taken the work since.`;
    return { kind: 'lapsed', since: until, reason: null, why };
  }
  const [kind, type] =
    status === 'lapsed'
      ? (['lapsed', 'offer-made'] as const)
      : status === 'declined'
        ? (['declined', 'offer-declined'] as const)
        : status === 'failed'
          ? (['failed', 'task-failed'] as const)
          : [];
  if (kind === undefined || type === undefined) return undefined;
  const found = await latest(context, state, type);
  return { kind, since: found?.at ?? updatedAt, reason: null, why: found?.why ?? 'Nobody said why.' };
}

/** Messages may have been written since; not many. */
const lookBack = 64;

async function latest(
  context: Context,
  { task, seq }: TaskState,
  type: Event['type'],
): Promise<{ readonly at: number; readonly why: string | undefined } | undefined> {
  const from = Math.max(0, seq - lookBack + 1);
  const page = await context.store.journal.read(task, from, seq - from + 1);
  for (const stored of page.toReversed()) {
    const { at, events } = openEntry(stored);
    const event = events.findLast((one) => one.type === type);
    if (event !== undefined) return { at, why: wordsOf(event) };
  }
  return undefined;
}

function wordsOf(event: Event): string | undefined {
  if (event.type === 'offer-declined') return event.reasons.join('; ');
  return event.type === 'offer-made' || event.type === 'task-failed' ? event.why : undefined;
}
