/**
 * What the receiver of a task, or a user who looks at it, is shown of what was left. Nobody should hold a task that cannot be read. So it
 * is read before the leg starts, damage is thrown as it is found, and what was read is what is shown.
 */
import { parseContract, type Contract } from '../../core/contract/contract.ts';
import type { ReviewFinding } from '../../core/task/review-finding.ts';
import type { Finding } from '../../core/gate/finding.ts';
import { parsePacket, type Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import type { Context } from '../record/context.ts';
import { readFindings } from '../sealing/findings.ts';
import { readBlobs } from '../history/history.ts';
import { standingFindings } from '../record/latest.ts';
import { takeWork } from '../record/work-left.ts';
import { waitingMessages, type WaitingMessage } from '../verbs/outside.ts';
import { openQuestions, remarksOf, type OpenQuestion, type Remarks } from '../history/remarks.ts';
import { lookOnce, type LookHere } from './pickup.ts';

/** What was read of a task before it was taken, and by which names: the caller that shows it need not read it again. */
export interface ReadBefore {
  readonly of: Pick<TaskState, 'contract' | 'packet'>;
  readonly contract: Contract;
  readonly packet: Packet | null;
}

export interface LeftBehind extends ReadBefore {
  /** A task that is only about to be opened has no journal to read messages from. */
  readonly messages: readonly WaitingMessage[];
  readonly findings: readonly ReviewFinding[];
  /** What the gate found in the latest packet. */
  readonly gateFindings: readonly Finding[];
  readonly questions: readonly OpenQuestion[];
  readonly remarks: Remarks;
  readonly look: LookHere;
}

/** Contract and packet, each field looked at again. */
export async function readWork(context: Context, state: TaskState): Promise<ReadBefore> {
  const left = takeWork(context.store, state);
  if (left !== undefined) return { of: state, contract: left.contract, packet: left.packet };
  const named = state.packet === null ? [state.contract] : [state.contract, state.packet];
  const [contract = new Uint8Array(), packet] = await readBlobs(context, named);
  return {
    of: state,
    contract: parseContract(contract),
    packet: packet === undefined ? null : parsePacket(packet),
  };
}

/** With what is told beside them. */
export async function readLeft(context: Context, state: TaskState): Promise<LeftBehind> {
  const work = await readWork(context, state);
  return {
    ...work,
    gateFindings: await readFindings(context, state.sealed?.findings ?? null),
    messages: state.unread.length === 0 ? [] : await waitingMessages(context, state.task),
    findings: await standingFindings(context, state),
    questions: await openQuestions(context, state),
    remarks: await remarksOf(context, state, work.packet),
    look: lookOnce(context, state, work),
  };
}
