import type { Lane } from './actor.ts';
import type { Address } from './address.ts';
import type { TaskId } from '../journal/id.ts';
import { isFinal, statuses, waitingPhase, type Status, type TaskState } from './state.ts';

/** What a list shows of a task, derived from its state. Stores index it; it decides nothing. */
export interface Card {
  readonly task: TaskId;
  readonly title: string;
  readonly status: Status;
  readonly lane: Lane | null;
  readonly holder: string | null;
  readonly generation: number;
  readonly to: Address | null;
  readonly notBefore: number | null;
  readonly expiresAt: number | null;
  readonly openedAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly dead: boolean;
  readonly waiting: number;
  /** It waits for a person, held or not: a phase of it as far as a card says it, and whatever else a list of what waits has. */
  readonly person?: true;
  /** A run that a person told to start nothing more. */
  readonly paused?: true;
}

export function cardOf(state: TaskState): Card {
  return {
    task: state.task,
    title: state.terms.title,
    status: state.status,
    lane: state.leg?.lane ?? state.offer?.lane ?? state.custody?.lane ?? null,
    holder: state.leg?.holder.name ?? null,
    generation: state.generation,
    to: state.offer?.to ?? null,
    notBefore: state.offer?.notBefore ?? null,
    expiresAt: state.offer?.expiresAt ?? null,
    openedAt: state.openedAt,
    updatedAt: state.updatedAt,
    seq: state.seq,
    dead: state.dead !== null,
    waiting: state.raised.length + state.unread.length,
    ...(isFinal(state) || waitingPhase(state) === undefined ? {} : { person: true as const }),
    ...(isFinal(state) || state.steering?.paused !== true ? {} : { paused: true as const }),
  };
}

/** How a task stands, for people; the exact status stands behind it. */
export const plainStatuses = ['waiting', 'in work', 'needs you', 'done', 'stopped'] as const;
export type PlainStatus = (typeof plainStatuses)[number];

const plainly: Readonly<Record<Status, PlainStatus>> = {
  open: 'waiting',
  offered: 'waiting',
  lapsed: 'waiting',
  rework: 'waiting',
  blocked: 'waiting',
  held: 'in work',
  approved: 'in work',
  submitted: 'needs you',
  declined: 'needs you',
  escalated: 'needs you',
  done: 'done',
  failed: 'stopped',
  cancelled: 'stopped',
  elsewhere: 'stopped',
};

/** The exact statuses behind a plain one, as far as a status alone tells. */
export function statusesOf(plain: PlainStatus): readonly Status[] {
  return statuses.filter((status) => plainly[status] === plain);
}

/** What is over needs nobody. `needing`: the tasks in the list of what waits for a person, which looks deeper than a card. */
export function plainStatusOf(
  { task, status, person }: Pick<Card, 'task' | 'status'> & { readonly person?: true | undefined },
  needing: ReadonlySet<string> = new Set(),
): PlainStatus {
  if (isFinal({ status })) return plainly[status];
  return person === true || needing.has(task) ? 'needs you' : plainly[status];
}
