/** What a person can do with a task from outside, by how it stands; and the command that does the same. */
import type { RunAnswer } from '../../../src/server/contract/contract-looks.ts';
import type { Outcome } from '../../../src/server/contract/contract.ts';
import { isResting } from '../../../src/core/task/lapse.ts';
import { finalStatuses, isLeftOver, type Status } from '../../../src/core/task/state.ts';
import { restWords } from '../parts/clock.ts';
import { addressed } from '../parts/said.ts';
import { twinOf } from '../../../src/server/contract/twins.ts';
import type { Me } from '../shell/me.ts';

/** What a form has been told so far. */
export interface Wish {
  readonly why: string;
  readonly to: string;
  /** A lease, or a rest; 0 is until somebody says so. */
  readonly ms: number;
  readonly count: number;
  /** What is not in it stays as it was. */
  readonly caps: Caps;
}

export type Caps = NonNullable<RunAnswer['caps']>;

export interface Act {
  readonly name: string;
  /** On the button. */
  readonly title: string;
  /** What will happen, in a sentence. */
  readonly does: string;
  /** What was done, in a word or two. */
  readonly did: string;
  readonly verb: Me['verbs'][number];
  /** What the reason is called; absent where none is asked for. */
  readonly asks?: string;
  /** It goes without a reason as well. */
  readonly isTerse?: true;
  readonly to?: 'needed' | 'possible';
  readonly times?: readonly { readonly ms: number; readonly said: string }[];
  /** How many; what it is now. */
  readonly count?: number;
  /** What may be used, as it is now. */
  readonly caps?: Caps;
  /** Words that are a click away. */
  readonly presets?: readonly string[];
  /** It cannot be taken back. */
  readonly isFinal?: true;
  /** Below `/api/tasks/TASK`. */
  readonly path: string;
  readonly body: (wish: Wish) => object;
  readonly twin: (task: string, wish: Wish) => string;
}

const leases = [
  { ms: 600_000, said: '10m' },
  { ms: 1_800_000, said: '30m' },
  { ms: 7_200_000, said: '2h' },
  { ms: 28_800_000, said: '8h' },
];
const rests = [
  { ms: 0, said: 'until somebody continues it' },
  { ms: 3_600_000, said: 'for 1h' },
  { ms: 14_400_000, said: 'for 4h' },
  { ms: 43_200_000, said: 'for 12h' },
];

const whyOf = ({ why }: Wish): { readonly why: string } => ({ why });
const maybeWhy = ({ why }: Wish): { readonly why?: string } => (why.trim() === '' ? {} : { why });
const maybeTo = ({ to }: Wish): { readonly to?: string } => (to.trim() === '' ? {} : { to: to.trim() });
const acceptOf = ({ why }: Wish): { readonly accept?: string } => (why.trim() === '' ? {} : { accept: why });
const restOf = ({ ms }: Wish): { readonly forMs?: number } => (ms === 0 ? {} : { forMs: ms });
const reason = { verb: 'direct', asks: 'Reason', body: whyOf } as const;
const maybeReason = { verb: 'direct', asks: 'Reason, if you like', isTerse: true, body: maybeWhy } as const;

