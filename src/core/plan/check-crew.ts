/** Whether a crew can do what it says: programs that are there, permissions that somebody enforces, edges and rules between agents that exist. */
import type { Finding } from '../gate/finding.ts';
import { permissionNames, permissionsOf, type Crew, type CrewAgent, type PermissionName } from './crew.ts';
import { meantOr, planError } from './check-needs.ts';
import { agentsOf, type NamedAgent } from './fitting-agents.ts';

/** What is known of the machine. What nobody looked at is left out, and nothing is said of it. */
export interface Surroundings {
  /** Programs that can be started. */
  readonly installed?: readonly string[];
  /** What holds in a program for an agent, in its lane and mode; a command of one's own is `command`. Undefined where nobody knows. */
  readonly enforced?: (agent: CrewAgent, program: string) => ReadonlySet<PermissionName> | undefined;
  /** Agents that are functions of the calling program. */
  readonly functions?: readonly string[];
  /** Whether a command of one's own can be started here; undefined where only the tree will show. */
  readonly startable?: (program: string) => boolean | undefined;
  /** Whether a program can be started here; undefined where nobody knows. */
  readonly runnable?: (program: string) => boolean | undefined;
  /** The store asks for all that a contract can say. */
  readonly strict?: boolean;
}

export function checkCrew(crew: Crew, here: Surroundings): Finding[] {
  const agents = agentsOf(crew);
  return [
    ...agents.flatMap((agent) => [
      ...checkProgram(agent, here),
      ...checkInstalled(agent, here),
      ...checkCommand(`agents.${agent.name}.command`, agent.command, here),
      ...checkPermissions(crew, agent, here),
    ]),
    ...checkCommand('router.command', crew.router?.command, here),
    ...checkEdges(crew),
    ...checkRoutes(crew),
  ];
}

function checkProgram({ name, runtime, command }: NamedAgent, { functions = [] }: Surroundings): Finding[] {
  const ways = [runtime, command, functions.includes(name) ? name : undefined].filter(Boolean).length;
  if (ways === 1) return [];
  return [
    planError('agent-program', `agents.${name}`, {
      text:
        ways === 0
          ? `Agent ${name} has neither a runtime nor a command.`
          : `Agent ${name} has more than one way to be started.`,
      fix: 'Give it a runtime, or a command.',
    }),
  ];
}

function checkInstalled({ name, runtime = [] }: NamedAgent, { installed }: Surroundings): Finding[] {
  if (installed === undefined) return [];
  const missing = runtime.filter((one) => !installed.includes(one));
  if (missing.length === 0) return [];
  const isAll = missing.length === runtime.length;
  const instead =
    installed.length === 0 ? '' : `, or name a program that is installed (${installed.join(', ')})`;
  return [
    {
      rule: 'runtime-missing',
      severity: isAll ? 'error' : 'warning',
      path: `agents.${name}.runtime`,
      text: `Agent ${name} works in ${missing.join(' or ')}, which ${missing.length === 1 ? 'is' : 'are'} not installed.`,
      fix: meantOr(missing[0] ?? '', installed, `Install it${instead}.`),
    },
  ];
}

function checkCommand(path: string, command: CrewAgent['command'], { startable }: Surroundings): Finding[] {
  const [program] = command ?? [];
  if (program === undefined || startable?.(program) !== false) return [];
  return [
    planError('command-missing', path, {
      text: `${program} cannot be started: there is no such program here.`,
      fix: 'Install it, or name another command.',
    }),
  ];
}

function checkPermissions(crew: Crew, agent: NamedAgent, { enforced }: Surroundings): Finding[] {
  const permissions = permissionsOf(crew, agent);
  const programs = agent.runtime ?? (agent.command === undefined ? [] : ['command']);
  return programs.flatMap((program) => {
    const holds = enforced?.(agent, program);
    if (holds === undefined) return [];
    return permissionNames
      .filter((name) => (permissions[name] ?? 'allow') !== 'allow' && !holds.has(name))
      .map((name): Finding => {
        const grant = permissions[name] ?? 'allow';
        return {
          rule: 'permission-unenforced',
          // A question that is not asked is told; a prohibition that does not hold would be a lie.
          severity: grant === 'deny' ? 'error' : 'warning',
          path: agent.permissions?.[name] === undefined ? 'permissions' : `agents.${agent.name}.permissions`,
          text: `Agent ${agent.name} is told ${name}: ${grant}, and nothing holds ${program} to it.`,
          fix: `Say ${name}: allow for it, or let it work in a program that is held to it.`,
        };
      });
  });
}

function checkEdges({ agents, edges = [], group }: Crew): Finding[] {
  const names = Object.keys(agents);
  const both =
    edges.length > 0 && group !== undefined
      ? [
          planError('edges-and-group', 'group', {
            text: 'The crew has edges and is a group in which everybody hands on to everybody.',
            fix: 'Keep one of the two.',
          }),
        ]
      : [];
  const unknown = edges.flatMap(({ from, to }, i) =>
    [...new Set([from, to])]
      .filter((name) => !names.includes(name))
      .map((name) =>
        planError('edge-unknown', `edges[${i}]`, {
          text: `The edge ${from} -> ${to} names ${name}, who is not in the crew.`,
          fix: meantOr(name, names, `Add an agent ${name}, or take the edge out.`),
        }),
      ),
  );
  const round = edges.flatMap(({ from, to }, i) =>
    from === to
      ? [
          planError('edge-round', `edges[${i}]`, {
            text: `The edge ${from} -> ${to} hands work on to the one who has it.`,
            fix: 'Take it out.',
          }),
        ]
      : [],
  );
  return [...both, ...unknown, ...round];
}

function checkRoutes({ agents, routes = [], router, strategy }: Crew): Finding[] {
  const names = Object.keys(agents);
  const unknown = routes.flatMap(({ agent }, i) =>
    names.includes(agent)
      ? []
      : [
          planError('agent-unknown', `routes[${i}].agent`, {
            text: `Rule ${i + 1} of the routes names ${agent}, who is not in the crew.`,
            fix: meantOr(agent, names, `Add an agent ${agent}, or name one of: ${names.join(', ')}.`),
          }),
        ],
  );
  if (router?.agent !== undefined && !names.includes(router.agent))
    unknown.push(
      planError('agent-unknown', 'router.agent', {
        text: `The router is ${router.agent}, who is not in the crew.`,
        fix: meantOr(
          router.agent,
          names,
          `Add an agent ${router.agent}, or name one of: ${names.join(', ')}.`,
        ),
      }),
    );
  if (strategy !== 'router' || routes.length > 0 || router !== undefined) return unknown;
  return [
    planError('routes-missing', 'routes', {
      text: 'The strategy is router, and there is neither a rule nor a router by which to choose an agent.',
      fix: 'Add routes or a router, or use another strategy.',
    }),
  ];
}
