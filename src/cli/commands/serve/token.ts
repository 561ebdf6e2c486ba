import { defined } from '../../../core/base/defined.ts';
import { isLane, isPerson, type Actor } from '../../../core/task/actor.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { parse } from '../../../core/base/parse.ts';
import { isFinal } from '../../../core/task/state.ts';
import { Name } from '../../../core/base/text.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { load, resolveTask } from '../../../handoff/record/load.ts';
import { isAlive } from '../../../server/access/access.ts';
import { refuseGrant, refuseRevoking, type Grant, type NewGrant } from '../../../server/access/grant.ts';
import { agentVerbs, verbs, type Verb } from '../../../server/contract/verbs.ts';
import { formatShort, parsePositiveDuration } from '../../frame/duration.ts';
import { exits } from '../../frame/fail.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { table } from '../../frame/table.ts';
import { tokensOf } from '../../frame/tokens.ts';
import { UsageError } from '../../frame/usage.ts';
import { refuseBoth, refuseStray, text, texts } from '../../frame/values.ts';

export async function run({ positionals, values }: Invocation, session: Session): Promise<number> {
  const [action = '', id = ''] = positionals;
  if (action !== 'create') refuseStray(values, ['agent', 'person', 'in', 'task', 'may', 'expires'], 'create');
  if (action !== 'revoke' && id !== '')
    throw new UsageError(`token ${action} takes no ID.`, 'Only revoke does.');
  switch (action) {
    case 'create':
      return await create(values, session);
    case 'revoke':
      return await revoke(id, session);
    default:
      return await list(session);
  }
}

async function create(values: Values, session: Session): Promise<number> {
  refuseBoth(values, 'agent', 'person');
  const context = await session.context();
  const given = await grantFrom(values, session);
  const told = { actor: given.actor, task: given.task, generation: given.generation, verbs: given.verbs };
  if (session.dryRun) {
    session.output.data(
      { ...told, expiresAt: given.expiresAt, dryRun: true },
      () => `Would make a token for ${given.actor.name}.`,
    );
    return exits.ok;
  }
  const { token, grant } = await tokensOf(session, context).create(given);
  session.output.data({ id: grant.id, token, ...told, expiresAt: grant.expiresAt }, () => token);
  session.output.say(
    `This is token ${grant.id} of ${given.actor.name}. It may ${given.verbs.join(', ')}, and is shown only now.`,
  );
  return exits.ok;
}

async function grantFrom(values: Values, session: Session): Promise<NewGrant> {
  const context = await session.context();
  const { by } = session.verdictCall();
  const actor = actorFor(values, by);
  const may = verbsFrom(texts(values, 'may'), actor);
  const refusal = refuseGrant(by, { actor, verbs: may });
  if (refusal !== undefined) throw refusal;
  const named = text(values, 'task');
  const task = named === undefined ? await taskOf(actor, session) : await resolveTask(context, named);
  const now = context.clock.now();
  return {
    use: 'bearer',
    actor,
    task,
    generation: await generationFor({ actor, by }, task, context),
    verbs: may,
    createdAt: now,
    createdBy: by.name,
    expiresAt: now + parsePositiveDuration(text(values, 'expires') ?? '12h', 'expires'),
  };
}

/** The actor that is named; else the caller. */
function actorFor(values: Values, by: Actor): Actor {
  const agent = text(values, 'agent');
  const person = text(values, 'person');
  const lane = text(values, 'in');
  if (agent === undefined && person === undefined)
    return lane !== undefined && isLane(lane) ? { ...by, lane } : by;
  return {
    name: parse(Name, agent ?? person, agent === undefined ? '--person' : '--agent'),
    kind: agent === undefined ? 'human' : 'agent',
    ...(lane !== undefined && isLane(lane) ? { lane } : {}),
    // Nobody shakes off who spawned it.
    ...defined({ lineage: by.lineage }),
  };
}

/** A person's token is for all tasks unless told; an agent's for the one it works on, since it ends with a leg. */
async function taskOf(actor: Actor, session: Session): Promise<Grant['task']> {
  if (actor.kind !== 'agent') return null;
  const leg = await session.legOf(actor);
  if (leg !== undefined) return leg;
  throw new UsageError(
    `For which task? The token of an agent ends with its leg, and ${actor.name} does not hold exactly one task.`,
    'Name it: --task TASK',
  );
}

/** An agent's token ends with its leg: the one it has, else, where a person makes it, the next one if that is given to it. */
async function generationFor(
  { actor, by }: { readonly actor: Actor; readonly by: Actor },
  task: Grant['task'],
  context: Context,
): Promise<number | null> {
  if (task === null || actor.kind !== 'agent') return null;
  const { state } = await load(context, task);
  if (state.leg?.holder.name === actor.name) return state.leg.generation;
  if (isPerson(by) && !isFinal(state)) return state.generation + 1;
  throw new StaffettaError(
    'wrong-state',
    `The token of an agent ends with its leg, and ${actor.name} does not hold task ${task}, which is ${state.status}.`,
    { details: { task, status: state.status }, hint: `See how it stands: staffetta show ${task}` },
  );
}

function verbsFrom(given: readonly string[] | undefined, actor: Actor): Verb[] {
  const asked = given?.flatMap((words) => words.split(',')).map((word) => word.trim());
  if (asked === undefined) return [...(actor.kind === 'human' ? verbs : agentVerbs)];
  return asked.map((word) => {
    const verb = verbs.find((one) => one === word);
    if (verb !== undefined) return verb;
    throw new UsageError(`--may takes ${verbs.join(', ')}, not ${JSON.stringify(word)}.`);
  });
}

async function list(session: Session): Promise<number> {
  const context = await session.context();
  const kept = await tokensOf(session, context).list();
  const grants: Grant[] = [];
  for (const grant of kept) if (await isAlive(context, grant)) grants.push(grant);
  const now = context.clock.now();
  const rows = grants.map((grant) => [
    grant.id,
    `${grant.actor.name} (${grant.actor.kind})`,
    scopeOf(grant),
    grant.verbs.join(','),
    grant.use,
    formatShort(grant.expiresAt - now),
  ]);
  session.output.data({ tokens: grants }, () =>
    rows.length === 0
      ? ''
      : table([['ID', 'WHO', 'TASK', 'MAY', 'USE', 'LEFT'], ...rows], { width: session.output.width }),
  );
  if (rows.length === 0) session.output.say('No tokens.');
  return exits.ok;
}

function scopeOf({ task, generation, leg }: Grant): string {
  if (leg !== undefined) return `${task ?? 'all'} until ${leg.task}/${leg.generation} ends`;
  return task === null ? 'all' : `${task}${generation === null ? '' : `/${generation}`}`;
}

async function revoke(given: string, session: Session): Promise<number> {
  if (given === '')
    throw new UsageError('revoke needs the ID of a token.', 'List them with: staffetta token list');
  const tokens = tokensOf(session, await session.context());
  const grant = await tokens.resolve(given);
  const refusal = refuseRevoking(session.verdictCall().by, grant);
  if (refusal !== undefined) throw refusal;
  const { id, actor } = grant;
  if (!session.dryRun) await tokens.revoke(id);
  session.output.data({ id, revoked: true, ...(session.dryRun ? { dryRun: true } : {}) }, () =>
    session.dryRun ? `Would revoke ${id} of ${actor.name}.` : `${id} of ${actor.name} is revoked.`,
  );
  return exits.ok;
}
