import type { Address } from '../core/task/address.ts';
import type { Card } from '../core/task/card.ts';
import type { Digest } from '../core/journal/digest.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Wait } from '../core/task/waits.ts';
import type { Hint } from './mailbox.ts';

/**
 * The truth: one append-only, hash-chained journal per task, and its head.
 * JS1 `append` stores the entry only if the task's head is at `seq - 1` (absent for seq 0); else it returns the head it found and stores nothing.
 * JS2 Of any number of concurrent appends of the same seq, exactly one is stored.
 * JS3 When `append` returns stored, the entry, its snapshot and its blobs are durable.
 * JS4 An append is atomic: after a crash its entry, head, key and blobs are all there or none is.
 * JS5 Blobs given with an append can be read from the blob store by every reader that can see the entry.
 * JS6 `read` returns the entries from `from` on, in order of seq, without gaps, at most `limit`, byte for byte as appended.
 * JS7 `find` returns the entry appended with that idempotency key in that task, or undefined.
 * JS8 `head` shows the latest stored append, with its snapshot exactly as given, or undefined if the task has none.
 * JS9 `renew` moves the lease only while the head's lease is of the given generation, never backwards, and returns the lease then in force; otherwise null.
 * JS10 An append with `ifLease` is refused as a conflict if the lease in force differs: a lapse never overtakes a renewal.
 * JS11 An append sets the lease to what it gives: a new lease, none, or at least the given time if it keeps it. Keeping where there is none leaves none.
 * JS12 `remove` deletes a task's entries, head and keys if its head is still at the given seq, and says whether it did. Nothing of a removed task is found again; its blobs stay, its hints may go.
 * JS13 A second append with a key that the task has is refused as a conflict; other tasks may use the same key.
 * JS14 A hint given with a stored append is in the mailbox when the append returns, as if sent; one given with a refused append is not.
 * JS15 An append that changes the hints takes the task's earlier ones out of the mailbox; one that does not leaves them there.
 * JS16 `adopt` stores all the entries it is given, or none: only if the head is the one given, by seq and digest (absent for null), and the task has none of their keys; else it returns the head it found. Head, snapshot, card and lease are then as given, and its hints are out of the mailbox. Without entries it changes only what is beside them.
 * JS17 `remove` with a lease deletes only if the lease in force is exactly that one, or none for null.
 * JS18 `keys` lists the idempotency keys of a task, each with the seq of the entry that it leads to, in order of seq: all that `find` knows, and no other.
 * JS19 Where the answer of an append is lost, the store looks: it never says that an entry was refused which it stored, and never stores one twice. Where nobody can be asked it throws `outcome-unknown`.
 */
export interface JournalStore {
  head(task: TaskId): Promise<Head | undefined>;
  append(append: Append): Promise<Appended>;
  read(task: TaskId, from: number, limit: number): Promise<readonly StoredEntry[]>;
  find(task: TaskId, key: string): Promise<StoredEntry | undefined>;
  keys(task: TaskId): Promise<readonly KnownKey[]>;
  renew(task: TaskId, generation: number, until: number): Promise<number | null>;
  /** `at` is the caller's time, for stores that keep a record of what was removed. */
  remove(task: TaskId, seq: number, at: number, ifLease?: Lease | null): Promise<boolean>;
  adopt(adoption: Adoption): Promise<Appended>;
}

/**
 * The lists: derived from appends, never consulted for a decision.
 * CA1 `list` shows each task's card as of its latest append, with the lease in force, newest opened first unless asked for the oldest.
 * CA2 `list` returns only tasks that fit every given filter, and pages without skipping or repeating tasks that did not change; `next` is undefined when nothing is left.
 * CA3 `resolve` returns the ids that begin with exactly the given text, in ascending order, at most `limit`.
 * CA4 `feed` returns entries of all tasks in the order they became visible; a reader that has seen position p and asks for more misses nothing and sees nothing twice. Positions start above 0 and are never given again, not even after a removal.
 * CA5 `keyed` returns every task that holds an entry appended with exactly that idempotency key, in ascending order, at most `limit`.
 * CA6 `waits` returns each need that the latest append of a task names, with that task, in ascending order of need and then of task, after the given pair, at most `limit`; with `need` only those for that one. What was adopted names none.
 * CA7 `waits` with `over` returns only those that wait in vain: the need failed or was cancelled by its card, or is done and watched. A task that the store does not have is not over.
 * CA8 `unhinted`, where a store has it, returns the tasks that are on offer and wait for nothing, but have no hint in the mailbox, in ascending order, after the given one, at most `limit`.
 */
