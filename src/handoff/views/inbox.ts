/** What waits for a person, whatever made it wait, each with the command that answers it: one list for every edge. */
import { defined } from '../../core/base/defined.ts';
import { joinCommand } from '../../core/base/command-line.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import type { Digest } from '../../core/journal/digest.ts';
import type { Event } from '../../core/journal/event.ts';
import type { Packet } from '../../core/packet/packet.ts';
import { isEmergency } from '../../core/packet/emergency.ts';
import type { Address } from '../../core/task/address.ts';
import { isPersonAddress } from '../../core/task/address-words.ts';
import { cardOf } from '../../core/task/card.ts';
import { isResting } from '../../core/task/lapse.ts';
import {
  finalStatuses,
  isFinal,
  statuses,
  takeableStatuses,
  waitingPhase,
  type Status,
  type TaskState,
} from '../../core/task/state.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { ListedCard } from '../../ports/journal.ts';
import type { Context } from '../record/context.ts';
import { isSilent } from '../record/silence.ts';
import { load } from '../record/load.ts';
import { unheardOffers, unheardWords, type OnOffer } from './unheard.ts';
import { remedyFor } from './ways-out.ts';

export const inboxKinds = [
  'question',
  'review',
  'phase',
  'effect',
  'dead',
  'escalated',
  'declined',
  'start',
  'give',
  'failed',
  'left',
] as const;

