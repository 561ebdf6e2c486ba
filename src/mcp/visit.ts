/** One call: who makes it, where, and which task and generation it means. */
import { defined } from '../core/base/defined.ts';
import type { Actor } from '../core/task/actor.ts';
import { StaffettaError } from '../core/base/error.ts';
import type { TaskId } from '../core/journal/id.ts';
import type { Held } from '../handoff/verbs/carry.ts';
import type { Context } from '../handoff/record/context.ts';
import type { Call } from '../handoff/record/record.ts';
import {
  legFromEnvironment,
  refuseNeverTaken,
  refuseOthersLeg,
  standingOf as standing,
  taskMeant,
  type Environment,
  type Standing as DeskStanding,
} from '../desk/standing.ts';
import type { WorkPlace } from './place.ts';

/** The caller can set no variable of the server. */
export function setElsewhere(message: string): StaffettaError {
  return new StaffettaError('invalid-input', message, {
    hint: 'It is set where the server is configured; a person can mend it there.',
  });
}

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

/** The task meant: the one named, else what the desk finds for who calls. */
export async function visitTask({ place, by, env, legs }: Visit, given: string | undefined): Promise<TaskId> {
  const caller = { by, granted: legs.tasks(by), leg: () => legFromEnvironment(env, setElsewhere) };
  return await taskMeant(
    async () => await place.context(),
    given,
    caller,
    (message) =>
      new StaffettaError('invalid-input', message, {
        hint: 'Give its id as task; the tool status lists them. The tool take takes one, open opens one.',
      }),
  );
}

export interface VisitStanding extends DeskStanding {
  readonly context: Context;
}

/** What was granted through this connection comes before what the process was given. A generation that is over stays refused. */
export async function visitStanding(visit: Visit, meant: TaskMeant): Promise<VisitStanding> {
  const task = await visitTask(visit, meant.task);
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
