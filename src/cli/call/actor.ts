import { defined } from '../../core/base/defined.ts';
import { userInfo } from 'node:os';
import { limits } from '../../core/base/limits.ts';
import { parse } from '../../core/base/parse.ts';
import { isName } from '../../core/base/text.ts';
import { Actor } from '../../core/task/actor.ts';
import { checkName, checkRuntime, programAround, saidByEnvironment } from '../../desk/said-by-environment.ts';
import { UsageError } from '../frame/usage.ts';

export interface Asserted {
  readonly as?: string | undefined;
  readonly lane?: string | undefined;
  readonly runtime?: string | undefined;
}

/** Who is speaking: what the call says, then what the environment established, then the person at the terminal. */
export function actorFrom(asserted: Asserted, env: NodeJS.ProcessEnv): Actor {
  const said = saidByEnvironment(env, usageError);
  const name = checkName('--as', asserted.as, usageError) ?? said.name;
  const mark = said.inside;
  const lane = asserted.lane ?? said.lane;
  const runtime = checkRuntime('--runtime', asserted.runtime, usageError) ?? said.runtime ?? mark;
  const session = nonEmpty(env['STAFFETTA_SESSION']);
  if (session !== undefined && session.length > 200)
    throw new UsageError('STAFFETTA_SESSION takes at most 200 characters.');
  const { lineage } = said;
  // Whatever an agent spawned is no person; without a name of its own it speaks as the nearest of those.
  const spawner = lineage?.[0];
  const isAgent = name !== undefined || mark !== undefined || spawner !== undefined;
  return parse(
    Actor,
    {
      name: name ?? mark ?? spawner ?? personName(),
      kind: isAgent ? 'agent' : 'human',
      ...defined({ lane, runtime, session, lineage }),
    },
    'actor',
  );
}

/** Whether a coding agent runs this command. */
export function isInsideAgent(env: NodeJS.ProcessEnv): boolean {
  return programAround(env) !== undefined;
}

/** With what a hook recorded of the session it speaks in. A name that was said stands. */
export function identified(
  actor: Actor,
  record: { readonly agent: string; readonly session: string; readonly runtime: string },
  { named }: { readonly named: boolean },
): Actor {
  return {
    ...actor,
    name: named || !isName(record.agent) ? actor.name : record.agent,
    runtime: actor.runtime ?? record.runtime,
    session: actor.session ?? record.session,
  };
}

/** The actor of a process below an agent's, whatever name it gives: the agent speaks there, or somebody that it started. */
export function beneath(
  actor: Actor,
  record: { readonly agent: string; readonly session: string; readonly runtime: string },
): Actor {
  const agent = isName(record.agent) ? record.agent : record.runtime;
  const lineage = [...new Set([...(actor.lineage ?? []), agent])].filter((name) => name !== actor.name);
  return {
    ...actor,
    name: actor.kind === 'human' ? agent : actor.name,
    kind: 'agent',
    runtime: actor.runtime ?? record.runtime,
    session: actor.session ?? record.session,
    ...(actor.kind === 'human' || lineage.length === 0
      ? {}
      : { lineage: lineage.slice(0, limits.lineageMax) }),
  };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}

export function usageError(message: string, hint?: string): UsageError {
  return new UsageError(message, hint);
}

function personName(): string {
  try {
    const { username } = userInfo();
    return isName(username) ? username : 'person';
  } catch {
    // No entry in the user database: containers often have none.
    return 'person';
  }
}
