/** How many legs there are of everything, and whether one more fits. Counted anew from who holds what, and never kept. */
import type { Lane } from '../task/actor.ts';
import type { CrewLimits } from './crew.ts';
import { runtimesFor, type NamedAgent } from './fitting-agents.ts';
import type { PlanWait } from './plan-wait.ts';
import type { OpenStanding, RunView } from './run-view.ts';

/** Where nobody has said how many legs there may be at once. */
export const parallelDefault = 3;

export interface PlannedLeg {
  readonly task: string;
  readonly agent: string;
  readonly lane: Lane;
  /** Null for a command or a function. */
  readonly runtime: string | null;
}

/** Why there is none, without the task that asks. */
export type NoRoom = Omit<PlanWait, 'task'>;

export interface Room {
  readonly isFull: () => boolean;
  /** Tasks that somebody works on. */
  readonly holding: () => readonly string[];
  readonly take: (leg: PlannedLeg) => void;
  /** The program that an agent would start in, null for a command or a function; or what it waits for. */
  readonly runtimeOf: (
    agent: NamedAgent,
    standing: OpenStanding,
  ) => { readonly runtime: string | null } | NoRoom;
}

export function roomIn(view: RunView, limits: CrewLimits): Room {
  const legs: string[] = [];
  const used = {
    agent: new Map<string, number>(),
    lane: new Map<string, number>(),
    runtime: new Map<string, number>(),
  };
  const take = ({ task, agent, lane, runtime }: PlannedLeg): void => {
    legs.push(task);
    add(used.agent, agent);
    add(used.lane, lane);
    if (runtime !== null) add(used.runtime, runtime);
  };
  for (const [task, standing] of view.standings) if (standing.at === 'held') take({ task, ...standing });

  const isBusy = ({ name, lane, count = 1 }: NamedAgent): NoRoom | undefined => {
    if ((used.agent.get(name) ?? 0) >= count) return { on: 'agent', who: [name], until: null };
    const ofLane = limits.perLane?.[lane];
    if (ofLane !== undefined && (used.lane.get(lane) ?? 0) >= ofLane)
      return { on: 'lane', who: [lane], until: null };
    return undefined;
  };
  return {
    isFull: () => legs.length >= (limits.parallel ?? parallelDefault),
    holding: () => legs,
    take,
    runtimeOf(agent, standing) {
      const busy = isBusy(agent);
      if (busy !== undefined) return busy;
      if (agent.runtime === undefined) {
        // A command or a function has its own account.
        const until = view.exhausted?.get(agent.name);
        return until === undefined ? { runtime: null } : { on: 'account', who: [agent.name], until };
      }
      const chosen = chooseRuntime(view, agent, standing);
      if ('on' in chosen) return chosen;
      const most = limits.perRuntime?.[chosen.runtime];
      // The next program is for when an account is exhausted, and not for when many use it.
      return most !== undefined && (used.runtime.get(chosen.runtime) ?? 0) >= most
        ? { on: 'runtime', who: [chosen.runtime], until: null }
        : chosen;
    },
  };
}

/** The first program whose account is not exhausted, from the one on in which the task is already. */
function chooseRuntime(
  { installed, exhausted, accounts = {} }: RunView,
  agent: NamedAgent,
  standing: OpenStanding,
): { readonly runtime: string } | NoRoom {
  const allowed = runtimesFor(agent, standing.authorRuntimes ?? []);
  const here = allowed.filter((runtime) => installed?.includes(runtime) ?? true);
  if (here.length === 0)
    return {
      on: 'nobody',
      who: [agent.name],
      until: null,
      why:
        allowed.length === 0
          ? `${agent.name} works in no other program than its author`
          : `${allowed.join(' and ')} of ${agent.name} cannot be started`,
    };
  const from = standing.runtime === undefined ? 0 : Math.max(0, here.indexOf(standing.runtime));
  const waits: { readonly account: string; readonly until: number | null }[] = [];
  for (const runtime of here.slice(from)) {
    const account = Object.hasOwn(accounts, runtime) ? (accounts[runtime] ?? runtime) : runtime;
    const until = exhausted?.get(account);
    if (until === undefined) return { runtime };
    waits.push({ account, until });
  }
  const times = waits.flatMap(({ until }) => until ?? []);
  return {
    on: 'account',
    who: [...new Set(waits.map(({ account }) => account))],
    until: times.length === 0 ? null : Math.min(...times),
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
