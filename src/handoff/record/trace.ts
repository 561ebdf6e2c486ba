/**
 * Legs and handoffs as spans. A leg outlives the process that began it, so its span is told when it ends, from its start. What ends a leg
 * with a packet leaves its span's name in the packet; the next holder's spans are linked to it. So the trace of each holder stays its
 * own, and a reader follows the links from one to the next, across programs and machines.
 */
import { defined } from '../../core/base/defined.ts';
import type { Actor } from '../../core/task/actor.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Entry } from '../../core/journal/entry.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import type { Occasion } from '../../core/gate/subject.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { sealedJson } from '../../core/journal/sealed.ts';
import type { TaskState } from '../../core/task/state.ts';
import { utf8 } from '../../core/base/utf8.ts';
import type { OpenSpan } from '../../ports/tracing.ts';
import type { Context } from './context.ts';

/** For a packet that is about to be sealed. Undefined where nobody listens. */
export async function beginSealing(
  context: Context,
  state: TaskState,
  occasion: Occasion,
): Promise<OpenSpan | undefined> {
  const { tracing, clock } = context;
  if (tracing?.listening !== true || state.leg === null) return undefined;
  const ends = occasion !== 'checkpoint';
  return await tracing.begin({
    name: ends ? 'staffetta.leg' : 'staffetta.checkpoint',
    startedAt: ends ? state.leg.since : clock.now(),
    attributes: {
      ...attributesOf(state, state.leg),
      ...(ends ? invoked : {}),
      'staffetta.occasion': occasion,
    },
    links: await tracesOf(context, state.leg.received),
  });
}

/** Tells what an entry that was just stored began or ended; what ended with a packet is told by the call that sealed it. */
export async function traceEntry(
  context: Context,
  before: TaskState | undefined,
  { events, at, by }: Entry,
): Promise<void> {
  const { tracing } = context;
  if (tracing?.listening !== true || before === undefined) return;
  const { leg, offer } = before;
  const ended = events.find(({ type }) => type === 'leg-ended' || type === 'leg-lapsed');
  const isSealed = events.some(({ type }) => type === 'checkpoint-sealed');
  if (leg !== null && ended !== undefined && !isSealed) {
    const span = await tracing.begin({
      name: 'staffetta.leg',
      startedAt: leg.since,
      attributes: { ...attributesOf(before, leg), ...invoked },
      links: await tracesOf(context, leg.received),
    });
    const outcome = ended.type === 'leg-ended' ? ended.outcome : 'lapsed';
    span.end(at, ['lapsed', 'failed', 'attempt-failed'].includes(outcome) ? outcome : undefined);
  }
  const started = events.find((event) => event.type === 'leg-started');
  if (started === undefined || started.offer === null || offer === null) return;
  const { task, generation } = before;
  const span = await tracing.begin({
    name: 'staffetta.handoff',
    startedAt: offer.at,
    attributes: attributesOf({ task }, { generation: generation + 1, lane: started.lane, holder: by }),
    links: await tracesOf(context, offer.packet),
  });
  span.end(at);
}

/** In the words of the semantic conventions for agents, a leg is what becomes of an agent that was called. */
const invoked = { 'gen_ai.operation.name': 'invoke_agent' } as const;

function attributesOf(
  { task }: Pick<TaskState, 'task'>,
  {
    generation,
    lane,
    holder,
  }: { readonly generation: number; readonly lane: string; readonly holder: Pick<Actor, 'name' | 'session'> },
): Record<string, string | number> {
  return {
    'staffetta.task': task,
    'staffetta.generation': generation,
    'staffetta.lane': lane,
    'staffetta.holder': holder.name,
    'gen_ai.agent.name': holder.name,
    ...defined({ 'gen_ai.conversation.id': holder.session }),
  };
}

/** Read without the shape of a packet: code that only appends an entry would load it for nothing. */
async function tracesOf(context: Context, packet: Digest | null): Promise<string[]> {
  if (packet === null) return [];
  try {
    const bytes = await context.store.blobs.get(packet);
    const sealed = bytes === undefined ? undefined : sealedJson(() => utf8(bytes));
    const trace = (sealed as Packet | undefined)?.trace;
    return trace === undefined ? [] : [trace];
  } catch (error) {
    // A packet that cannot be read is somebody else's trouble; a span can do without a link.
    if (!isStaffettaError(error)) throw error;
    return [];
  }
}
