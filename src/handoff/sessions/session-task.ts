/**
 * Which task a session of a coding agent works on. A session is bound to a task by the idempotency key of the entry that first
 * captured it there, so that binding it twice, after a crash or by two commands at once, is binding it once. A session that was
 * started for a leg and never captured says itself which one: by the last line of its prompt (`core/transcript/leg-line.ts`).
 */
import type { Actor } from '../../core/task/actor.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { triggerKinds } from '../../core/journal/trigger.ts';
import { finalStatuses, type TaskState } from '../../core/task/state.ts';
import type { LegNamed } from '../../core/transcript/leg-line.ts';
import type { Lease } from '../../ports/journal.ts';
import type { SessionPlace } from '../../ports/runtime.ts';
import type { Context } from '../record/context.ts';
import { keyedEntry } from '../record/keyed-entry.ts';
import { load } from '../record/load.ts';
import { entriesBackward } from '../history/remarks.ts';

export function sessionKey({ runtime, id }: Pick<SessionPlace, 'runtime' | 'id'>, round = 1): string {
  return `session:${runtime}:${id}${round === 1 ? '' : `#${round}`}`;
}

/** For a session whose id another one has too, in another file: its place tells them apart. */
export function placedId({ id, path }: Pick<SessionPlace, 'id' | 'path'>): string {
  return `${id}@${sha256Hex(path).slice(0, 16)}`;
}

export interface BoundTask {
  readonly task: TaskId;
  readonly state: TaskState;
  readonly lease: Lease | null;
}

export interface Binding {
  /** The task it was bound to last, of those that are not over; undefined where it never was, or all of them are. */
  readonly bound: BoundTask | undefined;
  /** For binding it anew. */
  readonly key: string;
}

export async function taskOfSession(
  context: Context,
  session: Pick<SessionPlace, 'runtime' | 'id'>,
): Promise<Binding> {
  let bound: BoundTask | undefined;
  for (let round = 1; ; round += 1) {
    const key = sessionKey(session, round);
    const tasks = await context.store.catalog.keyed(key, 100);
    if (tasks.length === 0) return { bound, key };
    const standing = await Promise.all(tasks.map(async (task) => ({ task, ...(await load(context, task)) })));
    const [latest] = standing
      .filter(({ state }) => !finalStatuses.includes(state.status))
      .toSorted((a, b) => b.state.updatedAt - a.state.updatedAt);
    if (latest !== undefined) bound = await boundInLeg(context, latest, { key, session: session.id });
  }
}

/** Every task that it was ever bound to, the earliest first. */
export async function tasksOfSession(
  context: Context,
  session: Pick<SessionPlace, 'runtime' | 'id' | 'path'>,
): Promise<readonly TaskId[]> {
  const all = new Set<TaskId>();
  for (const id of [session.id, placedId(session)])
    for (let round = 1; ; round += 1) {
      const tasks = await context.store.catalog.keyed(sessionKey({ ...session, id }, round), 100);
      if (tasks.length === 0) break;
      for (const task of tasks) all.add(task);
    }
  return [...all];
}

/** A holder that bound a session in the leg it still holds speaks in that session, unless it is known to speak in another. */
async function boundInLeg(
  context: Context,
  bound: BoundTask,
  { key, session }: { readonly key: string; readonly session: string },
): Promise<BoundTask> {
  const { task, state } = bound;
  if (state.leg === null || state.leg.holder.session !== undefined) return bound;
  const entry = await keyedEntry(context, task, key);
  return entry?.generation !== undefined && entry.by.name === state.leg.holder.name
    ? heldIn(bound, { task, generation: entry.generation }, session)
    : bound;
}

/** The task that a session says it was started for; undefined where it is over, or no task of this store. */
export async function taskOfLeg(context: Context, { task }: LegNamed): Promise<BoundTask | undefined> {
  try {
    const found = await load(context, task);
    return finalStatuses.includes(found.state.status) ? undefined : { task, ...found };
  } catch (error) {
    if (isStaffettaError(error) && error.code === 'unknown-task') return undefined;
    throw error;
  }
}

/**
 * Whether its offer stands whatever its giver does next: it was handed on with a packet, or by somebody else. What was put on offer because
 * a session fell silent, ended or died is taken back by the session that goes on.
 */
export async function isGivenAway(context: Context, { task, state }: BoundTask): Promise<boolean> {
  const { status, offer, custody } = state;
  if (status !== 'offered' || offer === null) return false;
  if (offer.by !== custody?.agent) return true;
  if (offer.trigger !== null && triggerKinds[offer.trigger].isDeath) return false;
  for await (const { events } of entriesBackward(context, task, state.seq))
    if (events.some((event) => event.type === 'offer-made' && event.offer === offer.offer))
      return events.some(({ type }) => type === 'checkpoint-sealed');
  return false;
}

/** The refusal where another than the session holds its task now. */
export function heldByOther(
  { task, state, lease }: BoundTask,
  agent: Pick<Actor, 'name' | 'session'>,
): StaffettaError | undefined {
  const holder = state.leg?.holder;
  if (holder === undefined || holder.name === agent.name || holder.session === agent.session)
    return undefined;
  return new StaffettaError('held', `Task ${task} of this session is held by ${holder.name} now.`, {
    details: { task, holder: holder.name, leaseUntil: lease?.until ?? null },
    hint: `See: staffetta show ${task}`,
  });
}

/** The holder of the leg that a session was started for speaks in that session, under whatever name it took the task. */
export function heldIn(bound: BoundTask, leg: LegNamed | null, session: string): BoundTask {
  const { state, task } = bound;
  if (leg?.task !== task || state.leg?.generation !== leg.generation) return bound;
  const holder = { ...state.leg.holder, session };
  return { ...bound, state: { ...state, leg: { ...state.leg, holder } } };
}
