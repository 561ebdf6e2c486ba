/** What waits for a person, whatever made it wait, each with the command that answers it: one list for every edge. */
import { defined } from '../../core/base/defined.ts';
import { joinCommand } from '../../core/base/command-line.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import { openEntry } from '../../core/journal/sealed.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import { isPersonAddress } from '../../core/task/address-words.ts';
import { isLapsed } from '../../core/task/lapse.ts';
import {
  finalStatuses,
  isFinal,
  statuses,
  waitingPhase,
  type Status,
  type TaskState,
} from '../../core/task/state.ts';
import type { ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { readCheckedPacket } from '../history/history.ts';
import { load } from '../record/load.ts';
import { remedyFor } from './ways-out.ts';

export const inboxKinds = [
  'question',
  'review',
  'phase',
  'effect',
  'escalated',
  'declined',
  'failed',
  'left',
] as const;

export interface InboxItem {
  readonly kind: (typeof inboxKinds)[number];
  readonly task: ListedCard['task'];
  readonly title: string;
  /** What is asked, or what happened. */
  readonly text: string;
  readonly since: number;
  /** Answers it. Capitals stand for what a person fills in. */
  readonly command: string;
  /** So do these, in other ways. */
  readonly others: readonly string[];
  /** Where the work was left, on the machine that sealed it; the commands are meant there. */
  readonly folder?: string;
}

/** What failed is over: it is told for so long. */
const failedMs = 7 * 24 * 3_600_000;
const standing: readonly Status[] = statuses.filter((status) => !finalStatuses.includes(status));

/** In the order of `inboxKinds`, the oldest first. Of more than a page of open tasks the oldest are looked into. */
export async function inboxOf(context: Context): Promise<readonly InboxItem[]> {
  const now = context.clock.now();
  const items: InboxItem[] = [];
  const open = { statuses: standing, oldestFirst: true, limit: limits.pageMax, onDamaged: () => {} };
  for (const card of (await context.store.catalog.list(open)).cards)
    items.push(...(await itemsOf(context, card, now)));
  const over = { statuses: ['failed'] as const, limit: 20, onDamaged: () => {} };
  for (const card of (await context.store.catalog.list(over)).cards)
    if (card.updatedAt > now - failedMs) items.push(await failed(context, card));
  return items.toSorted(
    (a, b) => inboxKinds.indexOf(a.kind) - inboxKinds.indexOf(b.kind) || a.since - b.since,
  );
}

function about({ task, title, updatedAt }: ListedCard): Pick<InboxItem, 'task' | 'title' | 'since'> {
  return { task, title, since: updatedAt };
}

/** It is over: what is left is to go on from it in a task of its own, or to let it be. */
async function failed(context: Context, card: ListedCard): Promise<InboxItem> {
  const { task } = card;
  const { state } = await load(context, task);
  const [last] = await context.store.journal.read(task, state.seq, 1);
  const whys =
    last === undefined ? [] : openEntry(last).events.map((event) => ('why' in event ? event.why : ''));
  const why = whys.find((words) => typeof words === 'string' && words !== '');
  return {
    ...about(card),
    kind: 'failed',
    text: `It failed${why === undefined ? '' : `: ${why}`}`,
    ...(state.steering === undefined
      ? { command: `staffetta fork ${task} --at latest --why WHY`, others: [`staffetta log ${task}`] }
      : { command: 'staffetta run PLAN --name NEW-NAME', others: [`staffetta log ${task}`] }),
  };
}

async function itemsOf(context: Context, card: ListedCard, now: number): Promise<InboxItem[]> {
  try {
    const { state, lease } = await load(context, card.task);
    const found = [...asked(state), ...stopped(state, { until: lease?.until ?? null, now })];
    const folder = found.some(({ kind }) => kind === 'left') ? await leftIn(context, state) : undefined;
    return found.map((item) => ({ ...about(card), others: [], ...item, ...defined({ folder }) }));
  } catch (error) {
    // One that is gone or damaged must not hide the others; the list of tasks names it.
    if (!isStaffettaError(error)) throw error;
    return [];
  }
}

async function leftIn(context: Context, { packet }: TaskState): Promise<string | undefined> {
  return packet === null ? undefined : (await readCheckedPacket(context, packet)).facts?.workspace?.root;
}

type Found = Pick<InboxItem, 'kind' | 'text' | 'command'> & Partial<Pick<InboxItem, 'since' | 'others'>>;

/** Something has to be said before it goes on as it should. */
function asked(state: TaskState): Found[] {
  const { task, raised, effects, submission } = state;
  const phase = isFinal(state) ? undefined : waitingPhase(state);
  return [
    ...raised
      .filter(({ owner }) => owner === null || isPersonAddress(owner))
      .map(({ decision, question }) => ({
        kind: 'question' as const,
        text: question,
        command: `staffetta decide ${task} "ANSWER" --answer ${decision}`,
      })),
    ...(state.status === 'submitted'
      ? [
          {
            kind: 'review' as const,
            text: `${submission?.by ?? 'Somebody'} handed it in.`,
            command: `staffetta review ${task}`,
          },
        ]
      : []),
    ...(phase === undefined
      ? []
      : [
          {
            kind: 'phase' as const,
            text: `Phase ${phase} waits for an approval.`,
            command: joinCommand(['staffetta', 'phase', 'approve', task, phase]),
          },
        ]),
    ...effects
      .filter(({ unknown }) => unknown)
      .map(({ effect }) => ({
        kind: 'effect' as const,
        text: `Nobody knows whether ${effect} took place: find out, and say it.`,
        command: joinCommand(['staffetta', 'settle', task, effect, '--done']),
        others: [joinCommand(['staffetta', 'settle', task, effect, '--failed'])],
      })),
  ];
}

/** Nobody goes on with it by itself. */
function stopped(
  state: TaskState,
  { until, now }: { readonly until: number | null; readonly now: number },
): Found[] {
  const { task, status, escalation, leg, offer, custody } = state;
  const drop = `staffetta cancel ${task} --why WHY`;
  if (status === 'escalated') {
    const remedy = remedyFor(state)?.command;
    const again = `staffetta dead ${task} --redrive --why WHY`;
    return [
      {
        kind: 'escalated',
        text: escalation?.text ?? 'It was escalated.',
        since: escalation?.at ?? state.updatedAt,
        command: remedy ?? again,
        others: [...(remedy === undefined ? [] : [again]), `staffetta offer ${task} --to WHO`, drop],
      },
    ];
  }
  if (status === 'declined')
    return [
      {
        kind: 'declined',
        text: 'It was declined.',
        command: `staffetta offer ${task} --to WHO`,
        others: [drop],
      },
    ];
  const goesOn = `staffetta resume ${task} --in PROGRAM`;
  const others = [`staffetta complete ${task}`, drop];
  if (leg !== null && until !== null && isLapsed({ status, leaseUntil: until }, now))
    return [
      {
        kind: 'left',
        text: `${leg.holder.name} fell silent.`,
        since: until,
        command: goesOn,
        others: [drop],
      },
    ];
  const isLeft =
    offer?.cause === 'handoff' &&
    (offer.notBefore ?? 0) <= now &&
    (offer.trigger === 'user' || isEmergency(offer.trigger ?? 'planned'));
  if (status === 'offered' && isLeft)
    return [
      {
        kind: 'left',
        text: `${custody?.agent ?? offer.by} stopped, and nobody has gone on since.`,
        since: offer.at,
        command: offer.to.startsWith('runtime:')
          ? goesOn.replace('PROGRAM', offer.to.slice('runtime:'.length))
          : goesOn,
        others,
      },
    ];
  return [];
}
