/**
 * Who speaks. At every door the same things say it, and the nearest counts:
 *
 *   name      the call, STAFFETTA_AS, what a hook recorded of the session, the program, who started this process, the client's own name,
 *             and else the person at the terminal
 *   runtime   the call, STAFFETTA_RUNTIME, the program inside of which this runs, the program of the client, the record of the hook
 *   session   STAFFETTA_SESSION, the ids that a host sends along (Codex), the record of the hook, the variable in which a program tells
 *             its servers, and else the connection: two of one program are two speakers, unless STAFFETTA_AS says that they are one
 *   lane      the call, STAFFETTA_LANE
 *
 * Who has a name, is inside of a program, was started by an agent or comes over a connection is never taken for a person.
 */
import { userInfo } from 'node:os';
import { defined } from '../core/base/defined.ts';
import { limits } from '../core/base/limits.ts';
import { parse } from '../core/base/parse.ts';
import { suggest } from '../core/base/suggest.ts';
import { isName } from '../core/base/text.ts';
import { programMeant, programs } from '../core/resume/runtime-names.ts';
import { slippedRuntimeWords } from '../core/task/address-words.ts';
import { Actor, isLane, type Lane } from '../core/task/actor.ts';
import { lanes } from '../core/task/lanes.ts';
import type { Environment, Refuse } from './standing.ts';

/** What a call says of its own speaker. */
export interface Asserted {
  readonly as?: string | undefined;
  readonly lane?: string | undefined;
  readonly runtime?: string | undefined;
}

/** What comes with a request over a connection. */
export interface FromHost {
  /** Of the request, as the client sent it. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The name that the client gave itself. */
  readonly client?: string | undefined;
  /** Stands for the session where nothing names it; see `connectionSession`. */
  readonly connection?: string | undefined;
}

/** What a hook knows of a session. */
export interface RecordedSpeaker {
  readonly session: string;
  readonly agent?: string;
  readonly runtime?: string;
}

/** What a hook recorded of the session that speaks, as far as program and session are known; undefined where none did. */
export type FindRecorded = (
  runtime: string | undefined,
  session: string | undefined,
) => RecordedSpeaker | undefined;

export interface Door {
  readonly env: Environment;
  readonly refuse: Refuse;
  readonly asserted?: Asserted;
  readonly host?: FromHost;
  readonly recorded?: FindRecorded;
}

export function speakerAt({ env, refuse, asserted = {}, host, recorded = () => undefined }: Door): Actor {
  const inside = programAround(env);
  const lineage = lineageIn(env['STAFFETTA_LINEAGE'], refuse);
  const asked =
    checkName('--as', asserted.as, refuse) ?? checkName('STAFFETTA_AS', env['STAFFETTA_AS'], refuse);
  const lane = asserted.lane ?? laneIn(env['STAFFETTA_LANE'], refuse);
  const program =
    checkRuntime('--runtime', asserted.runtime, refuse) ??
    checkRuntime('STAFFETTA_RUNTIME', env['STAFFETTA_RUNTIME'], refuse) ??
    inside ??
    programOfClient(host?.client);
  const said =
    sessionIn(env['STAFFETTA_SESSION'], refuse) ??
    firstId(host?.meta?.['threadId'], host?.meta?.['sessionId']);
  const told = host === undefined ? undefined : firstId(...tellers.map((variable) => env[variable]));
  const mayBeRecorded = host !== undefined || inside !== undefined;
  const record = mayBeRecorded ? recorded(program, said ?? told) : undefined;
  // A host goes on in another session without starting its servers anew: what its hooks say since is newer than a variable.
  const session = said ?? record?.session ?? told ?? (asked === undefined ? host?.connection : undefined);
  const agent = record?.session === session && isName(record?.agent ?? '') ? record?.agent : undefined;
  const named = asked ?? agent ?? (host === undefined ? (inside ?? lineage?.[0]) : (program ?? nameOf(host)));
  const runtime = program ?? record?.runtime;
  return parse(
    Actor,
    {
      name: named ?? personName(),
      kind: named === undefined ? 'human' : 'agent',
      ...defined({ lane, runtime, session, lineage }),
    },
    'actor',
  );
}

