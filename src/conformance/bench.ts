import type { Digest } from '../core/journal/digest.ts';
import type { Damage, LossyStore, Scratch } from '../ports/scratch.ts';
import type { Store } from '../ports/store.ts';

/** What a case works on: connections to one scratch store, as two processes would have them. */
export interface Bench {
  readonly a: Store;
  readonly b: Store;
  readonly open: () => Promise<Store>;
  /** Closes every connection and opens a new one: what that shows was kept by the store, not by a connection. */
  readonly reopen: () => Promise<Store>;
  readonly damage: (digest: Digest, how: Damage) => Promise<void>;
  /** Undefined where no answer can be lost. */
  readonly lossy: () => Promise<LossyStore | undefined>;
}

export async function onBench(scratch: Scratch, work: (bench: Bench) => Promise<void>): Promise<void> {
  const connections: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await scratch.connect();
    connections.push(store);
    return store;
  };
  const closeAll = async (): Promise<void> => {
    for (const store of connections.splice(0)) await store.close();
  };
  const reopen = async (): Promise<Store> => {
    await closeAll();
    return await open();
  };
  const damage = async (digest: Digest, how: Damage): Promise<void> => {
    if (scratch.damage === undefined) throw new Error('This scratch store cannot be damaged on purpose.');
    await scratch.damage(digest, how);
  };
  const lossy = async (): Promise<LossyStore | undefined> => {
    const made = await scratch.lossy?.();
    if (made !== undefined) connections.push(made.store);
    return made;
  };
  try {
    await work({ a: await open(), b: await open(), open, reopen, damage, lossy });
  } finally {
    await closeAll();
  }
}
