/**
 * Waiting, for a bounded time: a host gives up on a call that takes too long. What is waited for is looked for again and again; the
 * journal is the truth, and a look at its head is cheap.
 */
import * as z from 'zod/mini';
import { StaffettaError } from '../../core/base/error.ts';
import type { TaskId } from '../../core/journal/id.ts';
import { isSameHolder } from '../../core/task/actor.ts';
import type { Status } from '../../core/task/state.ts';
import { pauseBetweenLooks } from '../../ports/store.ts';
import { renew } from '../../handoff/verbs/carry.ts';
import type { Context } from '../../handoff/record/context.ts';
import { standingFindings } from '../../handoff/record/latest.ts';
import { load } from '../../handoff/record/load.ts';
import { waitingMessages } from '../../handoff/verbs/outside.ts';
import { awaitedOffers } from '../../handoff/views/offers.ts';
import { quoted } from '../words/answer.ts';
import { findingText } from '../../core/task/finding-words.ts';
import { messageText } from '../briefing.ts';
import { askedFor } from '../words/next-calls.ts';
import { Foreign, taskArgument } from '../schema.ts';
import { annotations, tool } from '../tool.ts';
import { visitTask, type Visit } from '../visit.ts';
import { Card, statusCard } from './status.ts';

const pollMs = 250;
const progressMs = 1000;
/** Hosts end a call after a minute, some of them. */
const secondsDefault = 50;
const secondsMax = 600;

export const waitedFor = ['answer', 'offer', 'review'] as const;
type WaitedFor = (typeof waitedFor)[number];

const Seconds = z
  .int()
  .check(z.minimum(0), z.maximum(secondsMax), z.describe(`At most (${secondsDefault}); 0 only looks`));

/** How long a call would wait; null where its arguments do not say it as they should. */
export function secondsOf(args: unknown): number | null {
  const { data } = z.safeParse(z.object({ seconds: z.optional(Seconds) }), args);
  return data === undefined ? null : (data.seconds ?? secondsDefault);
}

const output = z.strictObject({
  happened: z.boolean(),
  task: z.nullable(z.string()),
  status: z.nullable(z.string()),
  messages: z.array(Foreign),
  /** What the review demands. */
  sentBack: z.array(Foreign),
  offered: z.array(Card),
  next: z.array(z.string()),
});
type Output = z.output<typeof output>;

export const wait = tool({
  name: 'wait',
  title: 'Wait for others',
  description:
    'Waits for a message or answer to your task, an offer to you, or the verdict on what you submitted. Takes nothing; your lease is extended meanwhile.',
  annotations: { ...annotations.adds, idempotentHint: true },
  input: z.strictObject({
    for: z.enum(waitedFor),
    task: taskArgument,
    seconds: z.optional(Seconds),
  }),
  output,
  run: async ({ for: what, task: given, seconds = secondsDefault }, visit) => {
    const context = await visit.place.context();
    const task = what === 'offer' ? null : await visitTask(visit, given);
    if (what === 'review' && task !== null) await refuseUnsubmitted(context, task);
    const found = await waitFor(visit, context, {
      seconds,
      look: async () => await lookers[what](context, task, visit),
    });
    const next = nextFor(what, found, task);
    const said = [
      ...found.messages,
      ...found.sentBack,
      ...found.offered.map((card) => `${card.task} ${card.title}`),
    ];
    const words = wordsFor(what, found, seconds);
    return {
      data: { ...found, next },
      text: [
        words,
        ...(said.length === 0 ? [] : [quoted('What came', said.join('\n'))]),
        ...next.map((one) => `Next: ${one}`),
      ].join('\n'),
    };
  },
});

/** A review that nobody was asked for is never over. */
const unsubmitted: ReadonlySet<Status> = new Set([
  'open',
  'offered',
  'held',
  'declined',
  'lapsed',
  'blocked',
]);