export interface Catalog {
  list(query: CardQuery): Promise<CardPage>;
  resolve(prefix: string, limit: number): Promise<readonly TaskId[]>;
  feed(after: number, limit: number): Promise<readonly FeedEntry[]>;
  keyed(key: string, limit: number): Promise<readonly TaskId[]>;
  waits(query: WaitQuery): Promise<readonly Waiting[]>;
  /** Where a set costs less than asking for each: what a crash left without a wake-up call. */
  readonly unhinted?: (after: TaskId | undefined, limit: number) => Promise<readonly TaskId[]>;
}

export interface Head {
  readonly task: TaskId;
  readonly seq: number;
  readonly digest: Digest;
  /** The folded state, opaque to the store. */
  readonly snapshot: string;
  readonly lease: Lease | null;
}

/** Generation 0 is nobody's leg; see `standingHere`. */
export interface Lease {
  readonly generation: number;
  readonly until: number;
}

export interface StoredEntry {
  readonly task: TaskId;
  readonly seq: number;
  readonly digest: Digest;
  readonly body: string;
}

export interface KnownKey {
  readonly key: string;
  readonly seq: number;
}

export interface FeedEntry extends StoredEntry {
  readonly position: number;
}

export interface Append extends StoredEntry {
  readonly at: number;
  readonly snapshot: string;
  readonly card: Card;
  /** What it waits for from now on; absent: for nothing. */
  readonly waits?: readonly Wait[];
  readonly lease: LeaseChange;
  /** Store only if the lease in force is exactly this. */
  readonly ifLease?: Lease;
  readonly key?: string;
  readonly blobs?: readonly Uint8Array[];
  /** Absent: the hints stay as they are. */
  readonly hint?: HintChange;
}

/** A journal, or the rest of one, as it was written in another store. Its blobs are put before. */
export interface Adoption {
  readonly task: TaskId;
  readonly after: { readonly seq: number; readonly digest: Digest } | null;
  readonly entries: readonly AdoptedEntry[];
  readonly snapshot: string;
  readonly card: Card;
  readonly lease: Lease | null;
}

export interface AdoptedEntry extends StoredEntry {
  readonly key?: string;
}

export type LeaseChange =
  | { readonly set: Lease }
  | { readonly clear: true }
  /** Keep the lease and its generation, but at least until then. */
  | { readonly keepUntil: number };

/**
 * Where journal and mailbox share a transaction, a hint costs no write of its own. Elsewhere the adapter sends it after the
 * append; a crash in between loses it, never the entry, and `recover` sends it again.
 */
export type HintChange =
  /** Wakes those the new offer is for. */
  | { readonly send: Hint }
  /** No offer stands any more. */
  | { readonly clear: true };

export type Appended =
  | { readonly stored: true }
  | { readonly stored: false; readonly head: Head | undefined };

export interface CardQuery {
  readonly statuses?: readonly Card['status'][];
  readonly lane?: Card['lane'];
  readonly holder?: string;
  /** Only tasks that are on offer to one of these. */
  readonly for?: readonly Address[];
  /** Only held tasks whose lease in force ended before then. */
  readonly leaseBefore?: number;
  /** Only tasks whose offer ended before then by its own terms. */
  readonly offerBefore?: number;
  readonly dead?: boolean;
  /** Only tasks whose latest append names nothing that they wait for. */
  readonly waitsForNone?: true;
  readonly oldestFirst?: boolean;
  readonly limit: number;
  readonly cursor?: string;
  /** Hears of each task whose card is damaged, which is then left out. Without it, such a card is refused as `corrupt`. */
  readonly onDamaged?: (damaged: DamagedCard) => void;
}

export interface WaitQuery {
  readonly need?: TaskId;
  readonly over?: true;
  readonly after?: Waiting;
  readonly limit: number;
}

export interface Waiting {
  readonly need: TaskId;
  readonly task: TaskId;
}

export interface DamagedCard {
  readonly task: TaskId;
  readonly why: string;
}

export interface CardPage {
  readonly cards: readonly ListedCard[];
  readonly next: string | undefined;
}

export interface ListedCard extends Card {
  readonly leaseUntil: number | null;
}
