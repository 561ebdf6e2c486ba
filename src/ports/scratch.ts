import type { Digest } from '../core/journal/digest.ts';
import type { Store } from './store.ts';

/** How a blob's stored form is spoiled: one bit turned over, or its end lost. */
export type Damage = 'flip' | 'cut';

/** A place of its own for one case, empty at first. */
export interface Scratch {
  readonly connect: () => Promise<Store>;
  /** Leaves nothing behind. Connections are closed by then. */
  readonly dispose: () => Promise<void>;
  /** Spoils a stored blob behind the store's back. Absent where there is no way to do so. */
  readonly damage?: (digest: Digest, how: Damage) => Promise<void>;
  /** Absent where no answer can be lost, or no way is known to lose it. */
  readonly lossy?: () => Promise<LossyStore>;
}

/** A connection to the scratch store on which the answer to the next call after `lose` never comes back. */
export interface LossyStore {
  readonly store: Store;
  readonly lose: () => void;
}

export type OpenScratch = () => Promise<Scratch>;

/** The bytes of a blob after that damage. */
export function spoilBytes(bytes: Uint8Array, how: Damage): Uint8Array {
  if (how === 'cut') return bytes.slice(0, -1);
  const copy = Uint8Array.from(bytes);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
}
