/**
 * The contract as it was last agreed by somebody who may widen it: what a packet's contract is held against. A person, a supervisor
 * or a planner that amended it since the last packet has agreed to what it says; any other holder has not.
 */
import { mayDirect } from '../../core/task/actor.ts';
import type { Contract } from '../../core/contract/contract.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { Subject } from '../../core/gate/subject.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';

const pageEntries = 64;

export async function agreedContract(
  context: Context,
  state: TaskState,
  { packet, contract, parent }: Pick<Subject, 'packet' | 'contract' | 'parent'>,
): Promise<Contract | null> {
  if (parent === null) return null;
  if (parent.contract === packet.contract) return contract;
  // What a fork goes on from belongs to another task; its own contract was held against that one when it was opened.
  const own = parent.task === packet.task;
  let agreed: Digest = parent.contract;
  for (let from = own ? parent.head.seq + 1 : 0; from <= state.seq; from += pageEntries) {
    const count = Math.min(pageEntries, state.seq - from + 1);
    for (const stored of await context.store.journal.read(state.task, from, count))
      agreed = agreedIn(openEntry(stored), state) ?? agreed;
  }
  return await readContract(context, agreed);
}

function agreedIn(entry: Entry, state: TaskState): Digest | undefined {
  const isFree = entry.seq === 0 || mayDirect(entry.by) || laneOf(entry, state) === 'plan';
  const agreed = entry.events.flatMap((event) =>
    event.type === 'task-opened' || (event.type === 'contract-amended' && isFree) ? [event.contract] : [],
  );
  return agreed.at(-1);
}

/** Of the leg under which it was written, as far as that is still known. */
function laneOf({ generation, by }: Entry, { leg, custody }: TaskState): string | undefined {
  const known = [leg, custody].find((one) => one !== null && one.generation === generation);
  return known?.lane ?? by.lane;
}