/** In the order in which they stand. `fits`: as the rules of a task have it; the server decides again, and says why where it refuses. */
const acts: readonly (Act & { readonly fits: (standing: Required<Omit<Standing, 'task'>>) => boolean })[] = [
  {
    ...reason,
    name: 'redrive',
    title: 'Offer again',
    did: 'Offered again',
    does: 'Offers the work again, and forgets its failed tries.',
    to: 'possible',
    path: 'redrive',
    body: (wish) => ({ why: wish.why, ...maybeTo(wish) }),
    twin: (task, wish) => twinOf('redrive', task, { why: wish.why, ...maybeTo(wish) }),
    fits: ({ status }) => status === 'escalated' || status === 'declined',
  },
  {
    ...maybeReason,
    name: 'continue',
    title: 'Continue',
    did: 'Continued',
    does: 'Offers it at once, to those it was for.',
    path: 'continue',
    twin: (task, wish) => twinOf('continue', task, maybeWhy(wish)),
    fits: ({ isResting }) => isResting,
  },
  {
    name: 'tell',
    title: 'Tell',
    did: 'Told',
    does: 'Leaves a message with the task, for its holder or the next one.',
    verb: 'tell',
    asks: 'Message',
    path: 'tell',
    body: ({ why }) => ({ text: why }),
    twin: (task, { why }) => twinOf('tell', task, { text: why }),
    fits: () => true,
  },
  {
    ...reason,
    name: 'extend',
    title: 'More time',
    did: 'Given more time',
    does: 'Gives the holder more time. The reason is left as a message.',
    times: leases,
    path: 'extend',
    body: ({ why, ms }) => ({ why, leaseMs: ms }),
    twin: (task, { why, ms }) => twinOf('extend', task, { why, leaseMs: ms }),
    fits: ({ status }) => status === 'held',
  },
  {
    ...reason,
    name: 'reassign',
    title: 'Give to …',
    did: 'Given',
    does: 'Offers the work to somebody else. Its holder loses it at once.',
    to: 'needed',
    path: 'reassign',
    body: (wish) => ({ why: wish.why, ...maybeTo(wish) }),
    twin: (task, { why, to }) => twinOf('reassign', task, { why, to: to.trim() === '' ? 'WHO' : to.trim() }),
    fits: ({ status }) => status !== 'submitted' && status !== 'approved',
  },
  {
    ...maybeReason,
    name: 'pause',
    title: 'Pause',
    did: 'Paused',
    does: 'Seals what is done, gives it back, and offers it again later.',
    times: rests,
    path: 'pause',
    body: (wish) => ({ ...maybeWhy(wish), ...restOf(wish) }),
    twin: (task, wish) => twinOf('pause', task, { ...maybeWhy(wish), ...restOf(wish) }),
    fits: ({ status, isResting }) => !isResting && ['held', 'offered', 'lapsed', 'rework'].includes(status),
  },
  {
    name: 'complete',
    title: 'It is done',
    did: 'Completed',
    does: 'Completes what somebody left, as it lies where this server was started. What proves it runs first, and may take a while.',
    verb: 'direct',
    isTerse: true,
    asks: 'What shows that it is done, if the task does not say it',
    path: 'complete',
    body: acceptOf,
    twin: (task, wish) => twinOf('complete', task, acceptOf(wish)),
    fits: isLeftOver,
  },
  {
    ...reason,
    name: 'escalate',
    title: 'Stop for a decision',
    did: 'Stopped',
    does: 'Stops the work until a person decides. Its holder loses it.',
    asks: 'What has to be decided',
    path: 'escalate',
    twin: (task, wish) => twinOf('escalate', task, whyOf(wish)),
    fits: ({ status }) => status !== 'escalated',
  },
  {
    ...reason,
    name: 'cancel',
    title: 'Cancel',
    did: 'Cancelled',
    does: 'Stops the task for good. It cannot be opened again.',
    isFinal: true,
    path: 'cancel',
    twin: (task, wish) => twinOf('cancel', task, whyOf(wish)),
    fits: () => true,
  },
];

/** What failed can be tried anew, or let be. */
const afterFailure: readonly Act[] = [
  {
    name: 'again',
    title: 'Try again',
    did: 'Opened again as a new task',
    does: 'Opens a new task with the same contract, for those it was for.',
    verb: 'direct',
    isTerse: true,
    to: 'possible',
    path: 'again',
    body: maybeTo,
    twin: (task, wish) => twinOf('again', task, maybeTo(wish)),
  },
  {
    name: 'let-be',
    title: 'Let it be',
    did: 'Taken off the list',
    does: 'Takes it off this list. The task and all that it holds stay as they are.',
    verb: 'direct',
    isTerse: true,
    path: 'let-be',
    body: () => ({}),
    twin: (task) => twinOf('let-be', task, {}),
  },
];

type May = (verb: Act['verb']) => boolean;

interface Standing {
  readonly task: string;
  readonly status: Status;
  /** Paused: it is offered later. */
  readonly isResting?: boolean;
  /** How often it was taken; unless told, nobody has worked on it. */
  readonly generation?: number;
}

export function actsFor(standing: Omit<Standing, 'task'>, may: May): readonly Act[] {
  const { status } = standing;
  if (status === 'failed') return afterFailure.filter(({ verb }) => may(verb));
  if (finalStatuses.includes(status)) return [];
  return acts.filter(({ fits, verb }) => fits({ isResting: false, generation: 0, ...standing }) && may(verb));
}

export function answerAct(decision: number, options: readonly string[]): Act {
  return {
    name: `answer ${decision}`,
    title: 'Answer',
    did: 'Answered',
    does: 'The answer is left with the task, for its holder or the next one.',
    verb: 'tell',
    asks: 'Answer',
    presets: options,
    path: 'answer',
    body: ({ why }) => ({ decision, answer: why }),
    twin: (task, { why }) => twinOf('answer', task, { decision, answer: why }),
  };
}

export function phaseAct(phase: string): Act {
  const body = ({ why }: Wish) => ({ phase, ...(why.trim() === '' ? {} : { why }) });
  return {
    name: `phase ${phase}`,
    title: `Approve ${phase}`,
    did: `Approved ${phase}`,
    does: `The phase ${phase} is approved, and the next one may start.`,
    verb: 'direct',
    asks: 'A remark for the record, if you like',
    isTerse: true,
    path: 'phase',
    body,
    twin: (task, wish) => twinOf('phase', task, body(wish)),
  };
}

