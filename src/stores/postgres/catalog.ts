import { isStaffettaError } from '../../core/base/error.ts';
import { parseCursor } from '../../core/journal/cursor.ts';
import { digestFromBytes } from '../../core/journal/digest.ts';
import { isTaskId, type TaskId } from '../../core/journal/id.ts';
import type { Card } from '../../core/task/card.ts';
import { isExpired } from '../../core/task/lapse.ts';
import { takeableStatuses } from '../../core/task/state.ts';
import type { CardQuery, Catalog, ListedCard } from '../../ports/journal.ts';
import type { Connection, Row } from './connection.ts';
import { damagedRow } from './errors.ts';

/** Conditions, and what their marks stand for. */
class Where {
  readonly #parts: string[] = [];
  readonly values: unknown[] = [];

  add(part: (...marks: readonly string[]) => string, ...given: readonly unknown[]): void {
    const from = this.values.length;
    this.#parts.push(part(...given.map((_, i) => `$${from + i + 1}`)));
    this.values.push(...given);
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `WHERE ${this.#parts.join(' AND ')}`;
  }
}

export function postgresCatalog(connection: Connection, s: string): Catalog {
  return {
    async list(query) {
      const { where, values } = conditions(query);
      const direction = query.oldestFirst === true ? 'ASC' : 'DESC';
      const rows = await connection.ask(
        `SELECT n, id, opened_at, card, lease_until FROM ${s}.task ${where}
         ORDER BY opened_at ${direction}, n ${direction} LIMIT $${values.length + 1}`,
        [...values, query.limit + 1],
      );
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      return {
        cards: page.flatMap((row) => readable(row, query)),
        next:
          last === undefined || rows.length <= query.limit
            ? undefined
            : `${Number(last[2])}:${Number(last[0])}`,
      };
    },
    async resolve(prefix, limit) {
      const rows = await connection.ask(
        `SELECT id FROM ${s}.task WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3`,
        [prefix, `${prefix}\u{10ffff}`, limit],
      );
      return idsIn(rows);
    },
    async keyed(key, limit) {
      const rows = await connection.ask(
        `SELECT t.id FROM ${s}.entry_key k JOIN ${s}.task t ON t.n = k.task WHERE k.key = $1 ORDER BY t.id LIMIT $2`,
        [key, limit],
      );
      return idsIn(rows);
    },
    async waits({ need, over, after, limit }) {
      const where = new Where();
      if (over === true)
        where.add(() => "(t.status IN ('failed', 'cancelled') OR (t.status = 'done' AND w.watched))");
      if (need !== undefined) where.add((mark) => `w.need = ${mark}`, need);
      if (after !== undefined)
        where.add((one, other) => `(w.need, w.task) > (${one}, ${other})`, after.need, after.task);
      const rows = await connection.ask(
        `SELECT w.need, w.task FROM ${s}.wait w ${over === true ? `JOIN ${s}.task t ON t.id = w.need` : ''} ${where.where}
         ORDER BY w.need, w.task LIMIT $${where.values.length + 1}`,
        [...where.values, limit],
      );
      return rows.map(([wanted, task]) => ({ need: wanted as TaskId, task: task as TaskId }));
    },
    async unhinted(after, limit) {
      const rows = await connection.ask(
        `SELECT t.id FROM ${s}.task t WHERE t.status = ANY ($1) AND t.addressed IS NOT NULL AND NOT t.waits AND t.id > $2
           AND NOT EXISTS (SELECT 1 FROM ${s}.hint h WHERE h.task = t.id) ORDER BY t.id LIMIT $3`,
        [takeableStatuses, after ?? '', limit],
      );
      return idsIn(rows);
    },
    async feed(after, limit) {
      // Where nothing is new, which is most often, nobody has to be waited for.
      const [seen] = await connection.ask(`SELECT 1 FROM ${s}.entry WHERE position > $1 LIMIT 1`, [after]);
      if (seen === undefined) return [];
      const [top] = await connection.ask(`SELECT ${s}.feed_top()`);
      const rows = await connection.ask(
        `SELECT e.position, t.id, e.seq, e.digest, e.body FROM ${s}.entry e JOIN ${s}.task t ON t.n = e.task
         WHERE e.position > $1 AND e.position <= $2 ORDER BY e.position LIMIT $3`,
        [after, top?.[0], limit],
      );
      return rows.map(([position, task, seq, digest, body]) => ({
        position: Number(position),
        task: task as TaskId,
        seq: Number(seq),
        digest: digestFromBytes(digest as Uint8Array),
        body: (body as Buffer).toString(),
      }));
    },
  };
}

function idsIn(rows: readonly Row[]): TaskId[] {
  return rows.map(([id]) => id as TaskId);
}

function conditions(query: CardQuery): Where {
  const where = new Where();
  if (query.statuses !== undefined) where.add((mark) => `status = ANY (${mark})`, query.statuses);
  if (query.lane !== undefined) where.add((mark) => `lane IS NOT DISTINCT FROM ${mark}`, query.lane);
  if (query.holder !== undefined) where.add((mark) => `holder = ${mark}`, query.holder);
  if (query.for !== undefined) where.add((mark) => `addressed = ANY (${mark})`, query.for);
  if (query.waitsForNone === true) where.add(() => 'NOT waits');
  if (query.dead !== undefined) where.add((mark) => `dead = ${mark}`, query.dead);
  // Few tasks are held at a time: they are found by their status.
  if (query.leaseBefore !== undefined)
    where.add((mark) => `status = 'held' AND lease_until < ${mark}`, query.leaseBefore);
  // Most offers never end by themselves. When the others do is looked for in their cards.
  if (query.offerBefore !== undefined) where.add(() => `position('"expiresAt":null'::bytea IN card) = 0`);
  if (query.cursor !== undefined) {
    const sign = query.oldestFirst === true ? '>' : '<';
    where.add((one, other) => `(opened_at, n) ${sign} (${one}, ${other})`, ...parseCursor(query.cursor));
  }
  return where;
}

function readable(row: Row, { onDamaged, offerBefore = -Infinity }: CardQuery): ListedCard[] {
  try {
    const card = cardFrom(row);
    return offerBefore === -Infinity || isExpired(card.expiresAt ?? Infinity, offerBefore) ? [card] : [];
  } catch (error) {
    const id = String(row[1]);
    if (onDamaged === undefined || !isStaffettaError(error, 'corrupt') || !isTaskId(id)) throw error;
    onDamaged({ task: id, why: 'what lists show of it cannot be read' });
    return [];
  }
}

function cardFrom([, , , text, leaseUntil]: Row): ListedCard {
  try {
    const card = JSON.parse((text as Buffer).toString()) as Card;
    if (!isTaskId(card.task)) throw new SyntaxError('a card without its task');
    return { ...card, leaseUntil: leaseUntil === null ? null : Number(leaseUntil) };
  } catch (cause) {
    throw damagedRow(cause);
  }
}
