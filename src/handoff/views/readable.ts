/** Nobody should hold a task that cannot be read: what the next leg needs is read before it starts. Damage is thrown as it is found. */
import { parseContract } from '../../core/task/contract.ts';
import { parsePacket } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readFindings } from '../sealing/findings.ts';
import { readBlobs } from '../history/history.ts';
import { standingFindings } from '../record/latest.ts';
import { waitingMessages } from '../verbs/outside.ts';
import { openQuestions, remarksOf } from '../history/remarks.ts';

/** Contract and packet; with `shown` also what is told beside them. */
export async function refuseUnreadable(
  context: Context,
  state: TaskState,
  { shown }: { readonly shown: boolean },
): Promise<void> {
  const named = state.packet === null ? [state.contract] : [state.contract, state.packet];
  const [contract, packet] = await readBlobs(context, named);
  if (contract !== undefined) parseContract(contract);
  const received = packet === undefined ? null : parsePacket(packet);
  if (!shown) return;
  await readFindings(context, state.sealed?.findings ?? null);
  if (state.unread.length > 0) await waitingMessages(context, state.task);
  await standingFindings(context, state);
  await openQuestions(context, state);
  await remarksOf(context, state, received);
}
