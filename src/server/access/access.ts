/** From a request to a grant, and from a grant to what it allows. */
import { isPerson, type Actor } from '../../core/task/actor.ts';
import { StaffettaError } from '../../core/base/error.ts';
import { tryParse } from '../../core/base/parse.ts';
import { Name } from '../../core/base/text.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { isFinal } from '../../core/task/state.ts';
import type { Context } from '../../handoff/record/context.ts';
import { resolveTask, stateAt } from '../../handoff/record/load.ts';
import { idOf, type Grant } from './grant.ts';
import { refuseForged } from './guard.ts';
import { hasEnded } from './life.ts';
import { HttpRefusal } from '../problem.ts';
import type { Route, Shared } from '../route.ts';
import { verbs, type Verb } from '../contract/verbs.ts';

/** Browsers send a cookie to every port of a host: the name tells two servers apart. */
export function cookieName(origin: string): string {
  const { port, protocol } = new URL(origin);
  return `staffetta-${port === '' ? protocol.slice(0, -1) : port}`;
}

/** The caller's grant, by the token in the header or in the cookie; undefined where there is none that is worth something. */
export async function grantOf(
  request: Request,
  { tokens, context, life }: Shared,
  origins: readonly string[],
): Promise<Grant | undefined> {
  const header = request.headers.get('authorization');
  const bearer = header === null ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (header !== null) {
    const grant = bearer === undefined ? undefined : await tokens.find(bearer);
    return grant?.use === 'bearer' && (await isInForce(context, grant)) ? grant : undefined;
  }
  const cookie = cookieOf(request, origins);
  if (cookie === undefined) return undefined;
  const grant = await tokens.find(cookie);
  if (grant?.use !== 'cookie' || !(await isInForce(context, grant))) return undefined;
  if (!isPerson(grant.actor) && grant.server?.id !== life.id) return undefined;
  refuseForged(request);
  return grant;
}

/**
 * The person whom a proxy in front of this server has signed in, by the header in which it says so. Believed only where the server was told to, and under
 * the address of the proxy: a program that reaches the port itself could write it. A browser sends it along without being asked, as it
 * does with a cookie, so changes must come from our own page.
 */
export function proxiedGrant(
  request: Request,
  header: string | undefined,
  { now, ms, origins }: { readonly now: number; readonly ms: number; readonly origins: readonly string[] },
): Grant | undefined {
  const name = header === undefined ? null : request.headers.get(header);
  const host = request.headers.get('host')?.toLowerCase();
  const isBehind = origins.some((origin) => new URL(origin).host === host);
  if (name === null || !isBehind || request.headers.has('authorization')) return undefined;
  const parsed = tryParse(Name, name);
  if (!parsed.success) return undefined;
  refuseForged(request);
  return {
    v: 1,
    id: idOf(sha256Hex(`proxied ${parsed.data}`)),
    use: 'cookie',
    actor: { name: parsed.data, kind: 'human' },
    task: null,
    generation: null,
    verbs: [...verbs],
    createdAt: now,
    createdBy: parsed.data,
    expiresAt: now + ms,
  };
}

function cookieOf(request: Request, origins: readonly string[]): string | undefined {
  const names = new Set(origins.map(cookieName));
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    if (names.has(name)) return value;
  }
  return undefined;
}

/** Whether it is worth something anywhere, for a list of tokens. */
export async function isAlive(context: Context, grant: Grant): Promise<boolean> {
  const { use, actor, server } = grant;
  if (use === 'cookie' && !isPerson(actor) && (server === undefined || hasEnded(server))) return false;
  return await isInForce(context, grant);
}

/** A token for a leg is worth nothing once that leg is over, or was given to somebody else. No agent signs in without a leg. */
export async function isInForce(
  context: Context,
  { use, actor, task, generation, leg }: Grant,
): Promise<boolean> {
  const isUnbound = leg === undefined && (task === null || generation === null);
  if (use === 'cookie' && !isPerson(actor) && isUnbound) return false;
  if (leg !== undefined && !(await isLegOf(context, actor, leg))) return false;
  return task === null || generation === null || (await isLegOf(context, actor, { task, generation }));
}

/** The leg that the actor has, or the next one, which it may be given. */
async function isLegOf(
  context: Context,
  { name }: Actor,
  { task, generation }: { readonly task: TaskId; readonly generation: number },
): Promise<boolean> {
  const head = await context.store.journal.head(task);
  if (head === undefined) return false;
  const state = await stateAt(context, head);
  if (state.generation < generation) return !isFinal(state);
  return state.leg?.generation === generation && state.leg.holder.name === name;
}

export function refuseVerb(grant: Grant, verb: Verb | null): void {
  if (verb === null || grant.verbs.includes(verb)) return;
  throw new HttpRefusal('out-of-scope', `This token does not allow: ${verb}.`, {
    hint: `It allows: ${grant.verbs.join(', ')}. A person can make another: staffetta token create --may ${verb}`,
  });
}

/** The task in the path, held against the token's scope. Nothing of a task that is out of scope is told, not even that it exists. */
export async function taskFor(
  route: Route,
  given: string | undefined,
  { context }: Shared,
  grant: Grant,
): Promise<TaskId> {
  if (!route.path.includes(':task')) {
    if (grant.task !== null && route.bound !== true)
      throw new HttpRefusal('out-of-scope', `This token is for task ${grant.task} only.`, {
        hint: `Ask for /api/tasks/${grant.task}`,
      });
    return grant.task ?? 't';
  }
  if (grant.task !== null && given !== grant.task)
    throw new HttpRefusal('out-of-scope', `This token is for task ${grant.task} only.`, {
      hint: `Ask for /api/tasks/${grant.task}`,
    });
  if (given === undefined || given.length > 64)
    throw new StaffettaError('unknown-task', 'That is not the beginning of a task id.', {
      hint: 'List the tasks with: staffetta ls --all',
    });
  return await resolveTask(context, given);
}