/** The actor of a process below an agent's, whatever name it gives: the agent speaks there, or somebody that it started. */
export function beneath(actor: Actor, record: Required<RecordedSpeaker>): Actor {
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

/** The program that runs this process, by the variables that it sets. */
function programAround(env: Environment): string | undefined {
  return programs.find(({ marks }) => marks.some((mark) => (env[mark] ?? '') !== ''))?.name;
}

/** Clients are known by the beginning of the name that they give. */
export function programOfClient(client: string | undefined): string | undefined {
  const name = client?.toLowerCase() ?? '';
  return programs.find(({ client: own }) => name === own || name.startsWith(`${own}-`))?.name;
}

const connectionMark = 'connection:';

/** The session that a connection stands for where its program names none. */
export function connectionSession(id: string): string {
  return `${connectionMark}${id}`;
}

/** One that its program knows, and has written down. */
export function isNativeSession(session: string | undefined): session is string {
  return session !== undefined && !session.startsWith(connectionMark);
}

/** `source` is what it was said by: an option or a variable. */
function checkName(source: string, given: string | undefined, refuse: Refuse): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (isName(given)) return given;
  throw refuse(
    `${source} takes a name, not ${JSON.stringify(given)}.`,
    `A name has 1 to ${limits.nameCharsMax} letters, digits or . _ @ + / - and starts with a letter or digit.`,
  );
}

function checkRuntime(source: string, given: string | undefined, refuse: Refuse): string | undefined {
  const name = checkName(source, given, refuse);
  const said = source.startsWith('--') ? `${source} ` : `${source}=`;
  const slip = name === undefined ? undefined : slippedRuntimeWords(said, name);
  if (slip !== undefined) throw refuse(slip.message, slip.hint);
  return name === undefined ? undefined : (programMeant(name) ?? name);
}

function laneIn(given: string | undefined, refuse: Refuse): Lane | undefined {
  if (given === undefined || given === '') return undefined;
  if (isLane(given)) return given;
  const near = suggest(given, lanes);
  throw refuse(
    `STAFFETTA_LANE takes one of ${lanes.join(', ')}, not ${JSON.stringify(given)}.`,
    near === undefined ? undefined : `Did you mean: ${near}`,
  );
}

/** Names separated by commas. */
function lineageIn(given: string | undefined, refuse: Refuse): readonly string[] | undefined {
  const names = (given ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length > limits.lineageMax)
    throw refuse(`STAFFETTA_LINEAGE takes at most ${limits.lineageMax} names.`);
  for (const name of names) checkName('STAFFETTA_LINEAGE', name, refuse);
  return names.length === 0 ? undefined : names;
}

function sessionIn(given: string | undefined, refuse: Refuse): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (given.length <= limits.keyCharsMax) return given;
  throw refuse(`STAFFETTA_SESSION takes at most ${limits.keyCharsMax} characters.`);
}

/** What a host sends is foreign: an id that could not be kept as one is left out. */
function firstId(...given: readonly unknown[]): string | undefined {
  return given.find(
    (id): id is string =>
      typeof id === 'string' && id.length <= limits.keyCharsMax && /^[\x21-\x7e]+$/.test(id),
  );
}

/** Variables in which programs name the session to their servers. */
const tellers = programs.flatMap(({ tellsServers, session }) => (tellsServers === true ? [session] : []));

function nameOf({ client = '' }: FromHost): string {
  const name = client
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._@+-]+/gu, '-')
    .replaceAll(/^[^\p{L}\p{N}]+/gu, '')
    .slice(0, limits.nameCharsMax);
  return isName(name) ? name : 'mcp-client';
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
