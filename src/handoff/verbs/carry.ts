import type { CarryEvent, Restatement } from '../../core/task/command.ts';
import { refuseLease } from '../../core/decide/guard.ts';
import { digestOf } from '../../core/journal/digest.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Context } from '../record/context.ts';
import type { TakenOver } from '../sealing/subject.ts';
import { headInLeg } from '../record/known-states.ts';
import { record, type Call, type Recorded } from '../record/record.ts';

export interface Held {
  readonly task: TaskId;
  readonly generation: number;
  readonly taken?: TakenOver;
}

/** Notes, decisions, questions, dead ends and progress: what a holder writes down on the way, in one entry. */
export async function carry(
  context: Context,
  held: Held,
  events: readonly CarryEvent[],
  call: Call,
): Promise<Recorded> {
  const { task, generation } = held;
  return await record(context, {
    task,
    call,
    request: { carry: events, generation },
    prepare: () => ({ command: { type: 'carry', generation, events } }),
  });
}

/** What a program needs to go on, as it gave it: nothing is taken out of it, and nobody but the program reads it. */
export async function keepForProgram(
  context: Context,
  { task, generation }: Held,
  kept: { readonly program: string; readonly blobs: readonly Uint8Array[]; readonly restated: Restatement },
  call: Call,
): Promise<Recorded> {
  const { program, blobs, restated } = kept;
  const events = blobs.map((bytes) => ({ type: 'state-kept', program, state: digestOf(bytes) }) as const);
  return await record(context, {
    task,
    call,
    request: { carry: events, generation },
    head: headInLeg(context.store, task, generation),
    prepare: () => ({ command: { type: 'carry', generation, events, restated }, blobs }),
  });
}

/** The receiver says in its own words what it took over. Delivered is not accepted, and accepted is not understood. */
export async function acknowledge(
  context: Context,
  held: Held,
  words: Restatement,
  call: Call,
): Promise<Recorded> {
  const { task, generation } = held;
  return await record(context, {
    task,
    call,
    request: { acknowledge: words, generation },
    // It mostly follows the entry by which this process took the task.
    head: headInLeg(context.store, task, generation),
    prepare: () => ({ command: { type: 'acknowledge', generation, ...words } }),
  });
}

export async function decline(
  context: Context,
  task: TaskId,
  input: { readonly reasons: readonly string[]; readonly generation?: number },
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { decline: input },
    prepare: () => ({ command: { type: 'decline', ...input } }),
  });
}

/** Extends the lease without a journal entry. Null means that the leg is over: stop working. */
export async function renew(context: Context, held: Held, leaseMs: number): Promise<number | null> {
  const refusal = refuseLease(leaseMs);
  if (refusal !== undefined) throw refusal;
  return await context.store.journal.renew(held.task, held.generation, context.clock.now() + leaseMs);
}
