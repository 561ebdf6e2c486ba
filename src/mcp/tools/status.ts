import * as z from 'zod/mini';
import { isSameHolder, type Actor } from '../../core/task/actor.ts';
import { sanitizeLine } from '../../core/base/sanitize.ts';
import { offeredStatuses, type TaskState } from '../../core/task/state.ts';
import type { PassedOver } from '../../handoff/record/damage.ts';
import { load } from '../../handoff/record/load.ts';
import { lookAround } from '../../desk/around.ts';
import { readStanding } from '../../handoff/views/standing-contract.ts';
import { waitingMessages } from '../../handoff/verbs/outside.ts';
import { openQuestions } from '../../handoff/history/remarks.ts';
import type { ListedCard } from '../../ports/journal.ts';
import { quoted, type ToolAnswer } from '../words/answer.ts';
import { messageText } from '../briefing.ts';
import { isNativeSession } from '../../desk/speaker.ts';
import { askedFor } from '../words/next-calls.ts';
import { timeOf } from '../words/outcome.ts';
import { Foreign, taskArgument } from '../schema.ts';
import { annotations, tool } from '../tool.ts';
import { visitTask, type Visit } from '../visit.ts';

const Card = z.strictObject({
  task: z.string(),
  title: Foreign,
  status: z.string(),
  lane: z.nullable(z.string()),
  holder: z.nullable(z.string()),
  offeredTo: z.nullable(z.string()),
  leaseUntil: z.nullable(z.string()),
  /** Questions and messages that wait with it. */
  waiting: z.int(),
});
type Card = z.output<typeof Card>;

const One = z.strictObject({
  task: z.string(),
  title: Foreign,
  goal: Foreign,
  status: z.string(),
  generation: z.int(),
  yours: z.boolean(),
  acknowledged: z.boolean(),
  lane: z.nullable(z.string()),
  holder: z.nullable(z.string()),
  offeredTo: z.nullable(z.string()),
  leaseUntil: z.nullable(z.string()),
  packet: z.nullable(z.string()),
  certification: z.nullable(z.string()),
  messages: z.array(z.strictObject({ entry: z.int(), from: z.string(), text: Foreign })),
  questions: z.array(z.strictObject({ decision: z.int(), question: Foreign, owner: z.nullable(z.string()) })),
  /** Why only a person may approve it. */
  demands: z.array(Foreign),
});

const output = z.strictObject({
  you: z.strictObject({
    name: z.string(),
    runtime: z.nullable(z.string()),
    session: z.nullable(z.string()),
    lane: z.nullable(z.string()),
  }),
  store: z.strictObject({ path: z.string(), exists: z.boolean() }),
  holding: z.array(Card),
  offered: z.array(Card),
  /** For a person: review, or a decision. */
  waiting: z.array(Card),
  /** Tasks that cannot be read, and are left out. */
  damaged: z.array(z.string()),
  /** The task that was asked for. */
  about: z.nullable(One),
  next: z.array(z.string()),
});
type Output = z.output<typeof output>;

const shownMax = 20;

export const status = tool({
  name: 'status',
  title: 'Where the work stands',
  description:
    'Who you are, what you hold, what is on offer to you and what waits for a person; with task, how that one stands. Call it first.',
  annotations: annotations.reads,
  input: z.strictObject({ task: taskArgument }),
  output,
  run: async ({ task }, visit): Promise<ToolAnswer<Output>> => {
    const { by, place } = visit;
    const you = {
      name: by.name,
      runtime: by.runtime ?? null,
      session: isNativeSession(by.session) ? by.session : null,
      lane: by.lane ?? null,
    };
    const store = { path: place.store, exists: place.exists() };
    if (!store.exists && task === undefined) return noStore({ you, store });
    const about = task === undefined ? null : await oneOf(visit, task);
    const lists = await listsFor(visit);
    const next = about === null ? nextCalls(lists) : nextFor(about);
    const data = { you, store, ...lists, about, next };
    return { data, text: textOf(data) };
  },
});

function noStore(known: Pick<Output, 'you' | 'store'>): ToolAnswer<Output> {
  const next = [askedFor('open', { goal: 'TEXT', acceptance: ['TEXT'] })];
  return {
    data: { ...known, holding: [], offered: [], waiting: [], damaged: [], about: null, next },
    text: `You are ${known.you.name}. There is no store yet; the first task creates it. Next: ${next.join('; ')}`,
  };
}

