import { isAddressedTo } from '../../../core/task/address.ts';
import { isFinal } from '../../../core/task/state.ts';
import type { ListedCard } from '../../../ports/journal.ts';
import { explained, sayEscalations } from '../../pages/escalation.ts';
import { exits } from '../../frame/fail.ts';
import { line, type Output } from '../../frame/output.ts';
import { goOnWords, latestSessions, type LatestSession } from '../../call/latest-session.ts';
import { workedWords } from '../../pages/resume-page.ts';
import type { Session } from '../../call/session.ts';
import { wrap } from '../../frame/width.ts';
import { next, sayDamaged } from '../../pages/words.ts';
import { load } from '../../../handoff/record/load.ts';
import { tasksOfSession } from '../../../handoff/sessions/session-task.ts';
import type { Context } from '../../../handoff/record/context.ts';
import type { PassedOver } from '../../../handoff/record/damage.ts';
import { restingOffers } from '../../../handoff/views/offers.ts';
import { loadRuntimes } from '../../../compose/runtimes.ts';
import { usablePrograms } from '../../../desk/sessions/installed-programs.ts';
import { wholeInbox } from '../../../desk/crew/run-inbox.ts';
import { findLapsedFor, findWorkOfOthers, lookAround } from '../../../desk/around.ts';
import { inboxPart } from './inbox.ts';
import { cardTable, withNeed } from './ls.ts';

const shownMax = 10;
const inboxMax = 5;
const listedMax = 200;

/** `staffetta` alone: where you are, and what to do next. */
export async function run(session: Session): Promise<number> {
  const { output, located, actor } = session;
  const recent = actor.kind === 'human' ? await latestSessions(session.env) : [];
  const [latest] = recent;
  const data = {
    store: session.store.shown,
    exists: session.storeExists,
    actor,
    session: latest === undefined ? null : sessionData(latest),
  };
  if (session.storeExists) return await runInStore(session, recent, data);
  const none = `No coding agent has worked in this folder, and there is no task. The first one creates a store at ${line(data.store)} (${located.because}).`;
  output.data(data, () => (latest === undefined ? wrap(none, output.width) : workedPart(recent, output)));
  const goOn = recent.flatMap(goOnCommands);
  next(
    output,
    ...(latest === undefined ? ['staffetta open "what should be done"'] : goOn),
    'staffetta --help',
  );
  return exits.ok;
}

