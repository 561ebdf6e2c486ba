/** Which agents of a crew may work on a task, and which may look at what they did. */
import type { Lane } from '../task/actor.ts';
import type { Address } from '../task/address.ts';
import { mayHandOn, type Crew, type CrewAgent } from './crew.ts';

export interface NamedAgent extends CrewAgent {
  readonly name: string;
}

export function agentsOf({ agents }: Crew): NamedAgent[] {
  return Object.entries(agents).map(([name, agent]) => ({ name, ...agent }));
}

/** In the order of the crew: the one that is named, or all of the lane. */
export function agentsFor(
  agents: readonly NamedAgent[],
  { agent, lane }: { readonly agent?: string | undefined; readonly lane: Lane },
): NamedAgent[] {
  return agents.filter((one) => (agent === undefined ? one.lane === lane : one.name === agent));
}

export function agentsAddressed(agents: readonly NamedAgent[], to: Address): NamedAgent[] {
  if (to === 'anyone') return [...agents];
  const [kind, name = ''] = to.split(':');
  return agents.filter((one) =>
    kind === 'agent' ? one.name === name : kind === 'lane' ? one.lane === name : one.runtime?.includes(name),
  );
}

/** Those who may review what an author made in a program: somebody else, along an edge, and in another program where they ask for it. */
export function reviewersOf(
  crew: Crew,
  {
    author,
    runtime,
    to,
  }: { readonly author: string; readonly runtime?: string | undefined; readonly to: Address },
): NamedAgent[] {
  return agentsAddressed(agentsOf(crew), to).filter(
    (one) =>
      one.name !== author &&
      mayHandOn(crew, { from: author, to: one.name }) &&
      (runtime === undefined || runtimesFor(one, [runtime]).length > 0 || one.runtime === undefined),
  );
}

/** The programs of an agent, without those that it may not work in because of who wrote what it looks at. */
export function runtimesFor(
  { runtime = [], not }: CrewAgent,
  authorRuntimes: readonly string[],
): readonly string[] {
  return not === undefined ? runtime : runtime.filter((name) => !authorRuntimes.includes(name));
}
