/** How the agents of a crew are put to work on this machine, and to which of their permissions something holds them. */
import { isAbsolute } from 'node:path';
import { StaffettaError } from '../core/base/error.ts';
import {
  accessOf,
  permissionNames,
  type CrewAgent,
  type PermissionName,
  type Permissions,
} from '../core/plan/crew.ts';
import { slippedRuntime } from '../core/resume/runtime-names.ts';
import type { LegOrder, Runner } from '../ports/runner.ts';
import type { Runtime } from '../ports/runtime.ts';
import { headlessRunner } from '../runners/headless.ts';
import { linesRunner } from '../runners/lines.ts';
import { loadRuntimes, type AgentEnv } from '../runtimes/load.ts';
import { canStart, programOnPath } from '../runtimes/on-path.ts';

export interface RunnersHere {
  /** Programs that can be started. */
  readonly installed: readonly string[];
  /** A path of the repository is looked for in each tree. */
  readonly startable: (program: string) => boolean | undefined;
  /** `program`: one of the agent's runtimes, or `command`. What holds for it, by its lane and mode; undefined where it is not here. */
  readonly enforced: (
    agent: CrewAgent,
    program: string,
    permissions?: Permissions,
  ) => ReadonlySet<PermissionName> | undefined;
  /** `runtime`: one of the agent's; of an agent with a command there is none. */
  readonly runnerOf: (agent: CrewAgent, runtime?: string, permissions?: Permissions) => Runner;
}

export async function runnersHere(env: AgentEnv): Promise<RunnersHere> {
  const ways = new Map<string, readonly Runner[]>();
  for (const runtime of await loadRuntimes(env)) {
    const program = (await runtime.locate())?.program ?? null;
    const adapter = programOnPath(runtime.working.acp.program, env);
    if (program === null) continue;
    ways.set(runtime.name, [
      ...(adapter === null ? [] : [speaking(runtime, adapter, program)]),
      headlessRunner(runtime),
    ]);
  }
  return {
    installed: [...ways.keys()],
    startable: (program) => {
      if (isAbsolute(program)) return canStart(program);
      // It is there for whom it starts.
      if (program.includes('/') || program === 'staffetta') return undefined;
      return programOnPath(program, env) !== null;
    },
    enforced: (agent, program, permissions) => {
      if (program === 'command') return linesRunner(agent.command ?? []).enforces(orderOf(agent));
      return best(ways.get(program) ?? [], agent, permissions)?.enforces(orderOf(agent));
    },
    runnerOf: (agent, runtime, permissions) => {
      if (runtime === undefined)
        return linesRunner(agent.command ?? noWay('It has neither a runtime nor a command.'));
      return best(ways.get(runtime) ?? [], agent, permissions) ?? missing(runtime);
    },
  };
}

/** The library of the protocol, with the schemas of all its messages, is loaded for the first leg and not to look at a plan. */
function speaking(runtime: Runtime, program: string, installed: string): Runner {
  return {
    kind: 'acp',
    enforces: (order) => new Set(runtime.working.acp.holds(order)),
    open: async (order) => {
      const { acpRunner } = await import('../runners/acp.ts');
      return await acpRunner({ runtime, program, installed }).open(order);
    },
  };
}

type Asks = Pick<LegOrder, 'access' | 'mode'>;

function orderOf(agent: CrewAgent): Asks {
  return { access: accessOf(agent), mode: agent.mode };
}

/** A conversation, unless more of what the agent is told holds without one. */
function best(
  ways: readonly Runner[],
  agent: CrewAgent,
  permissions: Permissions = agent.permissions ?? {},
): Runner | undefined {
  const looseIn = (runner: Runner): number => {
    const holds = runner.enforces(orderOf(agent));
    return permissionNames.filter((name) => (permissions[name] ?? 'allow') !== 'allow' && !holds.has(name))
      .length;
  };
  return ways.toSorted((one, two) => looseIn(one) - looseIn(two))[0];
}

function missing(runtime: string): never {
  const meant = slippedRuntime(runtime);
  throw new StaffettaError('runtime-missing', `${runtime} is not installed here.`, {
    hint: meant === undefined ? 'Install it, or name another runtime.' : `Was ${meant} meant?`,
  });
}

function noWay(message: string): never {
  throw new StaffettaError('invalid-input', message, { hint: 'Give it a runtime, or a command.' });
}
