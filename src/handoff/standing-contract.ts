/** A contract as it stands: what was agreed on, and beside it what holders added and nobody has confirmed. */
import { standingContract, type StandingContract } from '../core/added-terms.ts';
import type { Digest } from '../core/digest.ts';
import type { TaskState } from '../core/state.ts';
import type { Context } from './context.ts';
import { readContract } from './history.ts';

/** Of the contract in force, or of an earlier one of the same task. */
export async function readStanding(
  context: Context,
  { contract: now, narrowed }: Pick<TaskState, 'contract' | 'narrowed'>,
  digest: Digest = now,
): Promise<StandingContract> {
  const contract = await readContract(context, digest);
  if (narrowed === undefined) return contract;
  const versions = [
    { contract: await readContract(context, narrowed.agreed), by: null, generation: 0 },
    ...(await Promise.all(
      narrowed.versions.map(async (one) => ({ ...one, contract: await readContract(context, one.contract) })),
    )),
  ];
  return standingContract(contract, versions);
}
