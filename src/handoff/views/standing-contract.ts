/** A contract as it stands: what was agreed on, and beside it what was added and nobody of this store has confirmed. */
import {
  nothingAgreed,
  standingContract,
  type ContractVersion,
  type StandingContract,
} from '../../core/contract/added-terms.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { touchedAt } from '../../core/task/standing.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readContract } from '../history/history.ts';
import { soundPages } from '../record/load.ts';

type Standing = Pick<TaskState, 'task' | 'seq' | 'head' | 'contract' | 'narrowed' | 'openedBy' | 'leg'>;

/** Of the contract in force, or of an earlier one of the same task. */
export async function readStanding(
  context: Context,
  state: Standing,
  digest: Digest = state.contract,
): Promise<StandingContract> {
  const contract = await readContract(context, digest);
  // What is held here is this store's own.
  const versions =
    state.leg === null ? await versionsOf(context, state, digest) : await contractsHere(context, state);
  return standingContract(contract, versions);
}

/** Which versions there were of a contract since one was agreed on. */
export async function versionsOf(
  context: Context,
  state: Standing,
  digest: Digest = state.contract,
): Promise<ContractVersion[]> {
  if (await isForeign(context, state, digest)) {
    const by = `${state.openedBy} in another store`;
    return [
      { contract: nothingAgreed, by: null, generation: 0 },
      { contract: await readContract(context, digest), by, generation: 0 },
    ];
  }
  return await contractsHere(context, state);
}

/** The same of a task that is known to be this store's own: one that is held, say. */
export async function contractsHere(
  context: Context,
  { narrowed }: Pick<Standing, 'narrowed'>,
): Promise<ContractVersion[]> {
  if (narrowed === undefined) return [];
  return [
    { contract: await readContract(context, narrowed.agreed), by: null, generation: 0 },
    ...(await Promise.all(
      narrowed.versions.map(async (one) => ({ ...one, contract: await readContract(context, one.contract) })),
    )),
  ];
}

/**
 * Whether a contract is another store's word. A journal was written here unless its lease says that it came from elsewhere, or that it is
 * over and somebody relies on it. Then a contract counts as ours if it was in force before an entry that is signed by a key of this
 * store: a signature binds everything before it, and import has checked that it fits.
 */
async function isForeign(context: Context, state: Standing, digest: Digest): Promise<boolean> {
  const head = await context.store.journal.head(state.task);
  if (touchedAt(head?.lease ?? null) === null) return false;
  let isThere = false;
  for await (const page of soundPages(context, state)) {
    for (const { entry } of page) {
      for (const event of entry.events) {
        if (event.type === 'task-opened' || event.type === 'contract-amended')
          isThere ||= event.contract === digest;
        if (event.type !== 'signed' || !isThere) continue;
        if ((await context.signer?.knows(entry.by, event.key)) === true) return false;
      }
    }
  }
  return true;
}
