/**
 * Who calls. An agent is asked for nothing: the environment says it, or what the host sends along with the call, or a record that a
 * hook left, or else the name of the client.
 *
 *   name      STAFFETTA_AS, else the one a hook recorded, else the runtime, else the client's own name
 *   runtime   STAFFETTA_RUNTIME, else what the program's own variables say, else the client's name
 *   session   STAFFETTA_SESSION, else the ids in `_meta` (Codex), else the record of a hook, else the program's own variable, else
 *             the connection itself: two of one program are two callers, unless STAFFETTA_AS says that they are one
 *   lane      STAFFETTA_LANE
 *
 * Nobody who comes through here is taken for a person.
 */
import { defined } from '../core/base/defined.ts';
import { Actor } from '../core/task/actor.ts';
import { programs } from '../core/resume/runtime-names.ts';
import { saidByEnvironment } from '../desk/said-by-environment.ts';
import type { Environment } from '../desk/standing.ts';
import { StaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import { parse } from '../core/base/parse.ts';
import { isName } from '../core/base/text.ts';

export interface Caller {
  readonly env: Environment;
  /** Of the request, as the client sent it. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The name that the client gave itself. */
  readonly client?: string | undefined;
  /** Stands for the session where nothing names it; see `connectionSession`. */
  readonly connection?: string | undefined;
}

/** Variables in which programs name the session to their servers. */
const tellers = programs.flatMap(({ tellsServers, session }) => (tellsServers === true ? [session] : []));

const connectionMark = 'connection:';

/** The session that a connection stands for where its program names none. */
export function connectionSession(id: string): string {
  return `${connectionMark}${id}`;
}

/** One that its program knows, and has written down. */
export function isNativeSession(session: string | undefined): session is string {
  return session !== undefined && !session.startsWith(connectionMark);
}

/** What a hook knows of a session: its id, and the name that it speaks under. */
export interface BoundSpeaker {
  readonly session: string;
  readonly agent?: string;
}

/** What a hook recorded of the session that calls, as far as that is known; undefined where none did. */
export type BoundSession = (
  runtime: string | undefined,
  session: string | undefined,
) => BoundSpeaker | undefined;

export function identityOf(
  { env, meta, client, connection }: Caller,
  bound: BoundSession = () => undefined,
): Actor {
  const { name, lane, lineage, ...environment } = saidByEnvironment(env, setElsewhere);
  const runtime = environment.runtime ?? environment.inside ?? runtimeOf(client);
  const said = sessionIn(env['STAFFETTA_SESSION'], meta?.['threadId'], meta?.['sessionId']);
  const set = sessionIn(...tellers.map((variable) => env[variable]));
  const known = bound(runtime, said ?? set);
  // A host goes on in another session without starting its servers anew: what its hooks say since is newer than a variable.
  const session = said ?? known?.session ?? set ?? (name === undefined ? connection : undefined);
  const agent = known?.session === session ? known?.agent : undefined;
  return parse(
    Actor,
    {
      name: name ?? agent ?? runtime ?? nameFrom(client),
      kind: 'agent',
      ...defined({ lane, runtime, session, lineage }),
    },
    'actor',
  );
}

/** The caller can set no variable of the server. */
export function setElsewhere(message: string): StaffettaError {
  return new StaffettaError('invalid-input', message, {
    hint: 'It is set where the server is configured; a person can mend it there.',
  });
}

export function runtimeOf(client: string | undefined): string | undefined {
  const name = client?.toLowerCase() ?? '';
  return programs.find(({ client: own }) => name === own || name.startsWith(`${own}-`))?.name;
}

function nameFrom(client: string | undefined): string {
  const name = (client ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._@+-]+/gu, '-')
    .replaceAll(/^[^\p{L}\p{N}]+/gu, '')
    .slice(0, limits.nameCharsMax);
  return isName(name) ? name : 'mcp-client';
}

function sessionIn(...given: readonly unknown[]): string | undefined {
  return given.find((id): id is string => typeof id === 'string' && isSession(id));
}

/** What a host sends is foreign: an id that could not be kept as one is left out. */
function isSession(id: string): boolean {
  return id !== '' && id.length <= limits.keyCharsMax && /^[\x21-\x7e]+$/.test(id);
}
