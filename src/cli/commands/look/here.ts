import { isAddressedTo } from '../../../core/task/address.ts';
import { cardOf } from '../../../core/task/card.ts';
import type { TaskId } from '../../../core/journal/id.ts';
import { offeredStatuses } from '../../../core/task/state.ts';
import type { ListedCard } from '../../../ports/journal.ts';
import { explained, sayEscalations } from '../../pages/escalation.ts';
import { exits } from '../../frame/fail.ts';
import { line } from '../../frame/output.ts';
import type { Session } from '../../call/session.ts';
import { wrap } from '../../frame/width.ts';
import { next, sayDamaged } from '../../pages/words.ts';
import type { Context } from '../../../handoff/record/context.ts';
import type { DamagedTask } from '../../../handoff/record/damage.ts';
import { lapseExpired } from '../../../handoff/verbs/recover.ts';
import { phasesForPeople } from '../../../handoff/views/attention.ts';
import { cardTable } from './ls.ts';

const shownMax = 10;

/** `staffetta` alone: where you are, and what to do next. */
export async function run(session: Session): Promise<number> {
  const { output, located, actor } = session;
  const path = session.store.shown;
  const who = `${actor.name} (${actor.kind}${actor.lane === undefined ? '' : `, ${actor.lane} lane`})`;
  if (!session.storeExists) {
    output.data({ store: path, exists: false, actor }, () =>
      wrap(
        `You are ${who}. There is no store yet; the first task creates one at ${line(path)} (${located.because}).`,
        output.width,
      ),
    );
    next(output, 'staffetta open "what should be done" --accept "how it will be judged"', 'staffetta --help');
    return exits.ok;
  }
  const context = await session.context();
  const { store, clock } = context;
  const now = clock.now();
  const damaged = new Map<TaskId, DamagedTask>();
  const onDamaged = (one: DamagedTask): unknown => damaged.set(one.task, one);
  const mine = (await store.catalog.list({ holder: actor.name, limit: shownMax, onDamaged })).cards;
  const offered = (
    await store.catalog.list({ statuses: offeredStatuses, oldestFirst: true, limit: 200, onDamaged })
  ).cards.filter((card) => concerns(card, session));
  const silent = await takeable(context, session, damaged);
  const asking = await store.catalog.list({
    statuses: ['submitted', 'escalated', 'declined'],
    oldestFirst: true,
    limit: shownMax,
    onDamaged,
  });
  const waiting = await explained(context, [...asking.cards, ...(await phasesForPeople(context))]);
  output.data({ store: path, exists: true, actor, holding: mine, offered, silent, waiting }, () =>
    [
      wrap(`You are ${who}. Store: ${line(path)} (${located.because}).`, output.width),
      part('You hold', mine, session, now),
      part('On offer to you', offered, session, now),
      part('Held by somebody who fell silent, and yours to take', silent, session, now),
      part('Waiting for a person', waiting, session, now),
      mine.length + offered.length + silent.length + waiting.length === 0
        ? 'Nothing is waiting for you.'
        : '',
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  );
  sayEscalations(waiting, output);
  next(output, ...suggestions(mine, [...offered, ...silent], waiting));
  return sayDamaged([...damaged.values()], output);
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
      .filter((card) => concerns(card, session) && (card.notBefore ?? now) <= now)
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

function suggestions(
  mine: readonly ListedCard[],
  offered: readonly ListedCard[],
  waiting: readonly ListedCard[],
): string[] {
  const [held] = mine;
  const offer = offered.find((card) => card.status !== 'blocked');
  const review = waiting.find((card) => card.status !== 'escalated');
  const lines: string[] = [];
  if (held !== undefined) lines.push(`staffetta handoff ${held.task} --to WHO --next "the one next action"`);
  if (review !== undefined)
    lines.push(
      review.status === 'submitted' ? `staffetta review ${review.task}` : `staffetta show ${review.task}`,
    );
  if (offer !== undefined && held === undefined) lines.push(`staffetta take ${offer.task}`);
  return lines.length > 0 ? lines : ['staffetta open "what should be done"', 'staffetta ls --all'];
}
