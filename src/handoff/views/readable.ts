/** Nobody should hold a task that cannot be read: what the next leg needs is read before it starts. Damage is thrown as it is found. */
import { assert } from '../../core/base/assert.ts';
import { parseContract, type Contract } from '../../core/task/contract.ts';
import { parsePacket, type Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readFindings } from '../sealing/findings.ts';
import { readBlobs } from '../history/history.ts';
import { standingFindings } from '../record/latest.ts';
import { waitingMessages } from '../verbs/outside.ts';
import { openQuestions, remarksOf } from '../history/remarks.ts';

/** What was read of a task before it was taken, and by which names: whoever shows it need not read it again. */
export interface ReadBefore {
  readonly of: Pick<TaskState, 'contract' | 'packet'>;
  readonly contract: Contract;
  readonly packet: Packet | null;
}

/** Contract and packet; with `shown` also what is told beside them. */
export async function refuseUnreadable(
  context: Context,
  state: TaskState,
  { shown }: { readonly shown: boolean },
): Promise<ReadBefore> {
  const named = state.packet === null ? [state.contract] : [state.contract, state.packet];
  const [contract, packet] = await readBlobs(context, named);
  assert(contract !== undefined, 'a contract was read and is not there');
  const received = packet === undefined ? null : parsePacket(packet);
  const read = { of: state, contract: parseContract(contract), packet: received };
  if (!shown) return read;
  await readFindings(context, state.sealed?.findings ?? null);
  if (state.unread.length > 0) await waitingMessages(context, state.task);
  await standingFindings(context, state);
  await openQuestions(context, state);
  await remarksOf(context, state, received);
  return read;
}
