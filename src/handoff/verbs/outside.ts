/** Facts from outside the leg. They are not fenced by a generation: a person may speak while an agent works. */
import { defined } from '../../core/base/defined.ts';
import type { Entry } from '../../core/journal/entry.ts';
import type { EscalationReason, EventOf } from '../../core/journal/event.ts';
import { refuseNonHolder } from '../../core/decide/guard.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Held } from './carry.ts';
import type { Context } from '../record/context.ts';
import { load } from '../record/load.ts';
import { freeDependents } from './needs.ts';
import { record, type Call, type Recorded } from '../record/record.ts';
import { questionOf } from '../history/remarks.ts';

/** Leaves a message with the task, for its holder or the next one. */
export async function tell(context: Context, task: TaskId, text: string, call: Call): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { tell: text },
    prepare: () => ({ command: { type: 'message', text } }),
  });
}

export async function answer(
  context: Context,
  task: TaskId,
  input: { readonly decision: number; readonly answer: string },
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { answer: input },
    prepare: () => ({ command: { type: 'answer', ...input } }),
  });
}

/** What was used since it was last counted. A holder counts under its generation, a director for any leg. */
export type UsageInput = Omit<EventOf<'usage-counted'>, 'type' | 'v'>;

export async function countUsage(
  context: Context,
  task: TaskId,
  { generation, ...usage }: UsageInput & { readonly generation?: number },
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { usage, ...defined({ generation }) },
    prepare: () => ({ command: { type: 'count-usage', usage, ...defined({ generation }) } }),
  });
}

export type SteerInput = Omit<EventOf<'run-steered'>, 'type' | 'v' | 'plan'>;

/** Tells the supervisor of a run how to go on. `plan` is a document that holds no secrets. */
export async function steer(
  context: Context,
  task: TaskId,
  { plan, ...input }: SteerInput & { readonly plan?: Uint8Array },
  call: Call,
): Promise<Recorded> {
  const steering = plan === undefined ? input : { ...input, plan: digestOf(plan) };
  return await record(context, {
    task,
    call,
    request: { steer: steering },
    prepare: () => ({
      command: { type: 'steer', ...steering },
      ...(plan === undefined ? {} : { blobs: [plan] }),
    }),
  });
}

export interface PhaseApproval {
  readonly phase: string;
  readonly why?: string;
}

/** A person has seen what came of a phase: the next one may start. */
export async function approvePhase(
  context: Context,
  task: TaskId,
  input: PhaseApproval,
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { approvePhase: input },
    prepare: () => ({ command: { type: 'approve-phase', ...input } }),
  });
}

export async function cancel(context: Context, task: TaskId, why: string, call: Call): Promise<Recorded> {
  const recorded = await record(context, {
    task,
    call,
    request: { cancel: why },
    prepare: () => ({ command: { type: 'cancel', why } }),
  });
  if (call.dryRun !== true) await freeDependents(context, task);
  return recorded;
}

/** Why somebody asks for a person; the other reasons are found by rules. */
export const askedReasons = ['asked', 'stalled', 'budget', 'conflict'] as const satisfies EscalationReason[];
export type AskedReason = (typeof askedReasons)[number];

export async function escalate(
  context: Context,
  task: TaskId,
  input: { readonly text: string; readonly reason?: AskedReason; readonly generation?: number },
  call: Call,
): Promise<Recorded> {
  return await record(context, {
    task,
    call,
    request: { escalate: input },
    prepare: () => ({ command: { type: 'escalate', ...input } }),
  });
}

export interface WaitingMessage {
  /** The entry it is in, which is how it is named when it is marked as read. */
  readonly seq: number;
  readonly from: string;
  readonly at: number;
  readonly text: string;
  /** Where it answers a question of a holder: which one, and what was asked. */
  readonly answers?: { readonly decision: number; readonly question: string };
}

/** The messages and answers that wait with a task, oldest first. Looking does not mark them as read. */
export async function waitingMessages(context: Context, task: TaskId): Promise<WaitingMessage[]> {
  return await messagesAt(context, task, (await load(context, task)).state.unread);
}

/** The same for a holder: a former one is refused. */
export async function messagesFor(context: Context, held: Held, call: Call): Promise<WaitingMessage[]> {
  const { task, generation } = held;
  const { state, lease } = await load(context, task);
  const asked = { by: call.by, now: context.clock.now(), leaseUntil: lease?.until ?? null };
  const refusal = refuseNonHolder(state, asked, generation);
  if (refusal !== undefined) throw refusal;
  return await messagesAt(context, task, state.unread);
}

async function messagesAt(
  context: Context,
  task: TaskId,
  seqs: readonly number[],
): Promise<WaitingMessage[]> {
  const messages: WaitingMessage[] = [];
  for (const seq of seqs) {
    const [stored] = await context.store.journal.read(task, seq, 1);
    if (stored?.seq !== seq) continue;
    const entry = openEntry(stored);
    messages.push(...(await waitingMessagesIn(context, entry)));
  }
  return messages;
}

/** What an entry says to the holder: messages, and answers to its questions. */
export async function waitingMessagesIn(context: Context, entry: Entry): Promise<WaitingMessage[]> {
  const { by, at, task, seq } = entry;
  const messages: WaitingMessage[] = [];
  for (const event of entry.events) {
    if (event.type === 'message') messages.push({ seq, from: by.name, at, text: event.text });
    if (event.type !== 'decision-answered') continue;
    const { decision } = event;
    const question = (await questionOf(context, task, { decision, before: seq })) ?? '';
    messages.push({ seq, from: by.name, at, text: event.answer, answers: { decision, question } });
  }
  return messages;
}

/**
 * Records that the holder has the messages up to this entry. Apart from looking at them, so that a holder that dies in
 * between leaves them for the next one: they are read at least once.
 */
export async function markRead(context: Context, held: Held, through: number, call: Call): Promise<Recorded> {
  const { task, generation } = held;
  return await record(context, {
    task,
    call,
    request: { read: through, generation },
    prepare: () => ({ command: { type: 'read-messages', generation, through } }),
  });
}
