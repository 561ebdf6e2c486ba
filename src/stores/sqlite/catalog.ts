import type { SQLInputValue } from 'node:sqlite';
import type { Card } from '../../core/task/card.ts';
import { takeableStatuses } from '../../core/task/state.ts';
import { digestFromBytes } from '../../core/journal/digest.ts';
import { parseCursor } from '../../core/journal/cursor.ts';
import { isStaffettaError } from '../../core/base/error.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import type { CardQuery, Catalog, FeedEntry, ListedCard, Waiting, WaitQuery } from '../../ports/journal.ts';
import type { Connection } from './connection.ts';
import { decoding, inOrder } from './errors.ts';
import { entryBody } from './journal.ts';

interface CardRow {
  readonly n: number;
  readonly id: string;
  readonly opened_at: number;
  readonly card: string;
  readonly lease_until: number | null;
}

export function sqliteCatalog(connection: Connection): Catalog {
  return {
    async list(query) {
      const { where, values } = conditions(query);
      const direction = query.oldestFirst === true ? 'ASC' : 'DESC';
      const rows = await connection.read(
        () =>
          connection
            .sql(
              `SELECT n, id, opened_at, card, lease_until FROM task ${where} ORDER BY opened_at ${direction}, n ${direction} LIMIT ?`,
            )
            .all(...values, query.limit + 1) as unknown as CardRow[],
      );
      const page = inOrder(rows, followsIn(query)).slice(0, query.limit);
      const last = page.at(-1);
      return {
        cards: page.flatMap((row) => readable(row, query)),
        next: last === undefined || rows.length <= query.limit ? undefined : `${last.opened_at}:${last.n}`,
      };
    },
    async resolve(prefix, limit) {
      const rows = await connection.read(
        () =>
          connection
            .sql('SELECT id FROM task WHERE id >= ? AND id < ? ORDER BY id LIMIT ?')
            .all(prefix, `${prefix}\u{10ffff}`, limit) as unknown as {
            id: TaskId;
          }[],
      );
      return rows.map((row) => row.id);
    },
    async keyed(key, limit) {
      // Asked for so seldom that an index, one more page to write with every keyed entry, would cost more than it saves.
      const rows = await connection.read(
        () =>
          connection
            .sql(
              'SELECT t.id FROM entry_key k JOIN task t ON t.n = k.task WHERE k.key = ? ORDER BY t.id LIMIT ?',
            )
            .all(key, limit) as unknown as { id: TaskId }[],
      );
      return rows.map((row) => row.id);
    },
    async waits(query) {
      const { where, values } = waitConditions(query);
      // The few needs that have ended lead, whatever the planner thinks of it.
      const [from, lead] =
        query.over === true ? ['ended e CROSS JOIN wait w ON w.need = e.need', 'e'] : ['wait w', 'w'];
      return await connection.read(
        () =>
          connection
            .sql(`SELECT w.need, w.task FROM ${from} ${where} ORDER BY ${lead}.need, w.task LIMIT ?`)
            .all(...values, query.limit) as unknown as Waiting[],
      );
    },
    async unhinted(after, limit) {
      const statuses = takeableStatuses.map(() => '?').join(',');
      const rows = await connection.read(
        () =>
          connection
            .sql(
              `SELECT id FROM task WHERE status IN (${statuses}) AND ${inCard('to', 'IS NOT NULL')} AND id > ?
                 AND NOT EXISTS (SELECT 1 FROM wait WHERE wait.task = task.id)
                 AND NOT EXISTS (SELECT 1 FROM hint WHERE hint.task = task.id) ORDER BY id LIMIT ?`,
            )
            .all(...takeableStatuses, after ?? '', limit) as unknown as { id: TaskId }[],
      );
      return rows.map((row) => row.id);
    },
    async feed(after, limit) {
      const rows = await connection.read(
        () =>
          connection
            .sql(
              `SELECT e.position, t.id AS task, e.seq, e.digest, e.body FROM entry e JOIN task t ON t.n = e.task
               WHERE e.position > ? ORDER BY e.position LIMIT ?`,
            )
            .all(after, limit) as unknown as (Omit<FeedEntry, 'digest' | 'body'> & {
            digest: Uint8Array;
            body: string | Uint8Array;
          })[],
      );
      return inOrder(rows, (row, before) => row.position > (before?.position ?? after)).map((row) =>
        decoding(() => ({ ...row, digest: digestFromBytes(row.digest), body: entryBody(row.body) })),
      );
    },
  };
}

