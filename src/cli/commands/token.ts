import { isLane, type Actor } from '../../core/actor.ts';
import { parse } from '../../core/parse.ts';
import { Name } from '../../core/text.ts';
import type { Context } from '../../handoff/context.ts';
import { load, resolveTask } from '../../handoff/load.ts';
import { refuseGrant, type Grant, type NewGrant } from '../../server/grant.ts';
import { agentVerbs, verbs, type Verb } from '../../server/verbs.ts';
import { formatShort, parsePositiveDuration } from '../duration.ts';
import { exits } from '../fail.ts';
import type { Session } from '../session.ts';
import type { Invocation, Values } from '../spec.ts';
import { table } from '../table.ts';
import { tokensOf } from '../tokens.ts';
import { UsageError } from '../usage.ts';
import { refuseBoth, refuseStray, text, texts } from '../values.ts';

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
  const { by } = session.verdictCall();
  const given = await grantFrom(values, by, context);
  const refusal = refuseGrant(by, given);
  if (refusal !== undefined) throw refusal;
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

async function grantFrom(values: Values, by: Actor, context: Context): Promise<NewGrant> {
  const actor = actorFor(values, by);
  const named = text(values, 'task');
  const task = named === undefined ? null : await resolveTask(context, named);
  const now = context.clock.now();
  return {
    use: 'bearer',
    actor,
    task,
    generation: await generationFor(actor, task, context),
    verbs: verbsFrom(texts(values, 'may'), actor),
    createdAt: now,
    createdBy: by.name,
    expiresAt: now + parsePositiveDuration(text(values, 'expires') ?? '12h', 'expires'),
  };
}

/** Whoever is named; else whoever asks. */
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
    ...(by.lineage === undefined ? {} : { lineage: by.lineage }),
  };
}

/** The token of a holder ends with its leg. */
async function generationFor(actor: Actor, task: Grant['task'], context: Context): Promise<number | null> {
  if (task === null || actor.kind !== 'agent') return null;
  const { leg } = (await load(context, task)).state;
  return leg?.holder.name === actor.name ? leg.generation : null;
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
  const grants = await tokensOf(session, context).list();
  const now = context.clock.now();
  const rows = grants.map((grant) => [
    grant.id,
    `${grant.actor.name} (${grant.actor.kind})`,
    grant.task === null ? 'all' : `${grant.task}${grant.generation === null ? '' : `/${grant.generation}`}`,
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

async function revoke(given: string, session: Session): Promise<number> {
  if (given === '')
    throw new UsageError('revoke needs the ID of a token.', 'List them with: staffetta token list');
  const tokens = tokensOf(session, await session.context());
  const { id, actor } = await tokens.resolve(given);
  if (!session.dryRun) await tokens.revoke(id);
  session.output.data({ id, revoked: true, ...(session.dryRun ? { dryRun: true } : {}) }, () =>
    session.dryRun ? `Would revoke ${id} of ${actor.name}.` : `${id} of ${actor.name} is revoked.`,
  );
  return exits.ok;
}
