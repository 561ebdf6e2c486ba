import { userInfo } from 'node:os';
import { Actor, isLane, lanes } from '../../core/task/actor.ts';
import { slippedRuntimeWords } from '../../core/task/address-words.ts';
import { limits } from '../../core/base/limits.ts';
import { parse } from '../../core/base/parse.ts';
import { isName } from '../../core/base/text.ts';
import { suggest } from '../../core/base/suggest.ts';
import { UsageError } from '../frame/usage.ts';

/** Variables that coding agents set for the commands they run: inside one of them, nobody is taken for a person. */
export const agentMarks: readonly (readonly [variable: string, runtime: string])[] = [
  ['CLAUDECODE', 'claude-code'],
  ['CODEX_SANDBOX', 'codex'],
  ['CODEX_THREAD_ID', 'codex'],
  ['GEMINI_CLI', 'gemini-cli'],
  ['OPENCODE', 'opencode'],
];

export interface Asserted {
  readonly as?: string | undefined;
  readonly lane?: string | undefined;
  readonly runtime?: string | undefined;
}

/** Who is speaking: what the call says, then what the environment established, then the person at the terminal. */
export function actorFrom(asserted: Asserted, env: NodeJS.ProcessEnv): Actor {
  const name = named('--as', asserted.as) ?? named('STAFFETTA_AS', nonEmpty(env['STAFFETTA_AS']));
  const mark = agentMarks.find(([variable]) => nonEmpty(env[variable]) !== undefined)?.[1];
  const lane = asserted.lane ?? laneFrom(nonEmpty(env['STAFFETTA_LANE']));
  const runtime =
    runtimeFrom('--runtime', asserted.runtime) ??
    runtimeFrom('STAFFETTA_RUNTIME', nonEmpty(env['STAFFETTA_RUNTIME'])) ??
    mark;
  const session = nonEmpty(env['STAFFETTA_SESSION']);
  if (session !== undefined && session.length > 200)
    throw new UsageError('STAFFETTA_SESSION takes at most 200 characters.');
  const lineage = lineageFrom(nonEmpty(env['STAFFETTA_LINEAGE']));
  // Whatever an agent spawned is no person; without a name of its own it speaks as the nearest of those.
  const spawner = lineage?.[0];
  const isAgent = name !== undefined || mark !== undefined || spawner !== undefined;
  return parse(
    Actor,
    {
      name: name ?? mark ?? spawner ?? personName(),
      kind: isAgent ? 'agent' : 'human',
      ...(lane === undefined ? {} : { lane }),
      ...(runtime === undefined ? {} : { runtime }),
      ...(session === undefined ? {} : { session }),
      ...(lineage === undefined ? {} : { lineage }),
    },
    'actor',
  );
}

/** Whether a coding agent runs this command. */
export function isInsideAgent(env: NodeJS.ProcessEnv): boolean {
  return agentMarks.some(([variable]) => nonEmpty(env[variable]) !== undefined);
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

/** Whoever a process below an agent's says it is: the agent speaks there, or somebody that it started. */
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

function named(source: string, given: string | undefined): string | undefined {
  if (given === undefined || isName(given)) return given;
  throw new UsageError(
    `${source} takes a name, not ${JSON.stringify(given)}.`,
    `A name has 1 to ${limits.nameCharsMax} letters, digits or . _ @ + / - and starts with a letter or digit.`,
  );
}

function runtimeFrom(source: string, given: string | undefined): string | undefined {
  const name = named(source, given);
  const said = source.startsWith('--') ? `${source} ` : `${source}=`;
  const slip = name === undefined ? undefined : slippedRuntimeWords(said, name);
  if (slip !== undefined) throw new UsageError(slip.message, slip.hint);
  return name;
}

function laneFrom(given: string | undefined): string | undefined {
  if (given === undefined || isLane(given)) return given;
  const near = suggest(given, lanes);
  throw new UsageError(
    `STAFFETTA_LANE takes one of ${lanes.join(', ')}, not ${JSON.stringify(given)}.`,
    near === undefined ? undefined : `Did you mean: ${near}`,
  );
}

/** Names separated by commas, nearest first. */
function lineageFrom(given: string | undefined): readonly string[] | undefined {
  const names = given
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names !== undefined && names.length > limits.lineageMax)
    throw new UsageError(`STAFFETTA_LINEAGE takes at most ${limits.lineageMax} names.`);
  for (const name of names ?? []) named('STAFFETTA_LINEAGE', name);
  return names;
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
