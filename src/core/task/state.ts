import type { Actor, Lane } from './actor.ts';
import type { Address } from './address.ts';
import type { Money, TaskBudget, Terms } from '../contract/terms.ts';
import type { Digest } from '../journal/digest.ts';
import type { Certification, EscalationReason, OfferCause, Trigger } from '../journal/event.ts';
import type { TaskId } from '../journal/id.ts';
import type { WorkStart } from './start.ts';

/**
 * What a journal adds up to. Bounded by design: lists hold only what still waits, everything else is a count or a
 * pointer into the journal, so that the state of the five-thousandth hop is as small as that of the first.
 * Stores keep it beside the head as a cache; `foldVersion` says which fold made it.
 */
export const foldVersion = 6;

export const statuses = [
  'open',
  'offered',
  'held',
  'submitted',
  'approved',
  'done',
  'declined',
  'lapsed',
  'rework',
  'escalated',
  'blocked',
  'failed',
  'cancelled',
  'elsewhere',
] as const;
export type Status = (typeof statuses)[number];

/** An offer stands in these; the words differ by how it came about. */
export const offeredStatuses: readonly Status[] = ['offered', 'lapsed', 'rework', 'blocked'];
/** The same without those that wait for other tasks. */
export const takeableStatuses: readonly Status[] = ['offered', 'lapsed', 'rework'];
/** `elsewhere` is no outcome: the task goes on in another store, and this is a copy; see `standingHere`. */
export const finalStatuses: readonly Status[] = ['done', 'failed', 'cancelled', 'elsewhere'];

/** What must have moved for a return to the giver not to be a bounce. */
export interface ReturnMark {
  readonly contract: number;
  readonly decisions: number;
  readonly progress: number;
  readonly messages: number;
  readonly workspace: Digest | null;
}

export interface LegState {
  readonly generation: number;
  readonly holder: Actor;
  readonly lane: Lane;
  readonly since: number;
  readonly leaseMs: number;
  /** As granted; renewals live beside the head and do not bloat the journal. */
  readonly leaseUntil: number;
  readonly acknowledged: boolean;
  /** The packet it started from. */
  readonly received: Digest | null;
  /** The workspace that packet was sealed on; null where none was probed. */
  readonly workspace: Digest | null;
  /** Who handed it over, if somebody did. */
  readonly from: string | null;
  readonly mark: ReturnMark;
}

export interface Offer {
  readonly offer: number;
  readonly to: Address;
  readonly lane: Lane;
  readonly packet: Digest | null;
  readonly cause: OfferCause;
  readonly trigger: Trigger | null;
  readonly attempt: number;
  readonly by: string;
  readonly at: number;
  readonly notBefore: number | null;
  readonly expiresAt: number | null;
  readonly expiresMs: number | null;
  /** Taking it would bring unchanged work back to this agent. */
  readonly notTo: string | null;
  /** Asked among others, and refused; the offer stands for the rest. */
  readonly declinedBy: readonly string[];
}

/** The latest ended leg: its agent keeps custody of work that nobody has accepted. */
export interface Custody {
  readonly generation: number;
  readonly agent: string;
  readonly kind: Actor['kind'];
  readonly lane: Lane;
  readonly from: string | null;
  readonly mark: ReturnMark;
  readonly received: Digest | null;
  readonly workspace: Digest | null;
}

export interface OpenDecision {
  readonly decision: number;
  readonly question: string;
  readonly owner: Address | null;
  readonly seq: number;
}

export interface OpenEffect {
  readonly effect: string;
  readonly token: string;
  readonly generation: number;
  /** Unknown: its leg ended between intent and receipt. */
  readonly unknown: boolean;
}

export interface DeadLetter {
  readonly to: Address;
  readonly lane: Lane;
  readonly packet: Digest | null;
  readonly attempts: number;
  readonly why: string;
  readonly at: number;
}

/** Where a task goes on from another one: the entry that sealed the packet it starts with. */
export interface ForkPoint {
  readonly task: TaskId;
  readonly seq: number;
  readonly digest: Digest;
  readonly packet: Digest;
  readonly why: string;
}

export interface RunOutcome {
  readonly seq: number;
  readonly at: number;
  readonly exit: number | null;
  readonly workspace: Digest | null;
}

export interface KnownRun {
  readonly run: readonly string[];
  readonly name: string | null;
  readonly passed: RunOutcome | null;
  readonly failed: RunOutcome | null;
  /** Failures since it last passed. */
  readonly failures: number;
}

export const phaseStatuses = ['started', 'verified', 'failed', 'rolled-back'] as const;

export interface KnownPhase {
  readonly name: string;
  readonly status: (typeof phaseStatuses)[number];
  readonly at: number;
  readonly workspace: Digest | null;
  /** By a person; what is verified anew is approved anew. */
  readonly approved?: { readonly by: string; readonly at: number };
}

/** What was approved, or completed where nobody has to approve it, and now is to be integrated. */
export interface Approval {
  readonly packet: Digest | null;
  readonly by: string;
  readonly at: number;
}

export interface IntegratedAt {
  readonly onto: string;
  readonly commit: string;
  readonly tree: string;
  readonly by: string;
  readonly at: number;
}

export interface Spent {
  readonly tokens: number;
  /** One for each unit. */
  readonly costs: readonly Money[];
}

