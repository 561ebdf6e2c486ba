/**
 * Which agents may start a task next, in the order in which they are asked. A task that is offered to somebody, or that the plan gives to
 * an agent, goes there whatever the strategy. Otherwise:
 *
 *   sequential, parallel, manual   agents of its lane, the first of the crew that has room
 *   round-robin                    the same, the one that has had the fewest legs first
 *   router                         the one agent that the routes name
 *   handoff                        first who only hands on, in whatever lane; then whoever an edge leads to
 */
import type { ChartTask } from './chart.ts';
import { mayHandOn, type Crew } from './crew.ts';
import { agentsAddressed, agentsFor, type NamedAgent } from './fitting-agents.ts';
import type { NoRoom } from './room.ts';
import { routeRequest } from './route.ts';
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
  const named = asked?.get(task.name) ?? (standing.to === undefined ? task.agent : undefined);
  if (named !== undefined && named !== null) return agentsFor(agents, { agent: named, lane: task.lane });
  const lane = standing.lane ?? task.lane;
  if (standing.to !== undefined) {
    const offered = agentsAddressed(agents, standing.to);
    return standing.lane === undefined ? offered : offered.filter((one) => one.lane === lane);
  }
  const ofLane = agentsFor(agents, { lane });
  switch (crew.strategy ?? 'parallel') {
    case 'sequential':
    case 'parallel':
    case 'manual':
      return ofLane;
    case 'round-robin':
      return ofLane.toSorted((a, b) => turnsOf(a.name) - turnsOf(b.name));
    case 'router': {
      const request = { lane, labels: task.kind === undefined ? [] : [task.kind], paths: task.paths };
      const routed = routeRequest(request, crew.routes ?? [], installed ?? null);
      if (!('agent' in routed)) return { on: 'route', who: [], until: null, why: routed.why };
      return agentsFor(agents, { agent: routed.agent, lane });
    }
    case 'handoff': {
      const { from } = standing;
      if (from !== undefined) return agents.filter(({ name }) => name !== from);
      return firstOf(crew, agents);
    }
  }
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
