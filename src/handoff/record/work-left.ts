import type { Contract } from '../../core/contract/contract.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Store } from '../../ports/store.ts';

export interface WorkLeft {
  readonly contract: Contract;
  readonly packet: Packet;
}

/**
 * What this process has just handed over and knows to be stored: where the receiver is a part of the same program, it is given that, and
 * nothing is read back and compared with its digest. It is given once, so that each receiver has a packet of its own.
 */
const left = new WeakMap<Store, Map<TaskId, WorkLeft & { readonly digest: Digest }>>();
const tasksMax = 16;
const packetBytesMax = 64 * 1024;

export function keepWork(store: Store, digest: Digest, work: WorkLeft, bytes: number): void {
  if (bytes > packetBytesMax) return;
  let tasks = left.get(store);
  if (tasks === undefined) left.set(store, (tasks = new Map()));
  const { task } = work.packet;
  tasks.delete(task);
  for (const oldest of tasks.keys()) {
    if (tasks.size < tasksMax) break;
    tasks.delete(oldest);
  }
  tasks.set(task, { ...work, digest });
}

/** Undefined where it is not in hand, or not what the task stands on. */
export function takeWork(store: Store, { task, contract, packet }: TaskState): WorkLeft | undefined {
  const tasks = left.get(store);
  const work = tasks?.get(task);
  if (work === undefined) return undefined;
  tasks?.delete(task);
  return work.digest === packet && work.packet.contract === contract ? work : undefined;
}
