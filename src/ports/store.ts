import type { TaskId } from '../core/journal/id.ts';
import type { Bell } from './bell.ts';
import type { BlobStore } from './blobs.ts';
import type { GrantKeeper } from './grants.ts';
import type { Catalog, JournalStore } from './journal.ts';
import type { Mailbox } from './mailbox.ts';
import type { StoreAddress } from './store-address.ts';

/**
 * One connection to a place where work is kept. The parts share the place: an append may carry blobs.
 * ST1 What a call has written is seen by every call that starts after it returned, by any part, on any connection.
 * ST2 Calls on one connection may overlap: each has the outcome it would have on a connection of its own.
 * ST3 After `close` every other call is refused with `store-closed`. Closing again is harmless, and other connections go on.
 * ST4 `check` finds no fault in a store that was written through this interface only.
 * ST5 `secret` answers the same 32 bytes on every connection, whichever asks first; no other store has them.
 * ST6 `removed` is true for a task that `remove` took away, on every connection; false for one that is there, or never was.
 * ST7 `turn`, where a store has it, gives the turn of a name to one of those that ask, on any connection, until its time is over by the clock of the one that asks next.
 */
export interface Store {
  readonly address: StoreAddress;
  readonly journal: JournalStore;
  readonly catalog: Catalog;
  readonly blobs: BlobStore;
  readonly mailbox: Mailbox;
  readonly upkeep: Upkeep;
  /** Renews leases even while the event loop is blocked. Undefined where the store has no such thing. */
  readonly renewer?: Renewer;
  /** What tokens of its servers stand for. Undefined where each machine keeps its own. */
  readonly grants?: GrantKeeper;
  /** Undefined where nobody can be hurried. */
  readonly bell?: Bell;
  /** The lease of a caller that names none, where a store is far away: each renewal goes over the network. */
  readonly leaseMs?: number;
  /** How often one that waits for work looks for it, where each look is paid for. It may change: a bell that is heard makes looks rarer. */
  readonly pollMs?: number;
  /** Somebody puts right what others left lying, once a minute: an agent that looks for work need not look for that too. */
  readonly isTended?: boolean;
  /** How far the clock of the machine that keeps the store is ahead of this one's, as last seen. */
  readonly clockAheadMs?: number;
  close(): Promise<void>;
}

export interface StorageFault {
  /** Something was altered or damaged, or something is gone. */
  readonly kind: 'integrity' | 'completeness';
  readonly text: string;
}

/** What an operator asks of a store. */
export interface Upkeep {
  /** Faults of the storage itself, below the level of journals: damaged pages, lost rows. Empty if sound. */
  check(): Promise<readonly StorageFault[]>;
  /** A consistent copy as of one moment, taken while others write. Undefined where the store has no such thing. */
  readonly backup?: (to: string) => Promise<{ readonly bytes: number }>;
  /** Gives space back after a removal. */
  readonly compact?: () => Promise<void>;
  /** Whether a task that is not there was taken away on purpose. */
  removed(task: TaskId): Promise<boolean>;
  /** What one of many is enough for, such as recovering. Undefined where few share a store. */
  readonly turn?: (name: string, now: number, ms: number) => Promise<boolean>;
  /** The store's own key, for fingerprints of what was taken out of texts. */
  secret(): Promise<Uint8Array>;
  facts(): Promise<Readonly<Record<string, string | number | boolean>>>;
}

export interface LeaseToKeep {
  readonly task: TaskId;
  readonly generation: number;
  readonly leaseMs: number;
  /** What the caller's clock says at this moment. */
  readonly now: number;
}

/**
 * Leases that renew themselves.
 * RN1 `keep` renews the lease again and again, for `leaseMs` each time, even while the event loop is blocked.
 * RN2 It stops when it is released or the store is closed; the lease stays as it was last renewed.
 * RN3 `lost` is aborted once the generation no longer holds the task, within seconds however long the lease is, and only then.
 * RN4 It renews by the caller's clock: `now` is the time at the moment of `keep`, and runs on from there as time does.
 */
export interface Renewer {
  keep(lease: LeaseToKeep): { readonly lost: AbortSignal; release(): void };
}

/** The pause of one that looks again and again: where each look is paid for, news may be two seconds old. */
export function pauseBetweenLooks({ pollMs }: Pick<Store, 'pollMs'>, usualMs: number): number {
  return pollMs === undefined ? usualMs : Math.max(usualMs, 2000);
}
