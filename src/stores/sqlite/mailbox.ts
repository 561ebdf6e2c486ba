import type { Address } from '../../core/task/address.ts';
import type { TaskId } from '../../core/journal/id.ts';
import type { Delivery, Hint, Mailbox } from '../../ports/mailbox.ts';
import type { Connection } from './connection.ts';

interface HintRow {
  readonly address: Address;
  readonly task: TaskId;
  readonly offer: number;
  readonly due: number;
  readonly deliveries: number;
  readonly receipt: number;
}

/** The order of sending: a hint that comes with an entry has the entry's position, times this; others follow one by one. */
const sentPerEntry = 2 ** 20;
/** A receipt is one of so many, drawn for each delivery. */
const receipts = 2 ** 48;

function insertHint(connection: Connection, { to, task, offer, due }: Hint, sent: number): void {
  connection
    .sql(
      `INSERT INTO hint(task, address, offer, sent, due, deliveries) VALUES (?, ?, ?, ?, ?, 0)
       ON CONFLICT DO NOTHING`,
    )
    .run(task, to, offer, sent, due);
}

/** Inside the transaction that appends at `position`. */
export function insertHintAt(connection: Connection, hint: Hint, position: number): void {
  insertHint(connection, hint, position * sentPerEntry);
}

/** Inside a transaction. */
export function deleteHints(connection: Connection, task: TaskId): void {
  connection.sql('DELETE FROM hint WHERE task = ?').run(task);
}

function nextSent(connection: Connection): number {
  const { sent } = connection
    .sql(
      `SELECT 1 + max((SELECT coalesce(max(sent), 0) FROM hint),
                      (SELECT coalesce(max(position), 0) FROM entry) * ${sentPerEntry}) AS sent`,
    )
    .get() as { sent: number };
  return sent;
}

function takeDue(
  connection: Connection,
  due: { readonly sql: string; readonly values: readonly (string | number)[] },
  until: number,
): HintRow[] {
  const rows = connection.sql(due.sql).all(...due.values) as unknown as HintRow[];
  return rows.map(
    ({ task, address, offer }) =>
      connection
        .sql(
          `UPDATE hint SET due = ?, deliveries = deliveries + 1, receipt = abs(random() % ${receipts})
           WHERE task = ? AND address = ? AND offer = ? RETURNING *`,
        )
        .get(until, task, address, offer) as unknown as HintRow,
  );
}

export function sqliteMailbox(connection: Connection): Mailbox {
  return {
    async send(hint) {
      // Recovery sends every standing offer's hint again; most wait already, and that must not cost a write each.
      const waits = await connection.read(() =>
        connection
          .sql('SELECT 1 FROM hint WHERE task = ? AND address = ? AND offer = ?')
          .get(hint.task, hint.to, hint.offer),
      );
      if (waits !== undefined) return;
      await connection.write(() => insertHint(connection, hint, nextSent(connection)));
    },
    async receive(addresses, { now, hideMs, limit }) {
      const marks = addresses.map(() => '?').join(',');
      const due = {
        sql: `SELECT * FROM hint WHERE address IN (${marks}) AND due <= ? ORDER BY sent LIMIT ?`,
        values: [...addresses, now, limit],
      };
      // An idle agent asks often; asking must not cost a write.
      const any = await connection.read(() => connection.sql(due.sql).get(...due.values));
      if (any === undefined) return [];
      const rows = await connection.write(() => takeDue(connection, due, now + hideMs));
      return rows.map(deliveryFrom);
    },
    async settle({ task, to, offer, receipt }) {
      await connection.write(() =>
        connection
          .sql('DELETE FROM hint WHERE task = ? AND address = ? AND offer = ? AND receipt = ?')
          .run(task, to, offer, Number(receipt)),
      );
    },
  };
}

function deliveryFrom({ address, task, offer, due, deliveries, receipt }: HintRow): Delivery {
  return { to: address, task, offer, due, deliveries, receipt: `${receipt}` };
}
