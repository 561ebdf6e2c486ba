import type { StandingContract } from '../../core/contract/added-terms.ts';
import type { TaskState } from '../../core/task/state.ts';
import { amendedOf, type Amended } from './amended.ts';
import type { Context } from '../record/context.ts';
import { sentBackBefore, standingReasons, type SentBack } from '../record/latest.ts';
import { readLeft, type LeftBehind } from './readable.ts';
import { readStanding } from './standing-contract.ts';
import { pickupOf, type Pickup } from './pickup.ts';

/** A task with all that its receiver has to know. */
export interface TaskView extends Omit<LeftBehind, 'of' | 'look' | 'contract'> {
  readonly state: TaskState;
  readonly leaseUntil: number | null;
  /** What nobody has confirmed stands beside it. */
  readonly contract: StandingContract;
  /** What was agreed after the work was submitted. */
  readonly amended: Amended | null;
  /** Of work that waits for a verdict: what it was sent back for before. */
  readonly sentBack: SentBack | null;
  readonly declined: readonly string[];
  readonly pickup: Pickup;
}

export async function viewOf(
  context: Context,
  state: TaskState,
  { leaseUntil, left }: { readonly leaseUntil: number | null; readonly left?: LeftBehind | undefined },
): Promise<TaskView> {
  const { of: _of, look, ...read } = left ?? (await readLeft(context, state));
  const { packet } = read;
  const contract = await readStanding(context, state);
  return {
    state,
    leaseUntil,
    ...read,
    contract,
    amended: await amendedOf(context, state),
    sentBack: await sentBackBefore(context, state),
    declined: await standingReasons(context, state),
    pickup: await pickupOf(context, state, { contract, packet, look }),
  };
}
