import type { Actor, Lane } from './actor.ts';
import type { Address } from './address.ts';
import type { Terms } from '../contract/terms.ts';
import type { Digest } from '../journal/digest.ts';
import type { StaffettaError } from '../base/error.ts';
import type { Certification, EscalationReason, Event, EventOf, Trigger } from '../journal/event.ts';
import type { ReviewFinding } from './review-finding.ts';
import type { TaskId } from '../journal/id.ts';
import type { ForkPoint } from './state.ts';
import type { WorkStart } from './start.ts';

/** A sealed packet on its way into the journal. */
export interface Sealed {
  readonly packet: Digest;
  readonly certification: Certification;
  readonly workspace?: Digest;
  readonly findings?: Digest;
  readonly demands?: readonly string[];
  /** Files that an audit leg changed and had git look away from. */
  readonly hidden?: readonly string[];
  /** The caller could have said it otherwise: haste is no excuse. */
  readonly mendable?: boolean;
  /** The caller asked that the gate only records. */
  readonly ungated?: boolean;
}

export interface OfferTerms {
  readonly to: Address;
  readonly lane: Lane;
  readonly why?: string;
  readonly trigger?: Trigger;
  readonly notBefore?: number;
  readonly expiresMs?: number;
}

/** Where a new task goes on from another one. */
export interface Fork extends ForkPoint {
  readonly certification: Certification;
  readonly workspace: Digest | null;
  readonly authors: readonly string[];
  readonly demands: readonly string[];
  readonly start: WorkStart | null;
  /** How its contract asks for more, or binds less, than the one it goes on from; see `scopeWidenings`. */
  readonly widenings: readonly string[];
  /** What is agreed on of the contract, where some of it was taken over that nobody has confirmed. */
  readonly agreed?: { readonly contract: Digest; readonly terms: Terms };
}

/** A need that is over without being done: it will never be met. */
export interface LostNeed {
  readonly need: TaskId;
  readonly status: 'failed' | 'cancelled';
}

/** Only the holder may; `generation` is the fence. */
interface Fenced {
  readonly generation: number;
}

/** What a verdict is about. Without a contract it is the one under which the work was submitted. */
export interface LookedAt {
  readonly packet: Digest | null;
  readonly contract?: Digest;
}

/** What became of an effect. */
interface SettledEffect {
  readonly effect: string;
  readonly outcome: 'done' | 'failed';
  readonly receipt?: string;
  readonly receiptBlob?: Digest;
}

/** What a receiver says in its own words of what it took over. */
export interface Restatement {
  readonly goal: string;
  readonly gate: string;
  readonly next: string;
}

interface AcknowledgedAlong {
  /** What was taken over is acknowledged along with it, where that was not done yet. */
  readonly restated?: Restatement | undefined;
}

