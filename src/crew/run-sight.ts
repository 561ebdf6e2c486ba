import type { PlanWait } from '../core/plan/plan-wait.ts';
import type { PlannedLeg } from '../core/plan/room.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import type { Status } from '../core/task/state.ts';
import type { LegSigns } from './turns.ts';

/** How a run looks this moment. */
export interface RunSight {
  readonly document: RunDocument;
  readonly statuses: ReadonlyMap<string, Status>;
  /** The tasks whose status is another than when it was last told. */
  readonly changed: readonly string[];
  readonly live: readonly LiveLeg[];
  /** Attempts that failed since it was last told. */
  readonly failed: readonly { readonly task: string; readonly agent: string; readonly why: string }[];
  readonly waits: () => readonly PlanWait[];
  /** Of those that only a person or an account can move. */
  readonly stuck: () => readonly PlanWait[];
  readonly paused: string | null;
  /** A phase that is over, and that a person has to look at. */
  readonly phase: string | null;
}

export interface RunEars {
  /** Told whenever something may look different. */
  readonly onChange?: (sight: RunSight) => void;
  /** Told how the run looks where nothing has moved in it for so long. */
  readonly onQuiet?: (sight: RunSight, ms: number) => void;
  /** Told once that another supervisor has the run, and that this one waits. */
  readonly onHeld?: () => void;
}

export interface LiveLeg extends PlannedLeg {
  readonly signs: LegSigns;
  readonly isReview: boolean;
}

/** As its supervisor has it. */
export interface CarriedLeg extends LiveLeg {
  readonly stop: AbortController;
  readonly over: Promise<void>;
  /** Its leg was seen to have begun. */
  wasHeld: boolean;
}

export interface SuperviseOptions extends RunEars {
  readonly pollMs?: number;
  /** The legs that are on are put down, with what they did, and the run is left to the next supervisor. */
  readonly signal?: AbortSignal;
  /** Also ends where nothing moves before a person does. */
  readonly untilIdle?: boolean;
}
