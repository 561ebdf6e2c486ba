import type { Staffetta } from '../../src/library/staffetta.ts';
import type { Actor } from '../../src/core/task/actor.ts';
import { taskIdForKey, type TaskId } from '../../src/core/journal/id.ts';
import type { Held } from '../../src/handoff/verbs/carry.ts';
import type { Call } from '../../src/handoff/record/record.ts';
import type { Stage } from './stage.ts';

/** One verb, in a situation where it has something to do. */
export interface Scenario {
  readonly name: string;
  /** Makes the workspace in which it is played. */
  readonly workspace?: (folder: string) => void;
  /** Brings a new store to that situation. Absent: the verb meets no store at all. */
  readonly prepare?: (staffetta: Staffetta) => Promise<unknown>;
  /** The verb, under a fixed key where it takes one. Called again after a crash; must then lead to the same journals. */
  readonly act: (stage: Stage) => Promise<unknown>;
  /** How long after the preparation the verb is called. */
  readonly laterMs?: number;
  /** What of the journals is compared with an undisturbed run. Default: everything. */
  readonly compare?: (journals: readonly string[]) => readonly string[];
  /** It deals with a failure in its own way, so that another course of events is as good. */
  readonly mends?: true;
  /** What else must hold after the second try. Returns what is wrong. */
  readonly outside?: (stage: Stage) => Promise<readonly string[]>;
}

export const ada: Actor = { name: 'ada', kind: 'agent' };
export const bob: Actor = { name: 'bob', kind: 'agent' };
export const eve: Actor = { name: 'eve', kind: 'human' };

/** The key that every verb is called under. */
export const key = 'once';

export function by(actor: Actor): Call {
  return { by: actor, key };
}

export function idOf(name: string): TaskId {
  return taskIdForKey('ada', name);
}

/** The task of scenarios that need one. */
export const task = idOf('task');
export const first: Held = { task, generation: 1 };
export const second: Held = { task, generation: 2 };

export const goal = { goal: 'Carry the dispatch to the next post.', acceptance: ['It arrived.'] };

/** Opened and held by ada. */
export async function begun(staffetta: Staffetta): Promise<void> {
  await staffetta.begin(goal, { key: 'task' });
}

/** Opened and offered to anyone. */
export async function offered(staffetta: Staffetta): Promise<void> {
  await staffetta.open(goal, { key: 'task' });
}

/** Taken by bob from an offer, not acknowledged yet. */
export async function accepted(staffetta: Staffetta): Promise<void> {
  await offered(staffetta);
  await staffetta.take({ task, as: bob });
}

/** Bytes that do not compress, the same every time. */
export function noise(bytes: number, seed = 1): Uint8Array {
  const made = new Uint32Array(Math.ceil(bytes / 4));
  let x = seed * 2_654_435_761;
  for (let i = 0; i < made.length; i += 1) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    made[i] = x;
  }
  return new Uint8Array(made.buffer).subarray(0, bytes);
}
