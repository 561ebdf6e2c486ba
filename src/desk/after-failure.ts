/** What failed is over. A person tries it anew as a task of its own, or lets it be: its journal takes nothing more, so this machine keeps that in mind. */
import { StaffettaError } from '../core/base/error.ts';
import { agreedPart } from '../core/contract/added-terms.ts';
import type { TaskId } from '../core/journal/id.ts';
import { openEntry } from '../core/journal/sealed.ts';
import type { Context } from '../handoff/record/context.ts';
import { load } from '../handoff/record/load.ts';
import { eventIn, type Recorded } from '../handoff/record/record.ts';
import type { ContractInput, OpenOptions } from '../handoff/verbs/open.ts';
import { readStanding } from '../handoff/views/standing-contract.ts';
import { letBeHere } from '../home/let-be-here.ts';

/** What was agreed on a task, for one that tries the same anew; and whom that was offered to first. */
export async function agreedAgain(
  context: Context,
  task: TaskId,
): Promise<{ readonly contract: ContractInput; readonly options: Pick<OpenOptions, 'to' | 'lane'> }> {
  const { state } = await load(context, task);
  if (state.steering !== undefined)
    throw new StaffettaError('wrong-state', `Task ${task} is a run: it is begun anew with its plan.`, {
      details: { task },
      hint: 'staffetta run PLAN --name NEW-NAME',
    });
  const { v: _, ...contract } = agreedPart(await readStanding(context, state));
  const [first] = await context.store.journal.read(task, 0, 1);
  const offer = first === undefined ? undefined : eventIn(openEntry(first), 'offer-made');
  return { contract, options: offer === undefined ? {} : { to: offer.to, lane: offer.lane } };
}

export async function letBe(context: Context, task: TaskId): Promise<Recorded> {
  const { state, lease } = await load(context, task);
  if (state.status !== 'failed')
    throw new StaffettaError('wrong-state', `Task ${task} is ${state.status}: only what failed is let be.`, {
      details: { task, status: state.status },
      hint: `See how it stands: staffetta show ${task}`,
    });
  letBeHere(context.store).note(task);
  return { state, entry: null, leaseUntil: lease?.until ?? null, repeated: false };
}
