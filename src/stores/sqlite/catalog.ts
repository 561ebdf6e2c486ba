import type { SQLInputValue } from 'node:sqlite';
import type { Card } from '../../core/card.ts';
import { digestFromBytes } from '../../core/digest.ts';
import type { TaskId } from '../../core/id.ts';
import type { CardQuery, Catalog, FeedEntry } from '../../ports/journal.ts';
import type { Connection } from './connection.ts';

interface CardRow {
  readonly n: number;
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
              `SELECT n, opened_at, card, lease_until FROM task ${where} ORDER BY opened_at ${direction}, n ${direction} LIMIT ?`,
            )
            .all(...values, query.limit + 1) as unknown as CardRow[],
      );
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      return {
        cards: page.map((row) => ({ ...(JSON.parse(row.card) as Card), leaseUntil: row.lease_until })),
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
    async feed(after, limit) {
      const rows = await connection.read(
        () =>
          connection
            .sql(
              `SELECT e.position, t.id AS task, e.seq, e.digest, e.body FROM entry e JOIN task t ON t.n = e.task
               WHERE e.position > ? ORDER BY e.position LIMIT ?`,
            )
            .all(after, limit) as unknown as (Omit<FeedEntry, 'digest'> & { digest: Uint8Array })[],
      );
      return rows.map((row) => ({ ...row, digest: digestFromBytes(row.digest) }));
    },
  };
}

function conditions(query: CardQuery): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (part: string, ...given: SQLInputValue[]): void => {
    parts.push(part);
    values.push(...given);
  };
  if (query.statuses !== undefined)
    add(`status IN (${query.statuses.map(() => '?').join(',')})`, ...query.statuses);
  if (query.lane !== undefined) add('lane IS ?', query.lane);
  if (query.holder !== undefined) add('holder = ?', query.holder);
  if (query.dead !== undefined) add('dead = ?', query.dead ? 1 : 0);
  if (query.leaseBefore !== undefined) add('lease_until < ?', query.leaseBefore);
  if (query.cursor !== undefined) {
    const [openedAt = 0, n = 0] = query.cursor.split(':').map(Number);
    add(`(opened_at, n) ${query.oldestFirst === true ? '>' : '<'} (?, ?)`, openedAt, n);
  }
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
