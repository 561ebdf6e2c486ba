/** Who signs in with a link, and the link itself; for the server that is started here and for one that runs. */
import { defined } from '../../core/base/defined.ts';
import { isPerson, type Actor } from '../../core/task/actor.ts';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../../handoff/record/context.ts';
import { load } from '../../handoff/record/load.ts';
import type { Promised } from '../../server/access/codes.ts';
import type { Grant } from '../../server/access/grant.ts';
import { LinkFiles, type RunningServer } from '../../server/access/link-files.ts';
import { agentVerbs, verbs } from '../../server/contract/verbs.ts';
import type { Session } from './session.ts';

/** None for a store that only this process can see. */
export function linkFilesOf({ home }: Session, context: Context): LinkFiles | undefined {
  return home === undefined ? undefined : new LinkFiles(home.tokens, context);
}

/**
 * The caller that asks for a link signs in as itself. Inside an agent that is the agent: it may look and tell but not judge, until its
 * leg or the server ends.
 */
export async function promisedTo(session: Session, task: TaskId | undefined): Promise<Promised> {
  const actor = session.verdictCall().by;
  const guest = await guestOf(task, session);
  return {
    actor,
    task: null,
    generation: null,
    ...defined({ leg: guest }),
    verbs: [...(guest === undefined ? verbs : agentVerbs)],
    createdBy: actor.name,
  };
}

export function linkTo(url: string, code: string, page: string | undefined): string {
  return `${url}/sign-in?code=${code}${page === undefined ? '' : `&to=${page}`}`;
}

/** The newest that runs on this store, or the one at that port. */
export async function runningServer(
  files: LinkFiles | undefined,
  port: number | undefined,
): Promise<RunningServer> {
  const all = (await files?.running()) ?? [];
  const found = port === undefined ? all[0] : all.find((one) => one.port === port);
  if (found !== undefined) return found;
  const where = port === undefined ? '' : ` at port ${port}`;
  throw new StaffettaError('unavailable', `No server of this store runs${where}.`, {
    details: { running: all.map(({ url }) => url) },
    hint:
      all.length === 0
        ? 'Start one, which prints a link: staffetta up'
        : `Running: ${all.map(({ url, port: own }) => `${url} (--port ${own})`).join(', ')}`,
  });
}

/** The leg with which what an agent gets ends. Undefined for a person; an agent without one gets nothing. */
async function guestOf(task: TaskId | undefined, session: Session): Promise<Grant['leg']> {
  const actor = session.verdictCall().by;
  if (isPerson(actor)) return undefined;
  const leg =
    (task === undefined ? undefined : await legIn(task, actor, session)) ?? (await onlyLeg(actor, session));
  if (leg !== undefined) return leg;
  throw new StaffettaError(
    'wrong-state',
    `What an agent gets from up ends with its leg, and ${actor.name} does not hold exactly one task.`,
    {
      details: { name: actor.name },
      hint: 'Take one first, or name one of those that you hold: staffetta up TASK. A person needs none, at a terminal of their own.',
    },
  );
}

async function onlyLeg(actor: Actor, session: Session): Promise<Grant['leg']> {
  if (!session.storeExists) return undefined;
  const task = await session.legOf(actor);
  return task === undefined ? undefined : await legIn(task, actor, session);
}

async function legIn(task: TaskId, actor: Actor, session: Session): Promise<Grant['leg']> {
  const { leg } = (await load(await session.context(), task)).state;
  return leg?.holder.name === actor.name ? { task, generation: leg.generation } : undefined;
}
