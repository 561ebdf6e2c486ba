import type { StandingContract } from '../../core/task/added-terms.ts';
import type { ReviewFinding } from '../../core/task/review-finding.ts';
import type { Finding } from '../../core/gate/finding.ts';
import type { Packet } from '../../core/packet/packet.ts';
import type { TaskState } from '../../core/task/state.ts';
import { amendedOf, type Amended } from './amended.ts';
import type { Context } from '../record/context.ts';
import { readFindings } from '../sealing/findings.ts';
import { readCheckedPacket } from '../history/history.ts';
import { sentBackBefore, standingFindings, standingReasons, type SentBack } from '../record/latest.ts';
import { readStanding } from './standing-contract.ts';
import { pickupOf, type Pickup } from './pickup.ts';
import { openQuestions, remarksOf, type OpenQuestion, type Remarks } from '../history/remarks.ts';
import { waitingMessages, type WaitingMessage } from '../verbs/outside.ts';

/** A task with all that whoever takes it has to know. */
export interface TaskView {
  readonly state: TaskState;
  readonly leaseUntil: number | null;
  /** What nobody has confirmed stands beside it. */
  readonly contract: StandingContract;
  /** What was agreed after the work was submitted. */
  readonly amended: Amended | null;
  readonly packet: Packet | null;
  readonly messages: readonly WaitingMessage[];
  readonly findings: readonly ReviewFinding[];
  /** Of work that waits for a verdict: what it was sent back for before. */
  readonly sentBack: SentBack | null;
  /** What the gate found in the latest packet. */
  readonly gateFindings: readonly Finding[];
  readonly declined: readonly string[];
  readonly questions: readonly OpenQuestion[];
  readonly remarks: Remarks;
  readonly pickup: Pickup;
}

export async function viewOf(
  context: Context,
  state: TaskState,
  leaseUntil: number | null,
): Promise<TaskView> {
  const packet = state.packet === null ? null : await readCheckedPacket(context, state.packet);
  const contract = await readStanding(context, state);
  return {
    state,
    leaseUntil,
    contract,
    amended: await amendedOf(context, state),
    packet,
    // A task that is only about to be opened has no journal to read messages from.
    messages: state.unread.length === 0 ? [] : await waitingMessages(context, state.task),
    findings: await standingFindings(context, state),
    sentBack: await sentBackBefore(context, state),
    gateFindings: await readFindings(context, state.sealed?.findings ?? null),
    declined: await standingReasons(context, state),
    questions: await openQuestions(context, state),
    remarks: await remarksOf(context, state, packet),
    pickup: await pickupOf(context, state, { contract, packet }),
  };
}