/** Of a card that is damaged nobody knows what it says: it is among all of them, and told as damaged. */
function inCard(field: 'to' | 'expiresAt', test: string): string {
  return `CASE WHEN json_valid(card) THEN card ->> '${field}' ${test} ELSE 1 END`;
}

type Place = Pick<CardRow, 'opened_at' | 'n'>;

function rowAt(cursor: string): Place {
  const [openedAt, n] = parseCursor(cursor);
  return { opened_at: openedAt, n };
}

function followsIn({ cursor, oldestFirst }: CardQuery): (row: Place, before: Place | undefined) => boolean {
  const start = cursor === undefined ? undefined : rowAt(cursor);
  return (row, before = start) => {
    if (before === undefined) return true;
    const after = row.opened_at === before.opened_at ? row.n - before.n : row.opened_at - before.opened_at;
    return oldestFirst === true ? after > 0 : after < 0;
  };
}

function readable(row: CardRow, { onDamaged }: CardQuery): ListedCard[] {
  try {
    return [cardFrom(row)];
  } catch (error) {
    if (onDamaged === undefined || !isStaffettaError(error, 'corrupt') || !isTaskId(row.id)) throw error;
    onDamaged({ task: row.id, why: 'what lists show of it cannot be read' });
    return [];
  }
}

function cardFrom(row: CardRow): ListedCard {
  return decoding(() => {
    const card = JSON.parse(row.card) as Card;
    if (!isTaskId(card.task)) throw new SyntaxError('a card without its task');
    return { ...card, leaseUntil: row.lease_until };
  });
}

class Where {
  readonly #parts: string[] = [];
  readonly values: SQLInputValue[] = [];

  add(part: string, ...given: SQLInputValue[]): void {
    this.#parts.push(part);
    this.values.push(...given);
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `WHERE ${this.#parts.join(' AND ')}`;
  }
}

function waitConditions({ need, over, after }: WaitQuery): Where {
  const where = new Where();
  if (over === true) where.add('w.watched >= 1 - e.lost');
  if (need !== undefined) where.add('w.need = ?', need);
  if (after !== undefined) where.add('(w.need, w.task) > (?, ?)', after.need, after.task);
  return where;
}

function conditions(query: CardQuery): Where {
  const where = new Where();
  const add = where.add.bind(where);
  const ofRuns = query.lane === 'supervise';
  // A plus keeps SQLite from the index of the column: that of runs has fewer rows, and is found by the words it was made with.
  if (query.statuses !== undefined)
    add(`${ofRuns ? '+' : ''}status IN (${query.statuses.map(() => '?').join(',')})`, ...query.statuses);
  if (ofRuns) add("lane = 'supervise'");
  else if (query.lane !== undefined) add('lane IS ?', query.lane);
  if (query.holder !== undefined) add('holder = ?', query.holder);
  // Few are on offer at a time, so whom they are for needs no column.
  if (query.for !== undefined) add(inCard('to', `IN (${query.for.map(() => '?').join(',')})`), ...query.for);
  if (query.waitsForNone === true) add('NOT EXISTS (SELECT 1 FROM wait WHERE wait.task = task.id)');
  if (query.dead !== undefined) add('dead = ?', query.dead ? 1 : 0);
  // Few tasks are held at a time, so their leases need no index: it would be one more page to write with every entry.
  if (query.leaseBefore !== undefined) add("status = 'held' AND lease_until < ?", query.leaseBefore);
  if (query.offerBefore !== undefined) add(inCard('expiresAt', '< ?'), query.offerBefore);
  if (query.cursor !== undefined) {
    const { opened_at: openedAt, n } = rowAt(query.cursor);
    add(`(opened_at, n) ${query.oldestFirst === true ? '>' : '<'} (?, ?)`, openedAt, n);
  }
  return where;
}
