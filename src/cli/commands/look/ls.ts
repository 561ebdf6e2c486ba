import { defined } from '../../../core/base/defined.ts';
import { isDisbelieved, isExpired, isResting } from '../../../core/task/lapse.ts';
import { plainStatuses, plainStatusOf, type PlainStatus } from '../../../core/task/card.ts';
import { wholeInbox } from '../../../desk/crew/run-inbox.ts';
import { isLane } from '../../../core/task/actor.ts';
import { limits } from '../../../core/base/limits.ts';
import { finalStatuses, shownCard, statuses, type Status } from '../../../core/task/state.ts';
import type { DamagedTask } from '../../../handoff/record/damage.ts';
import { pageWhere, silentPage } from '../../../handoff/record/silence.ts';
import type { CardQuery, ListedCard } from '../../../ports/journal.ts';
import { formatShort } from '../../frame/duration.ts';
import { explained, sayEscalations } from '../../pages/escalation.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation, Values } from '../../frame/spec.ts';
import { suggest } from '../../../core/base/suggest.ts';
import { table } from '../../frame/table.ts';
import { UsageError } from '../../frame/usage.ts';
import { cap, refuseBoth, text, texts } from '../../frame/values.ts';
import { next, paintStatus, sayDamaged } from '../../pages/words.ts';

export async function run({ values }: Invocation, session: Session): Promise<number> {
  const { query, fits } = queryFrom(values, session);
  const context = await session.context();
  const now = context.clock.now();
  const damaged: DamagedTask[] = [];
  const asked = { ...query, onDamaged: (one: DamagedTask) => damaged.push(one) };
  const { needing } = await wholeInbox(context);
  const found = await (values['lapsed'] === true
    ? silentPage(context, asked)
    : pageWhere(context, asked, (card) => fits(card, needing)));
  const page = { ...found, cards: found.cards.map((card) => shownCard(withNeed(card, needing))) };
  const cards = await explained(context, page.cards);
  const more = damaged.length === 0 ? {} : { damaged };
  session.output.data({ tasks: cards, next: page.next ?? null, ...more }, () =>
    cardTable(cards, session, now),
  );
  sayEscalations(cards, session);
  if (page.cards.length + damaged.length === 0) session.output.say(nothing(values));
  if (page.next !== undefined) next(session.output, `more: the same with --cursor ${page.next}`);
  return sayDamaged(damaged, session.output);
}

function nothing(values: Values): string {
  const filters = ['status', 'holder', 'mine', 'lapsed', 'lane', 'cursor'];
  if (filters.some((filter) => values[filter] !== undefined)) return 'No task fits.';
  return values['all'] === true ? 'No tasks.' : 'No open tasks; finished ones are listed with --all.';
}

export function withNeed(card: ListedCard, needing: ReadonlySet<string>): ListedCard {
  return needing.has(card.task) ? { ...card, person: true } : card;
}

export function cardTable(cards: readonly ListedCard[], session: Session, now: number): string {
  if (cards.length === 0) return '';
  const rows = cards.map((card) => [
    card.task,
    plainStatusOf(card),
    card.lane ?? '',
    whose(card, now),
    formatShort(now - card.updatedAt),
    card.title,
  ]);
  const { paint, width } = session.output;
  return table([['TASK', 'STATUS', 'LANE', 'WHO', 'AGE', 'TITLE'], ...rows], {
    width,
    paint: (cell, row, column) =>
      row === 0 ? paint.dim(cell) : column === 1 ? paintStatus(paint, cell) : cell,
  });
}

/** The holder and how long silence is believed, or whom it is offered to. */
function whose(card: ListedCard, now: number): string {
  if (card.holder !== null) {
    if (card.leaseUntil === null) return card.holder;
    if (isDisbelieved({ until: card.leaseUntil, updatedAt: card.updatedAt }, now))
      return `${card.holder} (over)`;
    if (card.paused === true) return `${card.holder} (paused)`;
    const over = isExpired(card.leaseUntil, now);
    return `${card.holder} (${over ? 'over ' : ''}${formatShort(Math.abs(card.leaseUntil - now) + (over ? 0 : 999))})`;
  }
  const stands = isResting(card.notBefore, now) ? ' (rests)' : card.paused === true ? ' (paused)' : '';
  return card.to === null ? '' : `→ ${card.to}${stands}`;
}

interface Asked {
  readonly query: CardQuery;
  readonly fits: (card: ListedCard, needing: ReadonlySet<string>) => boolean;
}

const standing = statuses.filter((status) => !finalStatuses.includes(status));

function queryFrom(values: Values, session: Session): Asked {
  refuseBoth(values, 'mine', 'holder');
  refuseBoth(values, 'lapsed', 'status');
  const given = texts(values, 'status')?.flatMap((words) => words.split(','));
  const asked = given?.map(standsFrom);
  const lane = text(values, 'lane');
  const holder = values['mine'] === true ? session.actor.name : text(values, 'holder');
  const limit = cap(values, 'limit', limits.pageMax) ?? limits.pageDefault;
  const cursor = text(values, 'cursor');
  if (cursor !== undefined && !/^\d+:\d+$/.test(cursor))
    throw new UsageError('--cursor takes what the last page ended with.');
  const wanted =
    asked?.flatMap(({ among }) => among) ??
    (values['lapsed'] === true ? (['held'] as const) : undefined) ??
    (values['all'] === true ? undefined : standing);
  const query = {
    limit,
    ...(wanted === undefined ? {} : { statuses: [...new Set(wanted)] }),
    ...(lane !== undefined && isLane(lane) ? { lane } : {}),
    ...defined({ holder, cursor }),
  };
  return {
    query,
    fits: (card, needing) => asked?.some(({ fits }) => fits(card, plainStatusOf(card, needing))) ?? true,
  };
}

interface AskedStatus {
  /** Those that can stand behind it. */
  readonly among: readonly Status[];
  readonly fits: (card: ListedCard, stands: PlainStatus) => boolean;
}

/** An exact status, or one of the plain words for several: which of them it is, a list of what waits for a person says too. */
function standsFrom(given: string): AskedStatus {
  const word = given.trim().replaceAll('-', ' ');
  const plain = plainStatuses.find((one) => one === word);
  if (plain === undefined) {
    const exact = statusFrom(given);
    return { among: [exact], fits: ({ status }) => status === exact };
  }
  const among = plain === 'done' || plain === 'stopped' ? finalStatuses : standing;
  return { among, fits: (_, stands) => stands === plain };
}

export function statusFrom(given: string): Status {
  const word = given.trim();
  const found = statuses.find((status) => status === word);
  if (found !== undefined) return found;
  const near = suggest(word, statuses);
  throw new UsageError(
    `There is no status ${JSON.stringify(word)}.`,
    near === undefined ? `One of: ${[...plainStatuses, ...statuses].join(', ')}` : `Did you mean: ${near}`,
  );
}