/** What was used in all legs, as counted. */
export interface Spending extends Spent {
  /** Time held, of legs that are over; counted while the contract has a budget for it. */
  readonly ms: number;
  /** Of the latest leg that something was counted for: the next count goes on from here. */
  readonly leg: (Spent & { readonly generation: number }) | null;
}

/** How a run is to go on, as last told. */
export interface Steering {
  readonly paused: boolean;
  readonly parallel: number | null;
  readonly caps: TaskBudget | null;
  /** What is to run: absent until one was given. */
  readonly plan?: Digest;
  readonly why: string;
  readonly by: string;
  readonly at: number;
}

/** Versions of a contract that nobody has confirmed as a whole; see `added-terms.ts`. */
export interface Narrowed {
  /** The last one that was agreed on. */
  readonly agreed: Digest;
  /** Those since; `by` is null where somebody wrote it who may agree to it. Of one leg only the last counts. */
  readonly versions: readonly {
    readonly contract: Digest;
    readonly by: string | null;
    readonly generation: number;
    /** Of what a fork took over: who had worked on it. */
    readonly writers?: readonly string[];
  }[];
}

export interface TaskState {
  readonly foldVersion: number;
  readonly task: TaskId;
  readonly seq: number;
  readonly head: Digest;
  readonly status: Status;
  readonly openedAt: number;
  readonly openedBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly terms: Terms;
  readonly contract: Digest;
  /** Only where something waits that nobody has confirmed: a holder added it, or a fork took it over so. */
  readonly narrowed?: Narrowed;
  readonly unmet: readonly TaskId[];
  readonly generation: number;
  readonly leg: LegState | null;
  readonly custody: Custody | null;
  readonly offer: Offer | null;
  readonly offers: number;
  /** Who made the offer, where that was somebody with a say in it; kept while it is only made again. */
  readonly giver: string | null;
  /** Whom the declined offer was for, until the next one is made. */
  readonly declined: { readonly to: Address; readonly lane: Lane } | null;
  readonly dead: DeadLetter | null;
  /** HEAD of the workspace when the first leg started; null where there was none to look at. */
  readonly start: WorkStart | null;
  readonly packet: Digest | null;
  readonly packets: number;
  /** Of the latest packet: how far it can be trusted, what the gate found, and the workspace it was sealed on. */
  readonly sealed: {
    readonly certification: Certification;
    readonly findings: Digest | null;
    readonly workspace: Digest | null;
  } | null;
  /** Why only a person may approve the work. Once raised, it stands. */
  readonly demands: readonly string[];
  /** The commands that were run, with their latest outcomes; the one run last is last. */
  readonly runs: readonly KnownRun[];
  /** Those that were started, in order. */
  readonly phases: readonly KnownPhase[];
  readonly mark: ReturnMark;
  readonly hops: number;
  readonly idleHops: number;
  readonly rework: number;
  /** Failed deliveries in a row. */
  readonly attempts: number;
  readonly authors: readonly string[];
  readonly decisions: number;
  readonly raised: readonly OpenDecision[];
  /** The entries of messages and answers that no holder has read yet. */
  readonly unread: readonly number[];
  readonly effects: readonly OpenEffect[];
  readonly progress: {
    readonly at: number;
    readonly of: number | null;
    readonly unit: string | null;
    readonly cursor: string | null;
  } | null;
  readonly submission: {
    readonly packet: Digest | null;
    readonly contract: Digest;
    readonly by: string;
    readonly kind: Actor['kind'];
    readonly lane: Lane;
    readonly at: number;
  } | null;
  readonly escalation: {
    readonly reason: EscalationReason;
    readonly text: string;
    readonly at: number;
  } | null;
  /** Only of a task that was forked from another. */
  readonly fork?: ForkPoint;
  /** The store in which it goes on: it left this one, and has not arrived there as far as this journal tells. */
  readonly away?: string;
  /** While it stands: work that is sent back, offered or agreed on anew has to be approved anew. */
  readonly approval?: Approval;
  readonly integrated?: IntegratedAt;
  readonly usage?: Spending;
  readonly steering?: Steering;
}

export function isFinal(state: Pick<TaskState, 'status'>): boolean {
  return finalStatuses.includes(state.status);
}

/** Somebody has worked on it, and nobody has it now, nor judges it: a person may say that it is done. */
export function isLeftOver({ status, generation }: Pick<TaskState, 'status' | 'generation'>): boolean {
  const isHad = ['held', 'submitted', 'approved'].includes(status);
  return generation > 0 && !isHad && !isFinal({ status });
}

/** The first phase that is verified and waits for a person to approve it. */
export function waitingPhase(state: TaskState): string | undefined {
  return state.terms.phases?.find((name) => waitsForPerson(state, name));
}

export function waitsForPerson({ terms, phases }: TaskState, phase: string): boolean {
  if (terms.phasesForPeople?.includes(phase) !== true) return false;
  const known = phases.find(({ name }) => name === phase);
  return known?.status === 'verified' && known.approved === undefined;
}

export function sameMark(a: ReturnMark, b: ReturnMark): boolean {
  return (
    a.contract === b.contract &&
    a.decisions === b.decisions &&
    a.progress === b.progress &&
    a.messages === b.messages &&
    a.workspace === b.workspace
  );
}

/** A card as it is shown: only a leg has a lease that anybody waits for. */
export function shownCard<T extends { readonly status: Status; readonly leaseUntil: number | null }>(
  card: T,
): T {
  return isFinal(card) ? { ...card, leaseUntil: null } : card;
}
