import { isAddressedTo } from '../../../core/task/address.ts';
import { cardOf } from '../../../core/task/card.ts';
import { isResting } from '../../../core/task/lapse.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { isFinal } from '../../../core/task/state.ts';
import type { ListedCard } from '../../../ports/journal.ts';
import { explained, sayEscalations } from '../../pages/escalation.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import { latestSessions, type LatestSession } from '../../call/latest-session.ts';
import { workedWords } from '../../pages/resume-page.ts';
import type { Session } from '../../call/session.ts';
import { wrap } from '../../frame/width.ts';
import { next, sayDamaged } from '../../pages/words.ts';
import { load } from '../../../handoff/record/load.ts';
import { tasksOfSession } from '../../../handoff/sessions/session-task.ts';
import type { Context } from '../../../handoff/record/context.ts';
import type { DamagedTask } from '../../../handoff/record/damage.ts';
import { lapseExpired } from '../../../handoff/verbs/recover.ts';
import { offersFor } from '../../../handoff/views/offers.ts';
import { wholeInbox } from '../../../desk/crew/run-inbox.ts';
import { phasesForPeople } from '../../../handoff/views/inbox.ts';
import { inboxPart } from './inbox.ts';
import { cardTable } from './ls.ts';

const shownMax = 10;
const inboxMax = 5;
const offersMax = 200;