async function runInStore(
  session: Session,
  recent: readonly LatestSession[],
  data: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { output } = session;
  const context = await session.context();
  const now = context.clock.now();
  const damaged: PassedOver = new Map();
  const found = await lookAll(context, session, damaged);
  const { needing: _needing, told: _told, ...listed } = found;
  const standings = await Promise.all(recent.map(async (one) => await standingOf(context, one)));
  output.data({ ...data, ...listed }, () =>
    [
      workedPart(
        recent.filter((_, i) => standings[i] !== 'over'),
        output,
      ),
      ...partsOf(found, session, now),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  );
  sayEscalations(untold(found.waiting, found), session);
  const goOn = recent.filter((_, i) => standings[i] === 'open').flatMap(goOnCommands);
  next(output, ...goOn, ...suggestions(session, found));
  return sayDamaged([...damaged.values()], output);
}

/** None where it would be refused: somebody is in the middle of a turn. */
function goOnCommands(latest: LatestSession): string[] {
  return latest.isBusy ? [] : [goOnWords(latest)];
}

function workedPart(of: readonly LatestSession[], { width }: Output): string {
  return of.map(({ card, condition }) => wrap(workedWords(card, condition, Date.now()), width)).join('\n');
}

type Found = Awaited<ReturnType<typeof lookAll>>;

/** All that stands in the store and concerns who asks. */
async function lookAll(context: Context, { actor, env }: Session, passed: PassedOver) {
  const isPerson = actor.kind === 'human';
  const programs = isPerson ? await usablePrograms(context, await loadRuntimes(env)) : [];
  const { items, needing } = await wholeInbox(context, undefined, programs);
  const inbox = isPerson ? items : [];
  const { holding, offered, waiting } = await lookAround(context, actor, {
    most: listedMax,
    passed,
  });
  // With its commands in the inbox, and not a second time elsewhere.
  const told = new Set(inbox.map(({ task }) => task));
  const others = { most: listedMax, passed, told };
  return {
    needing,
    told,
    holding,
    working: isPerson ? await findWorkOfOthers(context, actor, others) : [],
    resting: isPerson ? await restingOffers(context) : [],
    offered,
    silent: await findLapsedFor(context, actor, { most: listedMax, passed }),
    waiting: await explained(context, waiting),
    inbox,
  };
}

/** What the inbox has not told already. */
function untold<T extends ListedCard>(cards: readonly T[], { told }: Found): T[] {
  return cards.filter(({ task }) => !told.has(task));
}

function partsOf(found: Found, session: Session, now: number): string[] {
  const { needing, offered, holding, working, resting, silent, waiting, inbox } = found;
  const { output, located, actor, store } = session;
  const isPerson = actor.kind === 'human';
  const who = `${actor.name} (${actor.kind}${actor.lane === undefined ? '' : `, ${actor.lane} lane`})`;
  const all = [holding, working, resting, offered, silent, waiting, inbox];
  const part = (title: string, cards: readonly ListedCard[]): string => {
    if (cards.length === 0) return '';
    const shown = cards.slice(0, shownMax).map((card) => withNeed(card, needing));
    const more = cards.length - shownMax;
    const atLeast = cards.length < listedMax ? '' : 'at least ';
    const rest = more > 0 ? `\n  and ${atLeast}${more} more: staffetta ls` : '';
    return `${output.paint.bold(wrap(title, output.width))}\n${cardTable(shown, session, now)}${rest}`;
  };
  return [
    wrap(`You are ${who}. Store: ${line(store.shown)} (${located.because}).`, output.width),
    inbox.length === 0
      ? ''
      : `${output.paint.bold('Needs you')}\n${inboxPart(inbox, output, { most: inboxMax })}`,
    part('You hold', holding),
    part('In work', working),
    part(isPerson ? 'On offer' : 'On offer to you', untold(offered, found)),
    part('Paused', resting),
    part('Held by somebody who fell silent, and yours to take', untold(silent, found)),
    isPerson ? '' : part('Waiting for a person', waiting),
    all.every(({ length }) => length === 0) ? 'Nothing is waiting for you.' : '',
  ];
}

/**
 * What it worked on is `over`, and it has done nothing since; or it is a task that is offered, held or judged, whose own command is told
 * here; or nobody goes on with it unless somebody says so.
 */
async function standingOf(context: Context, { card }: LatestSession): Promise<'over' | 'told' | 'open'> {
  const [task] = (await tasksOfSession(context, card)).toReversed();
  if (task === undefined) return 'open';
  const { state } = await load(context, task);
  if (isFinal(state)) return card.updatedAt > state.updatedAt ? 'open' : 'over';
  return state.leg?.holder.session === card.id ? 'open' : 'told';
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

/** What is offered to a program goes on there; a person cannot take it in its place. */
function takenBy({ task, to, lane }: ListedCard, actor: Session['actor']): string {
  if (to === null || lane === null || isAddressedTo(to, lane, actor)) return `staffetta take ${task}`;
  return to.startsWith('runtime:')
    ? `staffetta resume ${task} --in ${to.slice('runtime:'.length)}`
    : `staffetta show ${task}`;
}

function suggestions({ actor }: Session, found: Found): string[] {
  const { holding, offered, silent, waiting, working, resting, inbox } = found;
  const [held] = holding;
  const [offer] = [...untold(offered, found), ...silent];
  const review = waiting.find((card) => card.status !== 'escalated');
  const lines: string[] = [];
  if (held !== undefined) lines.push(`staffetta handoff ${held.task} --to WHO --next "the one next action"`);
  if (review !== undefined)
    lines.push(
      review.status === 'submitted' ? `staffetta review ${review.task}` : `staffetta show ${review.task}`,
    );
  if (offer !== undefined && held === undefined) lines.push(takenBy(offer, actor));
  if (lines.length > 0) return lines;
  if (inbox.length > 0) return ['staffetta inbox'];
  const [other] = working;
  const [rests] = resting;
  if (other !== undefined) return [`staffetta show ${other.task}`];
  if (rests !== undefined) return [`staffetta continue ${rests.task}`];
  return ['staffetta open "what should be done"', 'staffetta ls --all'];
}