/** What became of an effect: a person who found out says it. */
export function settleActs(effect: string): readonly Act[] {
  const bodyAs =
    (outcome: 'done' | 'failed') =>
    ({ why }: Wish) => ({ effect, outcome, ...(why.trim() === '' ? {} : { receipt: why }) });
  const settle = (outcome: 'done' | 'failed', title: string): Act => ({
    name: `settle ${outcome}`,
    title,
    did: `Recorded that ${effect} ${outcome === 'done' ? 'took place' : 'did not take place'}`,
    does: `It is on record that ${effect} ${outcome === 'done' ? 'took place' : 'did not take place'}. Find out first: the next holder relies on it.`,
    verb: 'direct',
    asks: 'How you know, or a receipt, if you like',
    isTerse: true,
    path: 'settle',
    body: bodyAs(outcome),
    twin: (task, wish) => twinOf('settle', task, bodyAs(outcome)(wish)),
  });
  return [settle('done', 'It took place'), settle('failed', 'It did not')];
}

/** What a run can be told. */
export function steerActs({ run, paused, parallel, caps }: RunAnswer): readonly Act[] {
  const steer = (name: string, title: string, does: string, more: (wish: Wish) => object): Act => ({
    ...reason,
    name,
    title,
    does,
    did: 'The run is told',
    path: 'steer',
    body: (wish) => ({ ...more(wish), why: wish.why }),
    twin: (task, wish) => twinOf('steer', task, { run, ...more(wish), why: wish.why }),
  });
  return [
    paused === null
      ? steer('steer-pause', 'Pause', 'Starts nothing more. What is worked on goes on.', () => ({
          paused: true,
        }))
      : steer('steer-resume', 'Resume', 'Goes on where it was.', () => ({ paused: false })),
    {
      ...steer(
        'steer-parallel',
        'How many at once',
        'So many agents work at the same time. None is stopped for it.',
        ({ count }) => ({ parallel: count }),
      ),
      count: parallel,
    },
    {
      ...steer(
        'steer-caps',
        'What it may use',
        'When all of the run has used as much, nothing more starts, and you are asked. What is left empty stays as it is.',
        (wish) => ({ caps: wish.caps }),
      ),
      caps: caps ?? {},
    },
    {
      ...reason,
      name: 'cancel-run',
      title: 'Cancel the run',
      did: 'Cancelled',
      does: 'Stops the run for good, with all of its tasks that are not over. What is integrated stays.',
      isFinal: true,
      path: 'cancel',
      twin: (task, wish) => twinOf('cancel', task, whyOf(wish)),
    },
  ];
}

/** Somebody has to say that it starts. */
export function startAct(to: string): Act {
  const body = ({ why }: Wish) => ({ to, why: why.trim() === '' ? 'It should start.' : why });
  return {
    name: 'start',
    title: 'Start',
    did: 'Started',
    does: `It is given to ${to}, and starts when there is room.`,
    verb: 'direct',
    asks: 'A remark for the record, if you like',
    isTerse: true,
    path: 'reassign',
    body,
    twin: (task, wish) => twinOf('reassign', task, body(wish)),
  };
}

/** Null where something is missing. Whom it is for is sent as it was typed: what a word means is decided where the command asks, too. */
export function bodyOf(act: Act, wish: Wish): object | null {
  return missingIn(act, wish) === null ? act.body(wish) : null;
}

/** What has to be filled in before it can be sent. */
export function missingIn({ isTerse, asks, to, caps }: Act, wish: Wish): string | null {
  if (to === 'needed' && wish.to.trim() === '') return 'To whom';
  if (isTerse !== true && wish.why.trim() === '') return asks ?? null;
  return caps !== undefined && Object.keys(wish.caps).length === 0 ? 'At least one number' : null;
}

/** With words in place of what is not said yet. */
export function commandOf(act: Act, task: string, wish: Wish): string {
  const why = wish.why.trim() === '' && act.isTerse !== true ? 'TEXT' : wish.why;
  return act.twin(task, { ...wish, why });
}

/** An offer says to whom: a word that was typed may mean a lane, a runtime or an agent. */
export function doneWords(
  { did, path }: Pick<Act, 'did' | 'path'>,
  { offeredTo, notBefore }: Pick<Outcome, 'offeredTo' | 'notBefore'>,
  now: number,
): string {
  if (offeredTo === null || !offering.has(path)) return `${did}.`;
  const rest = isResting(notBefore, now) ? ` ${restWords(notBefore, now)}` : '';
  return `${did}${rest}: ${rest === '' ? '' : 'then '}offered to ${addressed(offeredTo)}.`;
}

const offering = new Set(['redrive', 'continue', 'reassign', 'pause', 'again']);
