import type { Address } from '../../core/task/address.ts';
import type { Card } from '../../core/task/card.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Wait } from '../../core/task/waits.ts';
import type { FeedEntry, Lease } from '../../ports/journal.ts';

/** Everything a memory store holds. Several connections may share one world, as processes share a database. */
export interface World {
  readonly tasks: Map<TaskId, MemoryTask>;
  readonly feed: FeedEntry[];
  readonly blobs: Map<Digest, MemoryBlob>;
  readonly hints: Map<string, MemoryHint>;
  readonly removed: Set<TaskId>;
  position: number;
  receipts: number;
  readonly secret: Uint8Array;
}

export interface MemoryTask {
  readonly entries: FeedEntry[];
  readonly keys: Map<string, number>;
  readonly opened: number;
  snapshot: string;
  card: Card;
  waits: readonly Wait[];
  lease: Lease | null;
}

export interface MemoryBlob {
  readonly bytes: Uint8Array;
  putAt: number;
}

export interface MemoryHint {
  readonly to: Address;
  readonly task: TaskId;
  readonly offer: number;
  readonly order: number;
  due: number;
  deliveries: number;
  receipt: string;
}

export function createWorld(): World {
  const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
  return {
    tasks: new Map(),
    feed: [],
    blobs: new Map(),
    hints: new Map(),
    removed: new Set(),
    position: 0,
    receipts: 0,
    secret,
  };
}
