/** What became of a contract after the work was submitted under it: its author never saw what was agreed since. */
import { contractChanges, type ContractChange } from '../../core/contract/contract-changes.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';
import { entriesBackward } from '../history/remarks.ts';

export interface Amended {
  /** The contract under which it was submitted. */
  readonly from: Digest;
  readonly amendments: readonly {
    readonly seq: number;
    readonly at: number;
    readonly by: string;
    readonly why: string;
  }[];
  /** From the one contract to the other, however many steps lie between. */
  readonly changes: readonly ContractChange[];
}

/** Whether a verdict on what waits has to name the contract, too. */
export function isAmended({ submission, contract }: Pick<TaskState, 'submission' | 'contract'>): boolean {
  return submission !== null && submission.contract !== contract;
}

/** Null where nothing is submitted, or the contract is still the one under which it was. */
export async function amendedOf(context: Context, state: TaskState): Promise<Amended | null> {
  const from = state.submission?.contract;
  if (from === undefined || !isAmended(state)) return null;
  const amendments: Amended['amendments'][number][] = [];
  for await (const { seq, at, by, events } of entriesBackward(context, state.task, state.seq)) {
    if (events.some(({ type }) => type === 'submitted')) break;
    for (const event of events)
      if (event.type === 'contract-amended') amendments.unshift({ seq, at, by: by.name, why: event.why });
  }
  const [before, after] = [await readContract(context, from), await readContract(context, state.contract)];
  return { from, amendments, changes: contractChanges(before, after) };
}
