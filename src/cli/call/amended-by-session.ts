/**
 * Contract options and answers of `handoff --from` where the session has a task already: the contract was agreed, so they amend it as
 * `amend` does, in the name of the caller.
 */
import { mayDirect } from '../../core/task/actor.ts';
import { canonical } from '../../core/journal/canonical.ts';
import type { Contract } from '../../core/task/contract.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { TaskState } from '../../core/task/state.ts';
import { amend } from '../../handoff/verbs/amend.ts';
import { readContract } from '../../handoff/history/history.ts';
import { changed } from '../commands/tasks/amend.ts';
import type { ContractGiven } from '../contract/contract-values.ts';
import type { PreparedHandoff } from './from-session.ts';
import { line } from '../frame/output.ts';
import type { Session } from './session.ts';

export interface Agreed {
  readonly state: TaskState;
  readonly contract: Contract;
  /** Whether the caller may amend it, so far as the gate of amending does not object. */
  readonly mayAmend: boolean;
}

export async function agreedUnder(session: Session, state: TaskState): Promise<Agreed> {
  const contract = await readContract(await session.context(), state.contract);
  const { actor } = session;
  return { state, contract, mayAmend: mayDirect(actor) || state.leg?.holder.name === actor.name };
}

/** The contract as it would read. */
export function withPart({ contract }: Agreed, part: ContractGiven): Contract {
  return changed(contract, part, [], false);
}

export function changesIt(agreed: Agreed, part: ContractGiven): boolean {
  return canonical(withPart(agreed, part)) !== canonical(agreed.contract);
}

/**
 * Whether it was amended, or would be in a dry run. In an emergency the packet goes out even if the caller may not amend; then
 * what was not taken over is said.
 */
export async function amendFirst(
  session: Session,
  { look, trigger, agreed, given }: PreparedHandoff,
): Promise<boolean> {
  if (agreed === undefined || !changesIt(agreed, given)) return false;
  const { task, generation, leg } = agreed.state;
  const { actor: by, dryRun } = session;
  const amendment = {
    change: (contract: Contract) => changed(contract, given, [], false),
    asked: { part: given },
    why: `Said when the session ${look.card.id} of ${look.card.runtime} was handed over.`,
    ...(leg?.holder.name === by.name ? { generation } : {}),
  };
  const fields = Object.keys(given).join(', ');
  try {
    await amend(await session.context(), task, amendment, { by, dryRun });
  } catch (error) {
    if (!isStaffettaError(error) || !isEmergency(trigger)) throw error;
    session.output.say(`Not taken over into the contract of ${task}: ${fields}. ${line(error.message)}`);
    return false;
  }
  if (!dryRun) session.output.say(`The contract of ${task} is amended: ${fields}.`);
  return true;
}
