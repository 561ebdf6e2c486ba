/** How a run stands, as far as starting something depends on it. It is folded from the journals and can be thrown away. */
import type { Lane } from '../task/actor.ts';
import type { Address } from '../task/address.ts';
import type { Chart } from './chart.ts';
import type { Crew } from './crew.ts';
import type { Frontier } from './frontier.ts';
import type { Routed } from './route.ts';

export type PlanStanding =
  | OpenStanding
  | {
      readonly at: 'held';
      readonly agent: string;
      readonly lane: Lane;
      /** Null for a command or a function. */
      readonly runtime: string | null;
      /** What its holder asked a person, who has not answered yet. */
      readonly asked?: string;
    }
  /** Only a person can move it: an escalation, a question, a review that asks for one. */
  | { readonly at: 'person'; readonly why: string }
  /** It waits to be integrated. */
  | { readonly at: 'approved' }
  /** All that it was for is there for others, integrated where it had to be. Nothing else meets a need. */
  | { readonly at: 'done' }
  | { readonly at: 'failed' | 'cancelled' };

/** Somebody could start it, once its needs are met. */
export interface OpenStanding {
  readonly at: 'open';
  /** Where the offer says it, and not the plan. */
  readonly lane?: Lane;
  readonly to?: Address;
  readonly notBefore?: number;
  /** Agents that worked on it; with one of them it has begun. */
  readonly authors?: readonly string[];
  /** The programs that they worked in. */
  readonly authorRuntimes?: readonly string[];
  /** The agent that handed it on. */
  readonly from?: string;
  /** The program that it was moved to because another was exhausted: it stays there. */
  readonly runtime?: string;
}

export interface RunView {
  readonly chart: Chart;
  readonly crew: Crew;
  /** Kept by a caller that asks often. What it says is done need not be among the standings. */
  readonly frontier?: Frontier;
  /** By name. A task that is not in it is open, and nobody has begun. One that is not in the plan any more may still be held. */
  readonly standings: ReadonlyMap<string, PlanStanding>;
  /** Accounts that are exhausted, until when; null where nobody knows. */
  readonly exhausted?: ReadonlyMap<string, number | null>;
  /** The account of each program, where it is not one of its own. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** Programs that can be started; left out where nobody looked. */
  readonly installed?: readonly string[];
  /** Why nothing is to start. */
  readonly paused?: string;
  /** What a person said to start, and by whom. */
  readonly asked?: ReadonlyMap<string, string | null>;
  /** What the front door said of tasks; left out where rules are looked at as they stand. */
  readonly routed?: ReadonlyMap<string, Routed>;
  /** Phases that a person has looked at. */
  readonly released?: readonly string[];
  /** How many legs each agent has had. */
  readonly turns?: Readonly<Record<string, number>>;
}

const untouched: OpenStanding = { at: 'open' };
const isDone: PlanStanding = { at: 'done' };

export function planStanding({ standings, frontier }: RunView, task: string): PlanStanding {
  return frontier?.done.has(task) === true ? isDone : (standings.get(task) ?? untouched);
}

/** Somebody has changed files for it, and nobody else has them yet. */
export function isInFlight(standing: PlanStanding): boolean {
  switch (standing.at) {
    case 'held':
    case 'person':
    case 'approved':
      return true;
    case 'open':
      return (standing.authors ?? []).length > 0;
    case 'done':
    case 'failed':
    case 'cancelled':
      return false;
  }
}
