import { isExpired } from '../../core/task/lapse.ts';
import { takeableStatuses } from '../../core/task/state.ts';
import { parseCursor } from '../../core/journal/cursor.ts';
import type { Wait } from '../../core/task/waits.ts';
import type { CardQuery, Catalog, Waiting } from '../../ports/journal.ts';
import type { MemoryTask, World } from './world.ts';

export function memoryCatalog(world: World): Catalog {
  return {
    async list(query) {
      const before = query.cursor === undefined ? undefined : parseCursor(query.cursor);
      const order = (a: Place, b: Place): number => newerFirst(a, b) * (query.oldestFirst === true ? -1 : 1);
      const found = [...world.tasks.values()]
        .filter((task) => fits(task, query))
        .filter((task) => before === undefined || order(before, place(task)) < 0)
        .toSorted((a, b) => order(place(a), place(b)));
      const page = found.slice(0, query.limit);
      const last = page.at(-1);
      return {
        cards: page.map((task) => ({ ...task.card, leaseUntil: task.lease?.until ?? null })),
        next: last === undefined || found.length <= query.limit ? undefined : place(last).join(':'),
      };
    },
    async resolve(prefix, limit) {
      return [...world.tasks.keys()]
        .filter((id) => id.startsWith(prefix))
        .toSorted()
        .slice(0, limit);
    },
    async keyed(key, limit) {
      return [...world.tasks]
        .filter(([, task]) => task.keys.has(key))
        .map(([id]) => id)
        .toSorted()
        .slice(0, limit);
    },
    async waits({ need, over, after, limit }) {
      return [...world.tasks]
        .flatMap(([task, { waits }]) => waits.map((wait) => ({ ...wait, task })))
        .filter((one) => need === undefined || one.need === need)
        .filter((one) => over === undefined || isOver(world, one))
        .filter((one) => after === undefined || byNeed(after, one) < 0)
        .toSorted(byNeed)
        .slice(0, limit)
        .map((one) => ({ need: one.need, task: one.task }));
    },
    async unhinted(after = 't', limit) {
      const hinted = new Set([...world.hints.values()].map(({ task }) => task));
      return [...world.tasks]
        .filter(([id, task]) => id > after && !hinted.has(id) && isOnOffer(task))
        .map(([id]) => id)
        .toSorted()
        .slice(0, limit);
    },
    async feed(after, limit) {
      return world.feed.filter((entry) => entry.position > after).slice(0, limit);
    },
  };
}

function fits(task: MemoryTask, query: CardQuery): boolean {
  const { card, lease } = task;
  if (query.statuses !== undefined && !query.statuses.includes(card.status)) return false;
  if (query.lane !== undefined && card.lane !== query.lane) return false;
  if (query.holder !== undefined && card.holder !== query.holder) return false;
  if (query.for !== undefined && (card.to === null || !query.for.includes(card.to))) return false;
  if (query.waitsForNone === true && task.waits.length > 0) return false;
  if (query.dead !== undefined && card.dead !== query.dead) return false;
  if (query.offerBefore !== undefined && !isExpired(card.expiresAt ?? Infinity, query.offerBefore))
    return false;
  return query.leaseBefore === undefined || (lease !== null && isExpired(lease.until, query.leaseBefore));
}

function isOnOffer({ card, waits }: MemoryTask): boolean {
  return card.to !== null && waits.length === 0 && takeableStatuses.includes(card.status);
}

function isOver(world: World, { need, watched }: Wait): boolean {
  const status = world.tasks.get(need)?.card.status;
  return status === 'failed' || status === 'cancelled' || (status === 'done' && watched);
}

function byNeed(a: Waiting, b: Waiting): number {
  const [one, other] = a.need === b.need ? [a.task, b.task] : [a.need, b.need];
  return one === other ? 0 : one < other ? -1 : 1;
}

type Place = readonly [openedAt: number, order: number];

function place(task: MemoryTask): Place {
  return [task.card.openedAt, task.opened];
}

function newerFirst(a: Place, b: Place): number {
  return b[0] - a[0] || b[1] - a[1];
}