/** `staffetta` alone: where you are, and what to do next. */
export async function run(session: Session): Promise<number> {
  const { output, located, actor } = session;
  const path = session.store.shown;
  const who = `${actor.name} (${actor.kind}${actor.lane === undefined ? '' : `, ${actor.lane} lane`})`;
  const recent = actor.kind === 'human' ? await latestSessions(session.env) : [];
  const [latest] = recent;
  const worked = recent
    .map(({ card, condition }) => wrap(workedWords(card, condition, Date.now()), output.width))
    .join('\n');
  const data = {
    store: path,
    exists: session.storeExists,
    actor,
    session: latest === undefined ? null : sessionData(latest),
  };
  if (!session.storeExists) {
    output.data(data, () =>
      latest === undefined
        ? wrap(
            `No coding agent has worked in this folder, and there is no task. The first one creates a store at ${line(path)} (${located.because}).`,
            output.width,
          )
        : worked,
    );
    const goOn = recent.map(({ command }) => command);
    next(
      output,
      ...(latest === undefined ? ['staffetta open "what should be done"'] : goOn),
      'staffetta --help',
    );
    return exits.ok;
  }
  const context = await session.context();
  const { store, clock } = context;
  const now = clock.now();
  const damaged = new Map<TaskId, DamagedTask>();
  const onDamaged = (one: DamagedTask): unknown => damaged.set(one.task, one);
  const mine = (await store.catalog.list({ holder: actor.name, limit: shownMax, onDamaged })).cards;
  const to = actor.kind === 'human' ? undefined : actor;
  const offered = await offersFor(context, to, { most: offersMax, passed: damaged });
  const silent = await takeable(context, session, damaged);
  const inbox = actor.kind === 'human' ? await wholeInbox(context) : [];
  // With its commands there, and not a second time here.
  const needing = new Set(inbox.map(({ task }) => task));
  const others = offered.filter(({ task }) => !needing.has(task));
  const asking = await store.catalog.list({
    statuses: ['submitted', 'escalated', 'declined'],
    oldestFirst: true,
    limit: shownMax,
    onDamaged,
  });
  const waiting = await explained(context, [...asking.cards, ...(await phasesForPeople(context))]);
  output.data({ ...data, holding: mine, offered, silent, waiting, inbox }, () =>
    [
      worked,
      wrap(`You are ${who}. Store: ${line(path)} (${located.because}).`, output.width),
      inbox.length === 0
        ? ''
        : `${output.paint.bold('Needs you')}\n${inboxPart(inbox, output, { most: inboxMax })}`,
      part('You hold', mine, session, now),
      part(actor.kind === 'human' ? 'On offer' : 'On offer to you', others, session, now),
      part('Held by somebody who fell silent, and yours to take', silent, session, now),
      actor.kind === 'human' ? '' : part('Waiting for a person', waiting, session, now),
      mine.length + offered.length + silent.length + waiting.length + inbox.length === 0
        ? 'Nothing is waiting for you.'
        : '',
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  );
  sayEscalations(waiting, output);
  next(
    output,
    ...(latest === undefined || (await isTold(context, latest)) ? [] : recent.map(({ command }) => command)),
    ...suggestions(session, mine, { offered: [...others, ...silent], waiting, inbox: inbox.length }),
  );
  return sayDamaged([...damaged.values()], output);
}

/** What it worked on is over, or is a task that goes on by itself: its own command is told. */
async function isTold(context: Context, { card }: LatestSession): Promise<boolean> {
  const [task] = (await tasksOfSession(context, card)).toReversed();
  if (task === undefined) return false;
  const { state } = await load(context, task);
  return isFinal(state) || state.offer !== null;
}

/** Without what was said in it: that may hold a secret. */
function sessionData({ card, condition, command }: LatestSession): Record<string, unknown> {
  const { runtime, id, updatedAt, liveness } = card;
  return {
    runtime,
    id,
    updatedAt,
    liveness,
    stopped: condition?.stopped ?? null,
    settled: condition?.settled ?? null,
    command,
  };
}

/** What `take` would give them because the lease of its holder is over: it is on offer as soon as somebody asks. */
async function takeable(
  context: Context,
  session: Session,
  damaged: Map<TaskId, DamagedTask>,
): Promise<ListedCard[]> {
  const now = context.clock.now();
  const lapsed = await lapseExpired(context, { dryRun: true, passed: damaged });
  const ours = new Set(
    lapsed
      .map(({ state }) => cardOf(state))
      .filter((card) => concerns(card, session) && !isResting(card.notBefore, now))
      .map(({ task }) => task),
  );
  if (ours.size === 0) return [];
  const { cards } = await context.store.catalog.list({ leaseBefore: now, limit: 200 });
  return cards.filter(({ task, holder }) => ours.has(task) && holder !== session.actor.name);
}

function concerns({ to, lane }: Pick<ListedCard, 'to' | 'lane'>, { actor }: Session): boolean {
  if (to === null || lane === null) return false;
  return actor.kind === 'human' || isAddressedTo(to, lane, actor);
}

function part(title: string, cards: readonly ListedCard[], session: Session, now: number): string {
  if (cards.length === 0) return '';
  const more = cards.length > shownMax ? `\n  and ${cards.length - shownMax} more` : '';
  return `${session.output.paint.bold(title)}\n${cardTable(cards.slice(0, shownMax), session, now)}${more}`;
}

/** What is offered to a program goes on there; a person cannot take it in its place. */
function takenBy({ task, to, lane }: ListedCard, actor: Session['actor']): string {
  if (to === null || lane === null || isAddressedTo(to, lane, actor)) return `staffetta take ${task}`;
  return to.startsWith('runtime:')
    ? `staffetta resume ${task} --in ${to.slice('runtime:'.length)}`
    : `staffetta show ${task}`;
}

interface Waiting {
  readonly offered: readonly ListedCard[];
  readonly waiting: readonly ListedCard[];
  /** How many need a person. */
  readonly inbox: number;
}

function suggestions(
  { actor }: Session,
  mine: readonly ListedCard[],
  { offered, waiting, inbox }: Waiting,
): string[] {
  const [held] = mine;
  const [offer] = offered;
  const review = waiting.find((card) => card.status !== 'escalated');
  const lines: string[] = [];
  if (held !== undefined) lines.push(`staffetta handoff ${held.task} --to WHO --next "the one next action"`);
  if (review !== undefined)
    lines.push(
      review.status === 'submitted' ? `staffetta review ${review.task}` : `staffetta show ${review.task}`,
    );
  if (offer !== undefined && held === undefined) lines.push(takenBy(offer, actor));
  if (lines.length > 0) return lines;
  return inbox > 0 ? ['staffetta inbox'] : ['staffetta open "what should be done"', 'staffetta ls --all'];
}
