/** Where a run is worked on, and how its agents are put to work there: all that a supervisor needs besides the store. */
import type { NamedAgent } from '../core/plan/fitting-agents.ts';
import type { RunDocument } from '../core/plan/run-document.ts';
import { changesInPlanLane } from '../core/plan/work-plan.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { TaskState } from '../core/task/state.ts';
import { UntilAsked } from '../handoff/record/afterwards.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Leg } from '../handoff/verbs/leg.ts';
import type { PacketInput } from '../handoff/sealing/gather.ts';
import type { ExhaustedHere } from '../ports/exhausted-here.ts';
import type { Integrate } from '../ports/integrate.ts';
import type { LegOrder, OpenLeg, Runner, TurnEnd } from '../ports/runner.ts';
import type { Trees } from '../ports/trees.ts';
import type { RouteRequest } from './steering/front-door.ts';

export interface CrewSite {
  readonly context: Context;
  /** Null where agents need no trees: functions that change no files. */
  readonly ground: { readonly trees: Trees; readonly integrate: Integrate } | null;
  /** The same store, for work that is done in a folder. */
  readonly contextIn: (folder: string) => Context;
  /** Names this process, in the legs that it takes. */
  readonly session: string;
  /**
   * Whether the supervisor of that name, and all that it had started for a leg, is provably gone; what it left running is ended first. Where
   * nobody can know, its leases are waited for.
   */
  readonly isGone?: (
    session: string,
    leg: { readonly task: TaskId; readonly generation: number },
  ) => Promise<boolean>;
  readonly employ: (post: Post) => Promise<Employment>;
  /** What other runs found of the accounts here; left out where each run is by itself. */
  readonly exhausted?: ExhaustedHere;
  /** Programs that can be started here; left out where nobody looked. */
  readonly installed?: readonly string[];
  /** Asks the router of the crew, once: its answer, as it gave it. */
  readonly route?: (document: RunDocument, request: RouteRequest, told: AbortSignal) => Promise<unknown>;
  /** Asks a person who is there; `deny` where nobody is. Without it a permission that has to be asked for is denied. */
  readonly ask?: (post: Post, what: string) => Promise<'allow' | 'deny'>;
}

/** The same, where what a completion leaves to be done waits until it is asked for. */
export function leavingUntilIdle(site: CrewSite): { readonly site: CrewSite; readonly later: UntilAsked } {
  const afterwards = new UntilAsked();
  const within = (context: Context): Context => ({ ...context, afterwards });
  const contextIn: CrewSite['contextIn'] = (folder) => within(site.contextIn(folder));
  return { site: { ...site, context: within(site.context), contextIn }, later: afterwards };
}

/** What an agent is wanted for. */
export type Post = WorkPost | ReviewPost;

interface AnyPost {
  readonly run: string;
  /** The task's name in the plan. */
  readonly task: string;
  readonly agent: NamedAgent;
  /** Null for a command or a function. */
  readonly runtime: string | null;
  /** Null where there are no trees. */
  readonly folder: string | null;
  readonly context: Context;
}

export interface WorkPost extends AnyPost {
  readonly for: 'work';
  readonly leg: Leg;
}

/** It looks at what was submitted, and holds nothing: its verdict is bound to the packet. */
export interface ReviewPost extends AnyPost {
  readonly for: 'review';
  readonly state: TaskState;
}

/** The agent in the lane whose access it needs: who reviews only looks, and who plans changes files only where the contract names some. */
export function doingOf(post: Post): NamedAgent {
  if (post.for === 'review') return { ...post.agent, lane: 'audit' };
  const { paths } = post.leg.contract;
  return changesInPlanLane({ lane: post.agent.lane, paths })
    ? { ...post.agent, lane: 'execute' }
    : post.agent;
}

export interface Employment {
  readonly runner: Runner;
  readonly order: Pick<LegOrder, 'env' | 'mode' | 'model' | 'session' | 'note'>;
  /** What the agent is told first. */
  readonly prompt: string;
  /** Why it goes on so and not otherwise, where there was a choice. */
  readonly advice?: string;
  /** After a turn: what its own session says of it, to be sealed into the next packet. */
  readonly recall?: (open: OpenLeg, end: TurnEnd) => Promise<Recalled>;
}

export interface Recalled {
  /** What goes into the packet. */
  readonly packet: PacketInput;
  readonly limit: TurnEnd['limit'];
  /** What it used in this leg, by its own count. */
  readonly usage?: { readonly tokens: number; readonly source: string };
}
