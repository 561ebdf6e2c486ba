/**
 * Which agents may start a task next, in the order in which they are asked. A task that is offered to an agent or a program, or that the
 * plan gives to an agent, goes there whatever the strategy. An offer to a lane or to anyone leaves the choice, and a leg in another lane
 * than the task's own, such as its review, is for anybody of that lane whatever rules there are. Otherwise:
 *
 *   sequential, parallel, manual   agents of its lane, the first of the crew that has room
 *   round-robin                    the same, the one that has had the fewest legs first
 *   router                         the one agent that the front door named, or else the routes do
 *   handoff                        first who only hands on, in whatever lane; then the agent that an edge leads to
 */
import type { Lane } from '../task/actor.ts';
import { addressedLane } from '../task/address.ts';
import type { ChartTask } from './chart.ts';
import { mayHandOn, type Crew } from './crew.ts';
import { agentsAddressed, agentsFor, type NamedAgent } from './fitting-agents.ts';
import type { NoRoom } from './room.ts';
import { routeRequest, type Routed } from './route.ts';
import type { OpenStanding, RunView } from './run-view.ts';

export interface Choosing {
  readonly view: RunView;
  /** Of the crew, by name. */
  readonly agents: readonly NamedAgent[];
  /** Legs that an agent has had, with those that start now. */
  readonly turnsOf: (agent: string) => number;
}

export function candidatesFor(
  task: ChartTask,
  standing: OpenStanding,
  choosing: Choosing,
): readonly NamedAgent[] | NoRoom {
  const chosen = byStrategy(task, standing, choosing);
  if ('on' in chosen) return chosen;
  const fitting = chosen.filter(
    ({ name, lane }) =>
      !(lane === 'audit' && (standing.authors ?? []).includes(name)) &&
      mayFollow(choosing.view.crew, standing, name),
  );
  if (fitting.length > 0) return fitting;
  const barred = chosen.map(({ name }) => name);
  return {
    on: 'nobody',
    who: barred,
    until: null,
    why:
      barred.length === 0
        ? `the crew has nobody ${wantedWords(task, standing)}`
        : `${barred.join(', ')} wrote it, or no edge leads there`,
  };
}

/** Along an edge, where somebody handed it on. */
function mayFollow(crew: Crew, { from }: OpenStanding, name: string): boolean {
  return from === undefined || from === name || mayHandOn(crew, { from, to: name });
}

function byStrategy(
  task: ChartTask,
  standing: OpenStanding,
  { view, agents, turnsOf }: Choosing,
): readonly NamedAgent[] | NoRoom {
  const { crew, asked, installed } = view;
  const { to, from } = standing;
  const lane = (to === undefined ? undefined : addressedLane(to)) ?? standing.lane ?? task.lane;
  const isOwn = lane === task.lane;
  if (to?.startsWith('agent:') === true || to?.startsWith('runtime:') === true)
    return agentsAddressed(agents, to).filter((one) => standing.lane === undefined || one.lane === lane);
  const named = asked?.get(task.name) ?? (isOwn ? task.agent : undefined);
  if (named !== undefined) return agentsFor(agents, { agent: named, lane });
  const ofLane = agentsFor(agents, { lane });
  switch (crew.strategy ?? 'parallel') {
    case 'sequential':
    case 'parallel':
    case 'manual':
      return ofLane;
    case 'round-robin':
      return ofLane.toSorted((a, b) => turnsOf(a.name) - turnsOf(b.name));
    case 'router': {
      if (!isOwn) return ofLane;
      if (view.routed !== undefined) return routedTo(view.routed.get(task.name), agents, lane);
      const request = { lane, labels: task.kind === undefined ? [] : [task.kind], paths: task.paths };
      const routed = routeRequest(request, crew.routes ?? [], installed ?? null);
      if (!('agent' in routed))
        return crew.router === undefined
          ? { on: 'route', who: [], until: null, why: routed.why }
          : { on: 'routing', who: [], until: null };
      return agentsFor(agents, { agent: routed.agent, lane });
    }
    case 'handoff':
      if (from === undefined) return isOwn ? firstOf(crew, agents) : ofLane;
      return agents.filter((one) => one.name !== from && (isOwn || one.lane === lane));
  }
}

function routedTo(
  routed: Routed | undefined,
  agents: readonly NamedAgent[],
  lane: Lane,
): readonly NamedAgent[] | NoRoom {
  if (routed === undefined) return { on: 'routing', who: [], until: null };
  if (routed.agent === null) return { on: 'route', who: [], until: null, why: routed.why };
  return agentsFor(agents, { agent: routed.agent, lane });
}

/** Those who hand on and to whom nobody does; where work goes round, the first of the crew. */
function firstOf({ edges = [] }: Crew, agents: readonly NamedAgent[]): readonly NamedAgent[] {
  const [giving, reached] = [new Set(edges.map(({ from }) => from)), new Set(edges.map(({ to }) => to))];
  const first = agents.filter(({ name }) => giving.has(name) && !reached.has(name));
  return first.length > 0 ? first : agents.slice(0, 1);
}

function wantedWords({ agent, lane }: ChartTask, standing: OpenStanding): string {
  if (standing.to !== undefined) return `who is ${standing.to}`;
  return agent === undefined ? `in the lane ${standing.lane ?? lane}` : `called ${agent}`;
}