export interface InboxItem {
  readonly kind: (typeof inboxKinds)[number];
  readonly task: ListedCard['task'];
  readonly title: string;
  readonly status: Status;
  /** What is asked, or what happened. */
  readonly text: string;
  /** Of a question: its number, and what may be answered. */
  readonly decision?: number;
  readonly options?: readonly string[];
  /** That waits for an approval. */
  readonly phase?: string;
  /** Of unknown outcome. */
  readonly effect?: string;
  /** Of work that was handed in: what a verdict binds to. */
  readonly packet?: Digest;
  /** Of work that somebody has to say starts: whom it would go to. */
  readonly to?: Address;
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

/** Who stopped, and whether that was because it has used up what it may. */
export interface StoppedAgent {
  readonly agent: string;
  readonly isSpent: boolean;
}

/** In which program what somebody left goes on best; undefined where none is installed. */
export type GoesOnIn = (stopped: StoppedAgent) => string | undefined;

/** In the order of `inboxKinds`, the oldest first. Of more than a page of open tasks the oldest are looked into. */
export async function inboxOf(
  context: Context,
  goesOnIn: GoesOnIn = () => undefined,
): Promise<readonly InboxItem[]> {
  const now = context.clock.now();
  const items: InboxItem[] = [];
  const open = { statuses: standing, oldestFirst: true, limit: limits.pageMax, onDamaged: () => {} };
  for (const card of (await context.store.catalog.list(open)).cards)
    if (!isUntouched(card)) items.push(...(await itemsOf(context, card, { now, goesOnIn })));
  const over = { statuses: ['failed'] as const, limit: 20, onDamaged: () => {} };
  for (const card of (await context.store.catalog.list(over)).cards)
    if (card.updatedAt > now - failedMs) items.push(...(await itemsOf(context, card, { now, goesOnIn })));
  items.push(...(await unheardOffers(context)).map(unheard));
  return items.toSorted(inboxOrder);
}

export function inboxOrder(a: InboxItem, b: InboxItem): number {
  return inboxKinds.indexOf(a.kind) - inboxKinds.indexOf(b.kind) || a.since - b.since;
}

function unheard(state: OnOffer): InboxItem {
  const { task, status, offer } = state;
  const { title } = cardOf(state);
  const command = redrive(task);
  const text = unheardWords(state);
  return { kind: 'dead', task, title, status, text, since: offer.at, command, others: [drop(task)] };
}

function redrive(task: TaskId): string {
  return `staffetta dead ${task} --again --why WHY`;
}

function drop(task: TaskId): string {
  return `staffetta cancel ${task} --why WHY`;
}

/** Work with a phase that a person has to approve, held or not. Of what nobody holds, the oldest are looked through. */
export async function phasesForPeople(context: Context): Promise<readonly ListedCard[]> {
  const found: ListedCard[] = [];
  for (const waiting of [['held'], takeableStatuses] as const) {
    const query = { statuses: waiting, oldestFirst: true, limit: limits.pageMax, onDamaged: () => {} };
    const { cards } = await context.store.catalog.list(query);
    found.push(...cards.filter((card) => card.person === true));
  }
  return found;
}

/** Nobody has held it, and nobody asks anything: its card says enough, and a long queue costs one list. */
function isUntouched({ generation, waiting, status }: ListedCard): boolean {
  return generation === 0 && waiting === 0 && ['open', 'offered', 'blocked'].includes(status);
}

async function itemsOf(
  context: Context,
  card: ListedCard,
  { now, goesOnIn }: { readonly now: number; readonly goesOnIn: GoesOnIn },
): Promise<InboxItem[]> {
  try {
    const { state, lease } = await load(context, card.task);
    const at = { until: lease?.until ?? null, now, goesOnIn };
    const found = [...(await asked(context, state)), ...(await stopped(context, state, at))];
    const { task, title } = card;
    const { status, updatedAt: since } = state;
    const folder = found.some(({ kind }) => kind === 'left') ? await leftIn(context, state) : undefined;
    const about = { task, title, status, since, others: [], ...defined({ folder }) };
    return found.map((item) => ({ ...about, ...item }));
  } catch (error) {
    // One that is gone or damaged must not hide the others; the list of tasks names it.
    if (!isStaffettaError(error)) throw error;
    return [];
  }
}

async function leftIn(context: Context, state: TaskState): Promise<string | undefined> {
  return (await packetOf(context, state))?.facts?.workspace?.root;
}

async function packetOf(context: Context, { packet }: TaskState): Promise<Packet | undefined> {
  if (packet === null) return undefined;
  const { readCheckedPacket } = await import('../history/history.ts');
  return await readCheckedPacket(context, packet);
}

/** The program in which somebody worked, where what they sealed says so; else their name, which may be that of a program. */
async function workedIn(context: Context, state: TaskState, agent: string): Promise<string> {
  const from = (await packetOf(context, state))?.from;
  return (from?.name === agent ? from.runtime : undefined) ?? agent;
}

type Found = Pick<InboxItem, 'kind' | 'text' | 'command'> &
  Partial<Pick<InboxItem, 'since' | 'others' | 'decision' | 'options' | 'phase' | 'effect' | 'packet'>>;

/** Something has to be said before it goes on as it should. */
async function asked(context: Context, state: TaskState): Promise<Found[]> {
  const { task, raised, effects, submission } = state;
  if (isFinal(state)) return [];
  const phase = waitingPhase(state);
  const questions =
    raised.length === 0 ? [] : await (await import('../history/remarks.ts')).openQuestions(context, state);
  return [
    ...questions
      .filter(({ owner }) => owner === null || isPersonAddress(owner))
      .map(({ decision, question, options }) => ({
        kind: 'question' as const,
        text: question,
        decision,
        options,
        command: `staffetta decide ${task} "ANSWER" --answer ${decision}`,
        others: options.map((option) =>
          joinCommand(['staffetta', 'decide', task, option, '--answer', String(decision)]),
        ),
      })),
    ...(state.status === 'submitted'
      ? [
          {
            kind: 'review' as const,
            text: `${submission?.by ?? 'Somebody'} handed it in.`,
            command: `staffetta review ${task}`,
            others: [
              `staffetta review ${task} --approve --why WHY`,
              `staffetta review ${task} --send-back CHANGE`,
            ],
            ...defined({ packet: submission?.packet ?? undefined }),
          },
        ]
      : []),
    ...(phase === undefined
      ? []
      : [
          {
            kind: 'phase' as const,
            text: `Phase ${phase} waits for an approval.`,
            phase,
            since: state.phases.find(({ name }) => name === phase)?.at ?? state.updatedAt,
            command: joinCommand(['staffetta', 'phase', 'approve', task, phase]),
          },
        ]),
    ...effects
      .filter(({ unknown }) => unknown)
      .map(({ effect }) => ({
        kind: 'effect' as const,
        effect,
        text: `Nobody knows whether ${effect} took place: find out, and say it.`,
        command: joinCommand(['staffetta', 'settle', task, effect, '--done']),
        others: [joinCommand(['staffetta', 'settle', task, effect, '--failed'])],
      })),
  ];
}

/** Nobody goes on with it by itself. */
async function stopped(
  context: Context,
  state: TaskState,
  {
    until,
    now,
    goesOnIn,
  }: { readonly until: number | null; readonly now: number; readonly goesOnIn: GoesOnIn },
): Promise<Found[]> {
  const { task, status, dead, escalation, leg, offer, custody } = state;
  const anew = `staffetta offer ${task} --to WHO`;
  if (status === 'escalated') {
    const remedy = remedyFor(state)?.command;
    const again = redrive(task);
    return [
      {
        ...(dead === null
          ? {
              kind: 'escalated',
              text: escalation?.text ?? 'It was escalated.',
              since: escalation?.at ?? state.updatedAt,
            }
          : { kind: 'dead', text: dead.why, since: dead.at }),
        command: remedy ?? again,
        others: [...(remedy === undefined ? [] : [again]), anew, drop(task)],
      },
    ];
  }
  if (status === 'declined') {
    const text = (await lastWords(context, state, 'offer-declined')) ?? 'It was declined.';
    return [{ kind: 'declined', text, command: anew, others: [drop(task)] }];
  }
  if (status === 'failed') {
    const text = (await lastWords(context, state, 'task-failed')) ?? 'It failed.';
    const [command = '', ...others] = afterFailure(state);
    return [{ kind: 'failed', text, command, others }];
  }
  const run = state.steering?.plan;
  const goesOn = async (agent: string, isSpent = false): Promise<string> => {
    if (run !== undefined) return await goesOnWithRun(context, run);
    const program = goesOnIn({ agent, isSpent });
    return program === undefined ? `staffetta brief ${task}` : `staffetta resume ${task} --in ${program}`;
  };
  const isAlone = run === undefined && goesOnIn({ agent: '', isSpent: false }) === undefined;
  const lacking = isAlone ? ' No coding agent is installed here to go on in: install one.' : '';
  if (leg !== null && until !== null && isSilent(context, { ...state, leaseUntil: until }))
    return [
      {
        kind: 'left',
        text: `${leg.holder.name} fell silent.${lacking}`,
        since: until,
        command: await goesOn(leg.holder.runtime ?? leg.holder.name),
        others: [drop(task)],
      },
    ];
  const completed = run === undefined ? [`staffetta complete ${task}`] : [];
  // Recorded or not, a lapse changes nothing for a person: it is left until somebody goes on.
  if (status === 'lapsed' && offer !== null)
    return [
      {
        kind: 'left',
        text: `${custody?.agent ?? offer.by} fell silent, and nobody has gone on since.${lacking}`,
        since: offer.at,
        command: await goesOn(await workedIn(context, state, custody?.agent ?? offer.by)),
        others: [...completed, drop(task)],
      },
    ];
  const isLeft =
    offer?.cause === 'handoff' &&
    !isResting(offer.notBefore, now) &&
    (offer.trigger === 'user' || isEmergency(offer.trigger ?? 'planned'));
  if (status === 'offered' && isLeft) {
    const agent = custody?.agent ?? offer.by;
    // A person who looked at it as its reviewer has given it back.
    const isGivenBack = custody?.kind === 'human' && custody.lane === 'audit';
    const meant = offer.to.startsWith('runtime:') ? offer.to.slice('runtime:'.length) : undefined;
    return [
      {
        kind: 'left',
        text: `${isGivenBack ? 'It is not done after all' : `${agent} stopped`}, and nobody has gone on since.${lacking}`,
        since: offer.at,
        command:
          meant === undefined
            ? await goesOn(await workedIn(context, state, agent), offer.trigger === 'usage-limit')
            : await goesOn(meant),
        others: [...completed, drop(task)],
      },
    ];
  }
  return [];
}

/** It is over: what is left is to go on from it in a task of its own, to try it anew, or to let it be. */
function afterFailure({ task, steering, packet }: TaskState): string[] {
  const rest = [`staffetta inbox --let-be ${task}`, `staffetta log ${task}`];
  if (steering !== undefined) return ['staffetta run PLAN --name NEW-NAME', ...rest];
  const again = `staffetta open --again ${task}`;
  // Without a packet there is nothing that another could go on from.
  return packet === null
    ? [again, ...rest]
    : [`staffetta fork ${task} --at latest --why WHY`, again, ...rest];
}

async function goesOnWithRun(context: Context, plan: Digest): Promise<string> {
  const [{ parseRunDocument }, { readBlob }] = await Promise.all([
    import('../../core/plan/run-document.ts'),
    import('../history/history.ts'),
  ]);
  return joinCommand(['staffetta', 'run', '--name', parseRunDocument(await readBlob(context, plan)).name]);
}

/** Messages may have been written since; not many. */
const lookBack = 64;

/** What was said when it last came to that. */
async function lastWords(
  context: Context,
  { task, seq }: TaskState,
  type: Event['type'],
): Promise<string | undefined> {
  const { openEntry } = await import('../../core/journal/sealed.ts');
  const from = Math.max(0, seq - lookBack + 1);
  const page = await context.store.journal.read(task, from, seq - from + 1);
  for (const stored of page.toReversed()) {
    const event = openEntry(stored).events.findLast((one) => one.type === type);
    if (event?.type === 'offer-declined') return event.reasons.join('; ');
    if (event?.type === 'task-failed') return event.why;
  }
  return undefined;
}
