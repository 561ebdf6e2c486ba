import { limits } from '../../core/base/limits.ts';
import type { ProgressTold } from '../../core/files/notes.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Entropy } from '../../ports/entropy.ts';
import type { Orphans } from '../../ports/orphans.ts';
import type { Reached } from '../../ports/step.ts';
import type { Signer } from '../../ports/signer.ts';
import type { Skills } from '../../ports/skills.ts';
import type { Store } from '../../ports/store.ts';
import type { TakenHere } from '../../ports/taken-here.ts';
import type { Tracing } from '../../ports/tracing.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Afterwards } from './afterwards.ts';

/**
 * `refuse`: a packet that is not ready is not handed on. `record`: what the gate found is recorded and shown, and nothing is
 * refused. The author of the program can say so; nothing that a repository, a contract or an agent says can.
 */
export type Gate = 'refuse' | 'record';

/** What every verb works with. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly reached: Reached;
  /** Takes secrets out of everything before it is stored. Made when it is first needed. */
  readonly redactor: () => Promise<Redactor>;
  /** Where the work is done, if it is done anywhere. Opened when it is first needed. */
  readonly workspace?: () => Promise<Workspace>;
  /** The skills of this machine, as programs find them from there. */
  readonly skills?: Skills;
  /** What killed commands left running here. */
  readonly orphans?: Orphans;
  /** What an agent has written of its work into a file there since then, for others to read; null where it has not. */
  readonly progressTold?: (since: number) => Promise<ProgressTold | null>;
  /** Which other tasks were taken in the same folder. */
  readonly takenHere?: TakenHere;
  readonly gate: Gate;
  /** Whether tasks that are opened here are strict, whatever their contract says. */
  readonly strict?: () => boolean;
  /** Vouches for checkpoints and approvals; without it they are unsigned. */
  readonly signer?: Signer;
  /** Tells legs and handoffs to the collector of traces. */
  readonly tracing?: Tracing;
  /** Where somebody waits for the answer of a call, and not for what follows from it; without it that is done first. */
  readonly afterwards?: Pick<Afterwards, 'add' | 'settled'>;
}

/** Of a caller that names no lease. */
export function leaseMsOf({ store }: Pick<Context, 'store'>): number {
  return store.leaseMs ?? limits.leaseMsDefault;
}