async function refuseUnsubmitted(context: Context, task: TaskId): Promise<void> {
  const { status, leg } = (await load(context, task)).state;
  if (!unsubmitted.has(status)) return;
  throw new StaffettaError('wrong-state', `Task ${task} is not under review: it is ${status}.`, {
    details: { task, status, holder: leg?.holder.name ?? null },
    hint: 'Its holder hands it in first, with the tool seal and as: submit. Then wait.',
  });
}

const happenedWords: Readonly<Record<WaitedFor, string>> = {
  answer: 'Something waits for you.',
  offer: 'Work is on offer to you.',
  review: 'The review is over.',
};

type Found = Omit<Output, 'next'>;

function wordsFor(what: WaitedFor, found: Found, seconds: number): string {
  if (!found.happened) return seconds === 0 ? 'Nothing yet.' : `Nothing yet, after ${seconds} seconds.`;
  return what === 'answer' && found.messages.length === 0
    ? `Nobody holds the task any more: it is ${found.status}.`
    : happenedWords[what];
}

const none: Found = { happened: false, task: null, status: null, messages: [], sentBack: [], offered: [] };

const lookers: Readonly<
  Record<WaitedFor, (context: Context, task: TaskId | null, visit: Visit) => Promise<Found>>
> = {
  async answer(context, task, visit) {
    if (task === null) return none;
    const { state } = await load(context, task);
    const messages = state.unread.length === 0 ? [] : (await waitingMessages(context, task)).map(messageText);
    await stillThere(context, visit, task);
    // A question that somebody answered leaves a message; a leg that is over gets none.
    const happened = messages.length > 0 || state.leg === null;
    return { ...none, happened, task, status: state.status, messages };
  },
  async offer(context, _task, { by }) {
    const offered = await awaitedOffers(context, by, 10);
    return { ...none, happened: offered.length > 0, offered: offered.map(statusCard) };
  },
  async review(context, task) {
    if (task === null) return none;
    const { state } = await load(context, task);
    const sentBack = (await standingFindings(context, state)).map(findingText);
    return { ...none, happened: state.status !== 'submitted', task, status: state.status, sentBack };
  },
};

/** A holder that waits is not silent. */
async function stillThere(context: Context, { by, legs }: Visit, task: TaskId): Promise<void> {
  const { state, lease } = await load(context, task);
  const { leg } = state;
  const granted = legs.of(by, task);
  if (leg === null || !isSameHolder(leg.holder, by)) return;
  if ((granted ?? leg.generation) !== leg.generation) return;
  if ((lease?.until ?? 0) > context.clock.now() + leg.leaseMs / 2) return;
  await renew(context, { task, generation: leg.generation }, leg.leaseMs);
}

async function waitFor(
  visit: Visit,
  context: Context,
  { seconds, look }: { readonly seconds: number; readonly look: () => Promise<Found> },
): Promise<Found> {
  const { clock, store } = context;
  const begun = clock.now();
  const until = begun + seconds * 1000;
  let told = Number.NEGATIVE_INFINITY;
  for (;;) {
    const found = await look();
    const now = clock.now();
    if (found.happened || now >= until) return found;
    if (now - told >= progressMs) {
      told = now;
      await visit.progress(Math.round((now - begun) / 1000), seconds, 'waiting');
    }
    await clock.sleep(Math.min(pauseBetweenLooks(store, pollMs), until - now), visit.signal);
  }
}

function nextFor(
  what: WaitedFor,
  { happened, status, offered, messages }: Found,
  task: TaskId | null,
): string[] {
  if (!happened)
    return [askedFor('wait', { for: what, ...(task === null ? {} : { task }) }), 'or go on with other work'];
  const [offer] = offered;
  if (offer !== undefined) return [askedFor('take', { task: offer.task })];
  if (what === 'answer')
    return messages.length === 0
      ? [askedFor('status', { task })]
      : ['weigh it against the contract, do what it allows, and say so with note and seen'];
  return status === 'rework' ? [askedFor('take', { task })] : [];
}
