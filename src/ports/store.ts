import type { BlobStore } from './blobs.ts';
import type { Catalog, JournalStore } from './journal.ts';
import type { Mailbox } from './mailbox.ts';

/** One place where work is kept. The parts share it: an append may carry blobs, and all parts see one another's writes. */
export interface Store {
  readonly url: string;
  readonly journal: JournalStore;
  readonly catalog: Catalog;
  readonly blobs: BlobStore;
  readonly mailbox: Mailbox;
  readonly upkeep: Upkeep;
  close(): Promise<void>;
}

/** What an operator asks of a store. */
export interface Upkeep {
  /** Faults of the storage itself, below the level of journals: damaged pages, lost rows. Empty if sound. */
  check(): Promise<readonly string[]>;
  /** A consistent copy as of one moment, taken while others write. Undefined where the store has no such thing. */
  readonly backup?: (to: string) => Promise<{ readonly bytes: number }>;
  /** Gives space back after a removal. */
  readonly compact?: () => Promise<void>;
  facts(): Promise<Readonly<Record<string, string | number | boolean>>>;
}
