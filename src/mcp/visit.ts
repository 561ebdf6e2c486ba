/** One call: who makes it, where, and which task and generation it means. */
import { defined } from '../core/base/defined.ts';
import type { Actor } from '../core/task/actor.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Held } from '../handoff/verbs/carry.ts';
import type { Context } from '../handoff/record/context.ts';
import { load, resolveTask } from '../handoff/record/load.ts';
import type { Call } from '../handoff/record/record.ts';
import {
  legFromEnvironment,
  refuseNeverTaken,
  refuseOthersLeg,
  standingOf as standing,
  type Environment,
  type Standing as DeskStanding,
} from '../desk/standing.ts';
import { setElsewhere } from './identity.ts';
import type { WorkPlace } from './place.ts';

export interface Visit {
  readonly place: WorkPlace;
  readonly by: Actor;
  readonly env: Environment;
  /** What this connection was granted. */
  readonly legs: Legs;
  readonly signal: AbortSignal;
  /** Heard by a client that asked for it. */
  progress(done: number, total: number, message: string): Promise<void>;
}

/** The generations that were granted through one connection. A host may serve several of its sessions with it. */
export class Legs {
  readonly #held = new Map<string, Held>();

  remember(by: Actor, { task, generation }: Held): void {
    this.#held.set(keyOf(by, task), { task, generation });
  }

  forget(by: Actor, task: TaskId): void {
    this.#held.delete(keyOf(by, task));
  }

  of(by: Actor, task: TaskId): number | undefined {
    return this.#held.get(keyOf(by, task))?.generation;
  }

  grantedTo(session: string): Held[] {
    return [...this.#held].filter(([key]) => key.split('\n')[1] === session).map(([, held]) => held);
  }

  tasks(by: Actor): TaskId[] {
    return [...this.#held].filter(([key]) => key.startsWith(keyOf(by, ''))).map(([, { task }]) => task);
  }
}

function keyOf({ name, session = '' }: Actor, task: string): string {
  return `${name}\n${session}\n${task}`;
}

/** What every call about a task may say. */
export interface TaskMeant {
  readonly task?: string | undefined;
  readonly generation?: number | undefined;
  readonly idempotencyKey?: string | undefined;
}

export function callOf({ by }: Visit, { idempotencyKey: key }: TaskMeant): Call {
  return { by, ...defined({ key }) };
}

/** The task meant: the one named, else the one granted here, else the only one this agent holds. */
export async function taskMeant(visit: Visit, given: string | undefined): Promise<TaskId> {
  const context = await visit.place.context();
  if (given !== undefined && given !== '') return await resolveTask(context, given);
  const { by, legs, env } = visit;
  const granted = legs.tasks(by);
  const [first] = granted;
  if (first !== undefined && granted.length === 1) return first;
  const leg = legFromEnvironment(env, setElsewhere);
  if (leg !== undefined && granted.length === 0) return leg.task;
  const held = granted.length > 0 ? granted : await heldTasks(context, by);
  const [only, second] = held;
  if (only !== undefined && second === undefined) return only;
  throw new StaffettaError(
    'invalid-input',
    only === undefined
      ? `Which task? ${by.name} holds none.`
      : `Which task? ${by.name} holds ${held.join(', ')}.`,
    { hint: 'Give its id as task; the tool status lists them. The tool take takes one, open opens one.' },
  );
}

/** Few are held at once; another session of the same name holds its own. */
async function heldTasks(context: Context, by: Actor): Promise<TaskId[]> {
  const { cards } = await context.store.catalog.list({ holder: by.name, limit: 20 });
  const mine: TaskId[] = [];
  for (const { task } of cards) {
    const holder = (await load(context, task)).state.leg?.holder;
    if (holder === undefined || isSameSession(holder, by)) mine.push(task);
  }
  return mine;
}

/** Two sessions of one program may have one name. */
export function isSameSession(one: Actor, other: Actor): boolean {
  return (
    one.name === other.name &&
    (one.session === undefined || other.session === undefined || one.session === other.session)
  );
}

export interface VisitStanding extends DeskStanding {
  readonly context: Context;
}

/** What was granted through this connection comes before what the process was given. A generation that is over stays refused. */
export async function visitStanding(visit: Visit, meant: TaskMeant): Promise<VisitStanding> {
  const task = await taskMeant(visit, meant.task);
  const context = await visit.place.context();
  const leg = legFromEnvironment(visit.env, setElsewhere);
  const granted = visit.legs.of(visit.by, task) ?? (leg?.task === task ? leg.generation : undefined);
  const { generation: asked, idempotencyKey: key } = meant;
  const found = await standing(context, { task, asked, granted, key });
  if (!found.isNamed) {
    refuseNeverTaken(found.state, visit.by);
    refuseOthersLeg(found.state, leg);
  }
  return { ...found, context };
}
