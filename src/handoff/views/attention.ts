/** Work that got stuck or went wrong, and why: what a person or a supervisor looks at first. */
import { isLapsed } from '../../core/task/lapse.ts';
import type { Event } from '../../core/journal/event.ts';
import { limits } from '../../core/base/limits.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { cardOf } from '../../core/task/card.ts';
import {
  isFinal,
  shownCard,
  takeableStatuses,
  waitingPhase,
  type Offer,
  type TaskState,
} from '../../core/task/state.ts';
import type { CardPage, ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { findState, load } from '../record/load.ts';

export const stuckKinds = ['dead', 'escalated', 'person', 'lapsed', 'declined', 'failed'] as const;
export type StuckKind = (typeof stuckKinds)[number];

export interface Stuck {
  readonly kind: StuckKind;
  readonly card: ListedCard;
  readonly since: number;
  /** The rule that stopped it, where one did. */
  readonly reason: string | null;
  readonly why: string;
}

export interface Total {
  readonly kind: StuckKind;
  readonly count: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

export interface Attention {
  readonly stuck: readonly Stuck[];
  /** Of one kind at least there are more than are listed. */
  readonly more: boolean;
  /** How many there are of each kind, listed or not. */
  readonly totals: readonly Total[];
}

/** By kind, the oldest first; of what failed, the newest. At most `limit` of each are looked into; more are only counted. */
export async function attention(context: Context, limit: number): Promise<Attention> {
  const now = context.clock.now();
  const lists = [
    ['dead', { statuses: ['escalated'], dead: true, oldestFirst: true }],
    ['escalated', { statuses: ['escalated'], dead: false, oldestFirst: true }],
    ['lapsed', { statuses: ['held'], leaseBefore: now, oldestFirst: true }],
    ['lapsed', { statuses: ['lapsed'], oldestFirst: true }],
    ['declined', { statuses: ['declined'], oldestFirst: true }],
    ['failed', { statuses: ['failed'] }],
  ] as const;
  const stuck: Stuck[] = [];
  const totals = new Map<StuckKind, Total>();
  let more = false;
  for (const [kind, list] of lists) {
    const listed = async (most: number): Promise<CardPage> =>
      await context.store.catalog.list({ ...list, limit: most, onDamaged: () => {} });
    const page = await listed(limit);
    const all = page.next === undefined ? page : await listed(limits.pageMax);
    const before = totals.get(kind);
    totals.set(kind, {
      kind,
      count: (before?.count ?? 0) + all.cards.length,
      more: before?.more === true || all.next !== undefined,
    });
    more ||= page.next !== undefined;
    for (const card of page.cards) {
      const one = await explained(context, card, now);
      if (one?.kind === kind || one?.kind === 'dead') stuck.push(one);
    }
  }
  const unheard = await unheardOffers(context);
  stuck.push(...unheard.slice(0, limit).map(unheardStuck));
  more ||= unheard.length > limit;
  const dead = totals.get('dead') ?? { kind: 'dead', count: 0, more: false };
  totals.set('dead', { ...dead, count: dead.count + unheard.length });
  const people = await phasesForPeople(context);
  totals.set('person', { kind: 'person', count: people.length, more: false });
  more ||= people.length > limit;
  for (const card of people.slice(0, limit)) {
    const one = await explained(context, card, now);
    if (one?.kind === 'person') stuck.push(one);
  }
  return { stuck: stuck.toSorted((a, b) => rank(a) - rank(b)), more, totals: [...totals.values()] };
}

export type OnOffer = TaskState & { readonly offer: Offer };

/** Work that was called for again and again, and that nobody could take, though its offer still stands. */
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

function unheardStuck(state: OnOffer): Stuck {
  const card = shownCard({ ...cardOf(state), leaseUntil: null });
  return { kind: 'dead', card, since: state.offer.at, reason: null, why: unheardWords(state) };
}

/** Work with a phase that a person has to approve, held or not. Of what nobody holds, the oldest are looked through. */
export async function phasesForPeople(context: Context): Promise<readonly ListedCard[]> {
  const found: ListedCard[] = [];
  for (const statuses of [['held'], takeableStatuses] as const) {
    const query = { statuses, oldestFirst: true, limit: limits.pageMax, onDamaged: () => {} };
    const { cards } = await context.store.catalog.list(query);
    found.push(...cards.filter((card) => card.person === true));
  }
  return found;
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
  if (leg !== null && until !== null && isLapsed({ status, leaseUntil: until }, now)) {
    const why = `${leg.holder.name} fell silent: its lease is over, and nobody has taken the work since.`;
    return { kind: 'lapsed', since: until, reason: null, why };
  }
  const phase = waitingPhase(state);
  if (phase !== undefined && !isFinal(state)) {
    const since = state.phases.find(({ name }) => name === phase)?.at ?? updatedAt;
    return { kind: 'person', since, reason: null, why: `Phase ${phase} waits for a person to approve it.` };
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