type Lists = Pick<Output, 'holding' | 'offered' | 'waiting' | 'damaged'>;

async function listsFor({ by, place }: Visit): Promise<Lists> {
  const passed: PassedOver = new Map();
  const { holding, offered, waiting } = await lookAround(await place.context(), by, {
    most: shownMax,
    passed,
  });
  return {
    holding: holding.map(statusCard),
    offered: offered.map(statusCard),
    waiting: waiting.map(statusCard),
    damaged: [...passed.keys()],
  };
}

export function statusCard({
  task,
  title,
  status: at,
  lane,
  holder,
  to,
  leaseUntil,
  waiting,
}: ListedCard): Card {
  return {
    task,
    title,
    status: at,
    lane,
    holder,
    offeredTo: to,
    leaseUntil: timeOf(leaseUntil),
    waiting,
  };
}

export { Card };

async function oneOf(visit: Visit, given: string): Promise<z.output<typeof One>> {
  const task = await visitTask(visit, given);
  const context = await visit.place.context();
  const { state, lease } = await load(context, task);
  const { goal } = await readStanding(context, state);
  const messages = state.unread.length === 0 ? [] : await waitingMessages(context, task);
  const questions = await openQuestions(context, state);
  return {
    task,
    title: state.terms.title,
    goal,
    status: state.status,
    generation: state.generation,
    yours: isTheirs(state, visit.by),
    acknowledged: state.leg?.acknowledged ?? false,
    lane: state.leg?.lane ?? state.offer?.lane ?? null,
    holder: state.leg?.holder.name ?? null,
    offeredTo: state.offer?.to ?? null,
    leaseUntil: timeOf(lease?.until ?? null),
    packet: state.packet,
    certification: state.sealed?.certification ?? null,
    messages: messages.map((message) => ({
      entry: message.seq,
      from: message.from,
      text: messageText(message),
    })),
    questions: questions.map(({ decision, question, owner }) => ({ decision, question, owner })),
    demands: [...state.demands],
  };
}

function isTheirs({ leg }: TaskState, by: Actor): boolean {
  return leg !== null && isSameHolder(leg.holder, by);
}

function nextFor({ task, status: at, yours, acknowledged, messages }: z.output<typeof One>): string[] {
  if (yours && !acknowledged)
    return [askedFor('take', { task, acknowledge: { goal: 'TEXT', gate: 'TEXT', next: 'TEXT' } })];
  const last = messages.at(-1);
  if (yours && last !== undefined)
    return [askedFor('note', { task, text: 'what you do about it', seen: last.entry })];
  if (yours) return [askedFor('seal', { task })];
  if (offeredStatuses.includes(at as TaskState['status'])) return [askedFor('take', { task })];
  return at === 'submitted' ? [askedFor('wait', { task, for: 'review' })] : [];
}

function nextCalls({ holding, offered }: Pick<Output, 'holding' | 'offered'>): string[] {
  const [held] = holding;
  const [offer] = offered;
  if (held !== undefined) return [askedFor('status', { task: held.task })];
  return offer === undefined
    ? [askedFor('open', { goal: 'TEXT', acceptance: ['TEXT'] })]
    : [askedFor('take', { task: offer.task })];
}

function lines(what: string, cards: readonly Card[]): string[] {
  return cards.length === 0
    ? []
    : [`${what}:`, ...cards.map((card) => `- ${card.task} (${card.status}) ${card.title}`)];
}

function textOf({ you, holding, offered, waiting, damaged, about, next }: Output): string {
  const lists = [
    ...lines('You hold', holding),
    ...lines('On offer to you', offered),
    ...lines('Waiting for a person', waiting),
  ].join('\n');
  const one =
    about === null
      ? ''
      : `${about.task} is ${about.status}${about.holder === null ? '' : `, held by ${about.holder}`}, generation ${about.generation}.`;
  const said =
    about === null ? '' : [`goal: ${about.goal}`, ...about.messages.map(({ text }) => text)].join('\n');
  return [
    `You are ${sanitizeLine(you.name)}.`,
    one,
    said === '' ? '' : quoted('What was said', said),
    lists === '' ? 'You hold nothing, and nothing is on offer to you.' : quoted('Tasks', lists),
    damaged.length === 0
      ? ''
      : `Damaged, and left out: ${damaged.join(', ')}. A person should run: staffetta verify`,
    ...next.map((call) => `Next: ${call}`),
  ]
    .filter((part) => part !== '')
    .join('\n');
}
