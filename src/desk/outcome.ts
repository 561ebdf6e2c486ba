/** How a task stands after a change, as every edge tells it. */
import type { Digest } from '../core/journal/digest.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Status } from '../core/task/state.ts';
import type { Recorded } from '../handoff/record/record.ts';

export interface ChangeOutcome {
  readonly task: TaskId;
  readonly status: Status;
  /** The place of the change in the journal. */
  readonly seq: number;
  readonly generation: number;
  readonly holder: string | null;
  readonly offeredTo: string | null;
  readonly leaseUntil: number | null;
  readonly packet: Digest | null;
  readonly head: Digest;
  /** The key was known: this is what the first call did. */
  readonly repeated: boolean;
}

export function outcomeOf({ state, entry, leaseUntil, repeated }: Recorded): ChangeOutcome {
  const { task, status, generation, leg, offer, packet, head } = state;
  return {
    task,
    status,
    seq: entry?.seq ?? state.seq,
    generation,
    holder: leg?.holder.name ?? null,
    offeredTo: offer?.to ?? null,
    leaseUntil,
    packet,
    head,
    repeated,
  };
}
