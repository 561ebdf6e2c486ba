/**
 * Which task a call means, and under which generation it acts. A fence only holds if it is named by the one who was granted it: what the
 * call says comes first, then what was granted to the caller, then what a repeated request was made under, and else what is now.
 */
import { StaffettaError } from '../core/base/error.ts';
import type { Entry } from '../core/journal/entry.ts';
import { isTaskId, type TaskId } from '../core/journal/id.ts';
import { isSameHolder, type Actor } from '../core/task/actor.ts';
import { finalStatuses, isFinal, statuses, type TaskState } from '../core/task/state.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Loaded } from '../handoff/record/load.ts';
import type { Held } from '../handoff/verbs/carry.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How an edge says that something cannot be: with its own way to mend it. */
export type Refuse = (message: string, hint?: string) => Error;

/** `STAFFETTA_LEG=task/generation`, as `take` prints it. */
export function legFromEnvironment(env: Environment, refuse: Refuse): Held | undefined {
  const given = env['STAFFETTA_LEG'] ?? '';
  if (given === '') return undefined;
  const [task = '', generation = '', ...rest] = given.split('/');
  if (isTaskId(task) && /^\d{1,15}$/.test(generation) && rest.length === 0)
    return { task, generation: Number(generation) };
  throw refuse(
    `STAFFETTA_LEG should be TASK/GENERATION, not ${JSON.stringify(given)}.`,
    'Set it as take printed it, or unset it and name the task.',
  );
}

export interface CallerLegs {
  readonly by: Actor;
  /** What was granted through the connection that it calls by. */
  readonly granted?: readonly TaskId[];
  /** What this process was given. */
  readonly leg: () => Held | undefined;
  /** Nothing is changed: where the caller holds none, the one open task of the store will do. */
  readonly looks?: boolean;
}

/**
 * The task meant: the one that is named, else the only one granted through this connection, else the one this process was given, else the
 * only one that the caller holds.
 */
export async function taskMeant(
  context: () => Promise<Context>,
  given: string | undefined,
  { by, granted = [], leg, looks = false }: CallerLegs,
  refuse: (message: string) => Error,
): Promise<TaskId> {
  if (given !== undefined && given !== '') {
    if (isTaskId(given)) return given;
    return await (await import('../handoff/record/load.ts')).resolveTask(await context(), given);
  }
  const own = granted.length === 0 ? leg() : undefined;
  if (own !== undefined) return own.task;
  const held = granted.length === 0 ? await tasksHeld(await context(), by) : granted;
  const meant = held.length === 0 && looks ? await openTasks(await context()) : held;
  const [only, second] = meant;
  if (only !== undefined && second === undefined) return only;
  const here = by.session === undefined ? '' : ' in this session';
  throw refuse(`Which task? ${by.name} holds ${held.length === 0 ? 'none' : held.join(', ')}${here}.`);
}

/** Two at most: more say no more. */
async function openTasks(context: Context): Promise<TaskId[]> {
  const standing = statuses.filter((status) => !finalStatuses.includes(status));
  const { cards } = await context.store.catalog.list({ statuses: standing, limit: 2 });
  return cards.map(({ task }) => task);
}

/** Few are held at once. Lists know holders by name only; another session of the same name holds its own. */
export async function tasksHeld(context: Context, by: Actor): Promise<TaskId[]> {
  const { cards } = await context.store.catalog.list({ holder: by.name, limit: 20 });
  if (by.session === undefined) return cards.map(({ task }) => task);
  const { load } = await import('../handoff/record/load.ts');
  const mine: TaskId[] = [];
  for (const { task } of cards) {
    const { leg } = (await load(context, task)).state;
    if (leg === null || isSameHolder(leg.holder, by)) mine.push(task);
  }
  return mine;
}

export interface CallMeaning {
  readonly task: TaskId;
  /** What the call itself says. */
  readonly asked?: number | undefined;
  /** What the caller was granted. */
  readonly granted?: number | undefined;
  /** The idempotency key of the call. */
  readonly key?: string | undefined;
}

export interface Standing extends Loaded, Held {
  /** What the key of this call recorded the first time. */
  readonly earlier: Entry | undefined;
  /** Somebody said which generation, or said it the first time. */
  readonly isNamed: boolean;
}

export async function standingOf(
  context: Context,
  { task, asked, granted, key }: CallMeaning,
): Promise<Standing> {
  const { load } = await import('../handoff/record/load.ts');
  const loaded = await load(context, task);
  const earlier = await earlierBy(context, task, key);
  const named = asked ?? granted ?? earlier?.generation;
  const generation = named ?? loaded.state.generation;
  return { ...loaded, task, generation, earlier, isNamed: named !== undefined };
}

/** What was recorded under a key before. */
export async function earlierBy(
  context: Context,
  task: TaskId,
  key: string | undefined,
): Promise<Entry | undefined> {
  if (key === undefined) return undefined;
  const { keyedEntry } = await import('../handoff/record/keyed-entry.ts');
  return await keyedEntry(context, task, key);
}

/** An actor that never held it learns that it must be taken first. */
export function refuseNeverTaken(state: TaskState, by: Pick<Actor, 'name'>): void {
  const { task, status, offer, leg, custody } = state;
  if (leg !== null || isFinal(state) || custody?.agent === by.name) return;
  const now = offer === null ? status : `on offer to ${offer.to} in the ${offer.lane} lane`;
  throw new StaffettaError('wrong-state', `Nobody holds task ${task}: it is ${now}.`, {
    details: { task, status, holder: null, offeredTo: offer?.to ?? null },
    hint: offer === null ? `See: staffetta show ${task}` : `Take it first: staffetta take ${task}`,
  });
}

/** A leg that a supervisor has given out is spoken for by the process that was given it; others of the same name have their own. */
export function refuseOthersLeg({ task, leg }: TaskState, own: Held | undefined): void {
  if (own === undefined || own.task === task || leg?.holder.session?.startsWith('process:') !== true) return;
  throw new StaffettaError(
    'stale-generation',
    `Task ${task} was given to another process of ${leg.holder.name}; this one was given ${own.task}.`,
    { details: { task, yours: own.generation }, hint: `Go on with yours: staffetta show ${own.task}` },
  );
}
