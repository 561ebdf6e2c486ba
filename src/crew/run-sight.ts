import type { PlanWait } from '../core/plan/plan-wait.ts';
import type { PlannedLeg } from '../core/plan/room.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import type { Status } from '../core/task/state.ts';
import type { LegSigns } from './turns.ts';

/** How a run looks this moment. */
export interface RunSight {
  readonly document: RunDocument;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly live: readonly LiveLeg[];
  readonly waits: () => readonly PlanWait[];
  readonly paused: string | null;
}

export interface LiveLeg extends PlannedLeg {
  readonly signs: LegSigns;
  readonly isReview: boolean;
}