export type Command =
  | {
      readonly type: 'open';
      readonly contract: Digest;
      readonly terms: Terms;
      readonly met: readonly TaskId[];
      readonly first:
        | OfferTerms
        | { readonly take: Lane; readonly leaseMs: number; readonly start?: WorkStart | undefined }
        | null;
      readonly fork?: Fork;
    }
  | {
      readonly type: 'amend';
      readonly contract: Digest;
      readonly terms: Terms;
      readonly why: string;
      /** How it asks for more, or binds less, than the contract in force; see `scopeWidenings`. Unknown counts as wider. */
      readonly widenings?: readonly string[];
      readonly generation?: number;
    }
  | { readonly type: 'offer'; readonly offer: OfferTerms; readonly lost?: readonly LostNeed[] }
  | ({
      readonly type: 'handoff';
      readonly offer: OfferTerms;
      readonly sealed: Sealed | null;
      /** What the packet names as blockers: from an audit leg they are findings. */
      readonly findings?: readonly ReviewFinding[];
      /** The session that held it is over: nobody is left to mend anything, and what was sealed goes on as it is. */
      readonly left?: boolean;
      /** A person ends the leg from outside: what only the agent in it could have done is not asked for, and the person has decided. */
      readonly outside?: boolean;
    } & Fenced)
  | { readonly type: 'withdraw'; readonly why?: string; readonly leaseMs: number }
  | {
      readonly type: 'accept';
      readonly offer: number | null;
      readonly met: readonly TaskId[];
      readonly leaseMs: number;
      /** Where the work begins, if this is the first leg to know. */
      readonly start?: WorkStart | undefined;
    }
  | ({ readonly type: 'acknowledge' } & Restatement & Fenced)
  | { readonly type: 'decline'; readonly reasons: readonly string[]; readonly generation?: number }
  | ({ readonly type: 'checkpoint'; readonly sealed: Sealed } & Fenced)
  | ({
      readonly type: 'carry';
      readonly events: readonly CarryEvent[];
    } & AcknowledgedAlong &
      Fenced)
  | {
      readonly type: 'record-runs';
      readonly runs: readonly Omit<EventOf<'validation-run'>, 'type' | 'v'>[];
      /** The holder's fence. A person or a supervisor may check work that somebody else holds, or nobody. */
      readonly generation?: number;
      readonly phase?: PhaseMove;
    }
  | { readonly type: 'approve-phase'; readonly phase: string; readonly why?: string }
  | {
      readonly type: 'count-usage';
      readonly usage: Omit<EventOf<'usage-counted'>, 'type' | 'v'>;
      /** The holder's fence. A director counts from outside the leg. */
      readonly generation?: number;
    }
  | ({ readonly type: 'steer' } & Omit<EventOf<'run-steered'>, 'type' | 'v'>)
  | { readonly type: 'answer'; readonly decision: number; readonly answer: string }
  | { readonly type: 'message'; readonly text: string }
  /** Those up to and including the entry `through`; the ones that came later still wait. */
  | ({ readonly type: 'read-messages'; readonly through: number } & Fenced)
  | { readonly type: 'need-met'; readonly needs: readonly TaskId[] }
  | ({
      readonly type: 'intend-effect';
      readonly effect: string;
      readonly token: string;
      readonly retry: boolean;
    } & Fenced)
  | ({ readonly type: 'settle-effect' } & SettledEffect & Fenced)
  | ({ readonly type: 'report-effect' } & SettledEffect)
  | ({ readonly type: 'submit'; readonly sealed: Sealed | null } & AcknowledgedAlong & Fenced)
  | ({ readonly type: 'approve'; readonly why?: string } & LookedAt)
  | ({
      readonly type: 'send-back';
      readonly findings: readonly ReviewFinding[];
      readonly to?: Address;
      /** The fence of an audit leg that ends with it. */
      readonly generation?: number;
      /** Of an audit leg: the workspace as it is now; absent where nobody looked. */
      readonly workspace?: Digest;
      /** Files that it changed and had git look away from. */
      readonly hidden?: readonly string[];
      readonly ungated?: boolean;
    } & LookedAt)
  /** The packet that was approved, and the commit that has it. */
  | {
      readonly type: 'integrate';
      readonly packet: Digest | null;
      readonly onto: string;
      readonly commit: string;
      readonly tree: string;
    }
  | ({ readonly type: 'complete'; readonly sealed: Sealed | null } & AcknowledgedAlong & Fenced)
  | ({ readonly type: 'fail'; readonly why: string } & Fenced)
  | ({ readonly type: 'retry'; readonly why: string; readonly delayMs: number } & Fenced)
  | {
      readonly type: 'escalate';
      readonly text: string;
      readonly reason?: EscalationReason;
      readonly generation?: number;
    }
  | { readonly type: 'cancel'; readonly why: string }
  /** Goes on in another store; see `move.ts`. */
  | { readonly type: 'leave'; readonly to: string; readonly why?: string }
  | { readonly type: 'arrive'; readonly here: string; readonly from: string }
  /** `endDoubted`: a lease far ahead is ended even by a clock that is itself behind the journal. */
  | { readonly type: 'lapse'; readonly endDoubted?: boolean }
  | { readonly type: 'expire' }
  | {
      readonly type: 'redrive';
      readonly to?: Address;
      readonly why?: string;
      readonly lost?: readonly LostNeed[];
    };

/** What becomes of a phase; the runs that decide it are recorded in the same entry. */
export type PhaseMove = { readonly phase: string; readonly workspace?: Digest } & (
  | { readonly to: 'started' }
  | { readonly to: 'verified'; readonly because?: string }
  | { readonly to: 'failed'; readonly why: string }
  | { readonly to: 'rolled-back'; readonly why: string }
);

export type CommandType = Command['type'];

/** What a holder writes while carrying, without a change of control. Numbers are given by `decide`. */
export type CarryEvent =
  | { readonly type: 'note'; readonly text: string }
  | {
      readonly type: 'decision-made';
      readonly text: string;
      readonly why?: string;
      readonly rejected?: readonly string[];
    }
  | {
      readonly type: 'decision-raised';
      readonly question: string;
      readonly options?: readonly string[];
      readonly owner?: Address;
    }
  | { readonly type: 'attempt-failed'; readonly what: string; readonly why: string }
  | {
      readonly type: 'progress-moved';
      readonly at: number;
      readonly of?: number;
      readonly unit?: string;
      readonly cursor?: string;
    }
  | Omit<EventOf<'run-step'>, 'v'>
  | Omit<EventOf<'state-kept'>, 'v'>;

export interface Asked {
  readonly by: Actor;
  readonly now: number;
  /** The lease as renewed, from beside the head; null when nobody holds the task. */
  readonly leaseUntil: number | null;
}

/** The events to append, or why not. */
export type Decision = readonly Event[] | StaffettaError;
